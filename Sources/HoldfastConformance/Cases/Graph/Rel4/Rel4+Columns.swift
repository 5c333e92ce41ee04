import Foundation
@_spi(Driver) import Holdfast

/// Columns that are loaded on demand.
extension ConformanceCase {
    static let rel4Columns: [ConformanceCase] = [
        graph(
            "rel-4.columns-on-demand", "REL-4",
            "A column that is loaded on demand is in no statement that does not ask for it, by whatever way its row comes"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(HelpDesk.File.self) { probe.attach(to: &$0) }
            let key = try await saveFiles(db)
            _ = probe.take()
            let found = try expect(some: try await db.find(HelpDesk.File.self, key: key), "the file")
            let all = try await db.fetch(HelpDesk.File.self)
            let query = db.query(HelpDesk.File.self).where { $0.name.hasPrefix("f") }
            let queried = try await query.fetch()
            let page = try await query.page(size: 2).objects
            var streamed: [HelpDesk.File] = []
            for try await file in query.stream() { streamed.append(file) }
            let previous = try expect(some: found.previous, "the file before")
            for file in [found, previous] + all + queried + page + streamed {
                try expect(file.content == nil && file.note.isEmpty, "A column was loaded.")
                try expect(!file.isLoaded(\.content) && !file.isLoaded(\.note), "isLoaded tells something else.")
                try expect(file.isLoaded(\.size) && file.size == 3 && !file.isDirty, "Another column was not loaded.")
            }
            try expect(
                all.count == 3 && queried.count == 3 && page.count == 2 && streamed.count == 3, "Rows are missing.")
            let asked = probe.take().filter { $0.contains("content") || $0.contains("remark") }
            try expect(asked, equals: [], "the statements that name the columns")
            try await expect(.notLoaded, from: "a column that was not loaded") { _ = try found.loaded(\.content) }
            for file in all + queried + page + streamed + [found, previous] { file.previous = nil }
        },
        graph(
            "rel-4.columns-loaded", "REL-4",
            "A column on demand is loaded for many objects at a time, by a query that names it, and by SQL"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(HelpDesk.File.self) { probe.attach(to: &$0) }
            let key = try await saveFiles(db)
            let files = try await db.fetch(HelpDesk.File.self, depth: 0)
            files[0].name = "f-new"
            _ = try await db.query(HelpDesk.File.self).count()  // what is asked once for each type
            _ = probe.take()
            try await db.loadColumn(\.content, of: files)
            try expect(probe.take().count, equals: 1, "the statements for three files")
            try expect(files.map { $0.content.map(\.count) }, equals: [1, nil, 3], "the sizes of the contents")
            try expect(try files.map { try $0.loaded(\.content) == nil }, equals: [false, true, false], "what is nil")
            try expect(files[0].name == "f-new" && files[0].isDirty && !files[1].isDirty, "A change is lost, or made.")
            try await db.loadColumn(\.content, of: files)
            try expect(probe.take(), equals: [], "the statements for what is loaded")
            let twins = try await [
                db.find(HelpDesk.File.self, key: key, depth: 0), db.find(HelpDesk.File.self, key: key, depth: 0),
            ]
            .compactMap(\.self)
            try await db.loadColumn(\.note, of: twins)
            try expect(twins.map(\.note), equals: ["third", "third"], "the note in two instances of one row")
            let named = try await db.query(HelpDesk.File.self).properties(\.name, \.content).depth(0).fetch()
            try expect(
                named[2].content?.count == 3 && named[2].isLoaded(\.content) && !named[2].isLoaded(\.note),
                "A query loads other columns.")
            let written = try await db.sql("SELECT * FROM desk_file ORDER BY id").fetch(HelpDesk.File.self, depth: 0)
            try expect(written[2].isLoaded(\.note) && written[2].note == "third", "SQL does not load what it selects.")
            // Rows that a relation brings come without the columns that the query names.
            let last = try await db.query(HelpDesk.File.self).where { $0.name == "f3" }.properties(
                \.name, \.content, \.previous
            )
            .first()
            let before = try expect(some: last?.previous, "the file before")
            try expect(last?.isLoaded(\.content) == true && last?.content?.count == 3, "The content was not loaded.")
            try expect(
                before.isLoaded(\.content) || before.previous?.isLoaded(\.content) == true, equals: false,
                "whether others were")
            let linked = try await db.sql("SELECT * FROM desk_file WHERE name = 'f3'").fetch(HelpDesk.File.self)
            try expect(linked[0].note == "third" && linked[0].isLoaded(\.note), "SQL does not load what it selects.")
            try expect(linked[0].previous?.isLoaded(\.note), equals: false, "whether SQL loads what it does not select")
            for file in [last, linked[0]] { file?.previous = nil }
            try await db.delete(named[0])
            try await expect(.notFound, from: "a column of a row that is gone") {
                try await db.loadColumn(\.note, of: [files[1], files[0]])
            }
            try await expect(.invalidValue, from: "a relation") { try await db.loadColumn(\.previous, of: files[1]) }
        },
        graph(
            "rel-4.columns-saved", "REL-4",
            "A save leaves a column alone that was not loaded, and refuses what was set there"
        ) { environment in
            let db = try await environment.open(HelpDesk.File.self)
            let key = try await saveFiles(db)
            let file = try expect(some: try await db.find(HelpDesk.File.self, key: key, depth: 0), "the file")
            file.name = "renamed"
            try await db.save(file)
            try expect(
                try await db.number(
                    "SELECT count(*) FROM desk_file WHERE name = 'renamed' AND content IS NOT NULL AND remark = 'third'"
                ),
                equals: 1, "the rows with what was there")
            file.content = Data([9])
            try await expect(.notLoaded, from: "a column that was set and not loaded") { try await db.save(file) }
            try await db.reload(file)
            try expect(file.isDirty || file.isLoaded(\.content), equals: false, "whether it is as it was loaded")
            try await db.loadColumn(\.content, of: file)
            try expect(file.content?.count, equals: 3, "the content of the row")
            file.content = nil
            try await db.save(file)
            try expect(
                try await db.number("SELECT count(*) FROM desk_file WHERE content IS NULL"), equals: 2,
                "the rows without")
            let copy = HelpDesk.File("copy", file.content)
            try await db.save(copy)
            try expect(copy.isLoaded(\.content) && copy.isLoaded(\.note), "A new object lacks a column.")
            let other = try expect(some: try await db.find(HelpDesk.File.self, key: key, depth: 0), "the file")
            try await expect(.notLoaded, from: "an upsert of an object that lacks a column") {
                try await db.upsert(other)
            }
        },
    ]

    /// Three files, each after the one before; the key of the last.
    private static func saveFiles(_ db: Database) async throws -> Int64 {
        let first = HelpDesk.File("f1", Data([1]))
        let second = HelpDesk.File("f2", nil, after: first)
        let third = HelpDesk.File("f3", Data([1, 2, 3]), after: second)
        third.note = "third"
        for file in [first, second, third] { file.size = 3 }
        try await db.save(third)
        return third.id ?? 0
    }
}
