import Foundation
import Holdfast
import HoldfastDocuments

extension ConformanceCase {
    static let doc3: [ConformanceCase] = [
        ConformanceCase(
            "doc-3.circles", "DOC-3", "Objects are saved with those that they refer to, and loaded a level at a time",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            // Each station leads to the next, and the last to the first.
            let stations = (0..<5).map { Station("s\($0)") }
            for (index, station) in stations.enumerated() {
                station.next = DocumentReference(stations[(index + 1) % stations.count])
                station.lines = (0..<3).map {
                    DocumentReference(
                        Route(documentKey: "l\($0)", color: "c\($0)", first: DocumentReference(stations[0])))
                }
            }
            try await db.documents.save(stations[0])
            try expect(try await db.documents["stations"].keys().count, equals: 5, "the stations")
            try expect(try await db.documents["lines"].keys().count, equals: 3, "the lines")
            let loaded = try expect(some: try await db.documents.load(Station.self, "s0"), "the first station")
            var (station, seen) = (loaded, [String]())
            for _ in 0..<5 {
                seen.append(station.name)
                try expect(station.lines.compactMap(\.object?.color), equals: ["c0", "c1", "c2"], "the lines")
                station = try expect(some: station.next?.object, "the next station")
            }
            try expect(seen, equals: (0..<5).map { "Station s\($0)" }, "the names")
            try expect(station === loaded, "The circle does not close.")
            try expect(loaded.lines[0].object?.first?.object === loaded, "A line leads to another instance.")
            let several = try await db.documents.load(Station.self, ["s3", "none", "s1"])
            try expect(several.map { $0?.name }, equals: ["Station s3", nil, "Station s1"], "several")
            try expect(several[0]?.next?.object?.next?.object?.next?.object === several[2], "Instances differ.")
            var route = try expect(some: try await db.documents.load(Route.self, "l0"), "a struct in a circle")
            route.color = "changed"
            try await db.documents.save(route)
            let saved = try await db.documents["lines"].get("l0", as: Route.self)
            try expect(saved?.color, equals: "changed", "the struct that was given, not the copy in the circle")
            loaded.next?.unload()
            try expect(loaded.next?.key, equals: "s1", "the key of what was unloaded")
            try expect(loaded.next?.object == nil, "What was unloaded is there.")
            let spellings = ["\u{e9}", "e\u{301}"].map { Route(documentKey: $0, color: $0, first: nil) }
            try await db.documents.save(spellings)
            let routes = try await db.documents.load(Route.self, spellings.map(\.documentKey))
            try expect(
                routes.map { Array(($0?.color ?? "").utf8) }, equals: spellings.map { Array($0.color.utf8) },
                "objects whose keys Swift takes for equal")
        },
        ConformanceCase(
            "doc-3.levels", "DOC-3", "A level of a tree of references is loaded by one statement", level: .documents
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Document.self) {
                probe.attach(to: &$0)
                // Its statements would be among those that are counted.
                $0.expiry.sweepInterval = nil
            }
            let root = Station("root")
            root.lines = (0..<200).map { index in
                let station = Station("s\(index)")
                return DocumentReference(
                    Route(documentKey: "l\(index)", color: "c", first: DocumentReference(station)))
            }
            try await db.documents.save(root)
            _ = probe.take()
            let loaded = try expect(some: try await db.documents.load(Station.self, "root"), "the root")
            try expect(loaded.lines.compactMap { $0.object?.first?.object?.name }.count, equals: 200, "the stations")
            try expect(probe.take().count { $0.contains("keyed_document") }, equals: 3, "the statements")
        },
        ConformanceCase(
            "doc-3.dangling", "DOC-3", "A reference to nothing is told apart from one that was not loaded",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let station = Station("a")
            station.next = DocumentReference(key: "nowhere")
            station.lines = [DocumentReference(key: "l"), DocumentReference(key: "gone")]
            try await db.documents.save([Route(documentKey: "l", color: "red", first: nil)])
            try await db.documents.save(station)
            let loaded = try expect(some: try await db.documents.load(Station.self, "a"), "the station")
            guard case .missing? = loaded.next?.target else { throw DatabaseError(.conflict, "Something was found.") }
            try expect(loaded.lines.map { $0.object?.color }, equals: ["red", nil], "the lines")
            try expect(loaded.lines.map(\.key), equals: ["l", "gone"], "the keys of the lines")
            let plain = try expect(some: try await db.documents["stations"].get("a", as: Station.self), "the value")
            guard case .notLoaded? = plain.next?.target else { throw DatabaseError(.conflict, "It was loaded.") }
            // What was loaded without a target is saved with its key.
            try await db.documents.save(loaded)
            try await db.documents.save(plain)
            try expect(
                try await db.documents["stations"].get("a", as: JSON.self)?["next"]?.string, equals: "nowhere",
                "the key that was kept")
            try await db.documents.delete(loaded)
            try expect(try await db.documents["lines"].keys(), equals: ["l"], "what a deletion leaves")
        },
        ConformanceCase(
            "doc-3.atomic", "DOC-3", "Objects are saved with those that they refer to, or not at all",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let station = Station("a")
            station.lines = [
                DocumentReference(Route(documentKey: "l", color: "red", first: nil)),
                DocumentReference(Route(documentKey: "l", color: "blue", first: nil)),
            ]
            try await expect(.conflict, from: "two objects with one key") { try await db.documents.save(station) }
            station.lines[1] = DocumentReference(Route(documentKey: "m", color: "NUL \u{0}", first: nil))
            try await expect(.invalidValue, from: "one that can't be saved") { try await db.documents.save(station) }
            try expect(try await db.documents.tables(), equals: [], "what was saved")
            try await db.documents.save(station, savingReferences: false)
            station.lines[1] = DocumentReference(Route(documentKey: "m", color: "blue", first: nil))
            try expect(try await db.documents.tables(), equals: ["stations"], "the tables of the object alone")
            try await db.documents.save(station)
            try expect(try await db.documents.tables(), equals: ["lines", "stations"], "the tables of all")
        },
        ConformanceCase(
            "doc-3.transactions", "DOC-3", "A transaction loads the objects that it has saved, with all they refer to",
            level: .documents
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Document.self, Note.self) {
                probe.attach(to: &$0)
                $0.expiry.sweepInterval = nil
            }
            let other = try await environment.open(Document.self)
            let old = Station("old")
            old.lines = [
                DocumentReference(Route(documentKey: "l", color: "red", first: DocumentReference(key: "gone")))
            ]
            try await db.documents.save(old)
            try await db.transaction { tx in
                let loaded = try expect(some: try await tx.documents.load(Station.self, "old"), "the station")
                let new = Station("new")
                (new.next, loaded.next) = (DocumentReference(loaded), DocumentReference(new))
                new.lines = loaded.lines
                try await tx.documents.save(new)
                try await tx.save(Note("new"))
                _ = probe.take()
                let again = try await tx.documents.load(Station.self, ["new", "none", "old"])
                try expect(probe.take().count { $0.contains("keyed_document") }, equals: 3, "the statements")
                let (first, last) = (
                    try expect(some: again[0], "the new one"), try expect(some: again[2], "the old one")
                )
                try expect(again[1] == nil, "There is one that nobody saved.")
                try expect(first.next?.object === last && last.next?.object === first, "The circle does not close.")
                let line = try expect(some: first.lines.first?.object, "the line")
                guard case .missing? = line.first?.target else {
                    throw DatabaseError(.conflict, "A reference to nothing leads somewhere.")
                }
                // What is not committed is seen by nobody else.
                try expect(try await other.documents.load(Station.self, "new") == nil, "Another database sees it.")
                // What is deleted meanwhile is gone for the transaction, too.
                try await tx.documents.delete(first)
                guard case .missing? = try await tx.documents.load(Station.self, "old")?.next?.target else {
                    throw DatabaseError(.conflict, "A deleted station is there.")
                }
                try await tx.documents.save(first)
            }
            let loaded = try expect(some: try await db.documents.load(Station.self, "new"), "what was committed")
            try expect(loaded.next?.object?.next?.object === loaded, "The circle does not close.")
            try expect(try await db.query(Note.self).count(), equals: 1, "the notes")
        },
        ConformanceCase(
            "doc-3.undone", "DOC-3", "Documents that refer to others, and objects, are undone together",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self, Note.self)
            let (station, note) = (Station("a"), Note("first"))
            station.next = DocumentReference(Station("b"))
            try await db.documents.save(station, savingReferences: false)
            try await db.save(note)
            struct Undone: Error {}
            do {
                try await db.transaction { tx in
                    station.name = "changed"
                    note.title = "changed"
                    try await tx.documents.save(station)
                    try await tx.save(note)
                    try await tx.undone { inner in
                        try await inner.documents.delete(station)
                        try await inner.delete(note)
                    }
                    let loaded = try await tx.documents.load(Station.self, "a")
                    try expect(loaded?.next?.object?.name, equals: "Station b", "what a savepoint has given back")
                    try expect(try await tx.query(Note.self).fetch().map(\.title), equals: ["changed"], "the note")
                    throw Undone()
                }
            } catch is Undone {}
            let loaded = try expect(some: try await db.documents.load(Station.self, "a"), "the station")
            try expect(loaded.name, equals: "Station a", "its name")
            guard case .missing? = loaded.next?.target else {
                throw DatabaseError(.conflict, "What was saved with it is still there.")
            }
            try expect(try await db.query(Note.self).fetch().map(\.title), equals: ["first"], "the note")
            try expect(note.isDirty, equals: true, "whether the note is still to be saved")
            // An object that can't be saved takes the documents with it.
            try await db.save(Note("coded", code: "c"))
            try await expect(.uniqueViolation, from: "an object with a value that is there") {
                try await db.transaction { tx in
                    try await tx.documents.save(station)
                    try await tx.save(Note("again", code: "c"))
                }
            }
            try expect(try await db.documents["stations"].keys(), equals: ["a"], "the keys")
        },
    ]
}
