import Holdfast
import HoldfastDocuments

/// Documents that refer to others, inside transactions.
extension ConformanceCase {
    static let documentTransactions: [ConformanceCase] = [
        ConformanceCase(
            "doc-3.transactions", "DOC-3", "A transaction loads the objects that it has saved, with all they refer to",
            level: .documents
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Document.self, Note.self) {
                probe.attach(to: &$0)
                $0.expirySweepInterval = nil
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
