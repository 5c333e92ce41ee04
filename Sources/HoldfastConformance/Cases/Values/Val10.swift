import Foundation
import Holdfast

/// Forms in which other programs store values.
extension ConformanceCase {
    static let val10: [ConformanceCase] = [
        ConformanceCase(
            "val-10.date-texts", "VAL-10", "Dates as text are read in every form, and compared as instants"
        ) { environment in
            let db = try await environment.open()
            try await Foreign.Dates.make(db)
            let texts = [
                "2024-03-01", "2024-03-01 12:30:00", "2024-03-01T12:30:00.250", "2024-03-01 14:00:00+01:30",
                "2024-03-01T12:30Z", "2024-02-29 23:59:59.999999", "2024-03-01 12:30:00.5 -0100",
            ]
            let instants = [
                1_709_251_200, 1_709_296_200, 1_709_296_200.25, 1_709_296_200, 1_709_296_200, 1_709_251_199.999_999,
                1_709_299_800.5,
            ].map { Date(timeIntervalSince1970: $0) }
            for (index, text) in texts.enumerated() {
                try await db.sql("INSERT INTO foreign_dates (id, text) VALUES (\(index), \(text))").execute()
            }
            let rows = try await db.fetch(Foreign.Dates.self)
            for (row, instant) in zip(rows, instants) {
                try expect(
                    abs(row.text.timeIntervalSince(instant)) < 0.000_001,
                    "\(texts[Int(row.id)]) became \(row.text.timeIntervalSince1970).")
            }
            let all = db.query(Foreign.Dates.self)
            let noon = Date(timeIntervalSince1970: 1_709_296_200)
            try expect(try await all.where { $0.text == noon }.keys().count, equals: 3, "those of an instant")
            try expect(try await all.where { $0.text.in([noon]) }.count(), equals: 3, "those in a list")
            try expect(try await all.where("text = '2024-03-01T12:30:00Z'").count(), equals: 3, "those of a text")
            try expect(
                try await all.where { $0.text > noon }.fetch().map(\.id), equals: [2, 6], "those after an instant")
            let ordered = try await all.order { $0.text.ascending }.fetch().map(\.id)
            try expect(ordered, equals: [5, 0, 1, 3, 4, 2, 6], "the order of instants")
            try expect(try await all.max { $0.text }, equals: rows[6].text, "the last one")
            let selected = try await all.order { $0.text.descending }.select { $0.text }.fetch()
            try expect(selected, equals: rows.map(\.text).sorted(by: >), "those selected")
            let groups = try await all.group { $0.text }.select { $0.rowCount }.fetch()
            try expect(groups, equals: [1, 1, 3, 1, 1], "the counts of groups")
            let page = try await all.order { $0.text.ascending }.page(size: 3)
            let next = try await all.order { $0.text.ascending }.page(size: 9, after: page.next)
            try expect((page.objects + next.objects).map(\.id), equals: ordered, "pages")

            try await db.sql("INSERT INTO foreign_dates (id, text) VALUES (9, '1 March')").execute()
            try await expect(.decoding, from: "reading what is no date") { _ = try await db.fetch(Foreign.Dates.self) }
            try await expect(.decoding, from: "comparing what is no date") {
                _ = try await all.where { $0.text > noon }.count()
            }
        },
        ConformanceCase(
            "val-10.dates-written", "VAL-10", "Dates are written in their forms, rounded, and found by what was written"
        ) { environment in
            let db = try await environment.open()
            try await Foreign.Dates.make(db)
            let date = Date(timeIntervalSince1970: 1_709_296_200.123_456)
            let saved = try await db.insert(
                Foreign.Dates(id: 1, text: date, seconds: date, milliseconds: date, day: date))
            try expect(try await db.find(Foreign.Dates.self, key: 1), equals: saved, "what was read back")
            try expect(
                saved.seconds, equals: Date(timeIntervalSince1970: 1_709_296_200), "the date in whole seconds")
            try expect(
                try await db.texts("SELECT text FROM foreign_dates"), equals: ["2024-03-01 12:30:00.123456"], "the text"
            )
            try expect(
                try await db.numbers("SELECT seconds FROM foreign_dates"), equals: [1_709_296_200], "the seconds")
            try expect(
                try await db.numbers("SELECT milliseconds FROM foreign_dates"), equals: [1_709_296_200_123], "and more")
            let day = try await db.sql("SELECT day FROM foreign_dates").fetch(as: Double.self)
            try expect(abs((day.first ?? 0) - 2_460_371.020_835) < 0.000_01, "The Julian day is \(day).")
            let all = db.query(Foreign.Dates.self)
            let found = try await all.where { $0.seconds == date && $0.milliseconds == date && $0.day == date }.count()
            try expect(found, equals: 1, "those found by all")
            try expect(try await all.max { $0.day }, equals: saved.day, "the last day")
            try expect(try await all.where { $0.seconds < date.addingTimeInterval(-1) }.count(), equals: 0, "earlier")
            let later = date.addingTimeInterval(86_400)
            try await all.update {
                $0.text.set(later)
                $0.day.set(later)
                $0.seconds.set(nil)
            }
            let row = try expect(some: try await db.find(Foreign.Dates.self, key: 1), "the row")
            try expect(row.seconds, equals: nil, "the date that was set to nil")
            try expect(abs(row.text.timeIntervalSince(later)) < 0.000_001, "The text is \(row.text).")
            try await expect(.unsupported, from: "an update that computes a text") {
                try await all.update { $0.text.set($0.text.current) }
            }
            let ancient = try await expect(.invalidValue, from: "a date that no text names") {
                _ = try await db.insert(
                    Foreign.Dates(id: 2, text: Date(timeIntervalSince1970: 253_402_300_800)))
            }
            try expect(ancient.properties, equals: ["text"], "the property of the error")
        },
        ConformanceCase(
            "val-10.uuid-texts", "VAL-10", "UUIDs as text are keys, and are referred to"
        ) { environment in
            let (db, first, second, author) = try await saveDocuments(environment)
            try expect(
                try await db.texts("SELECT id FROM foreign_document WHERE parent IS NOT NULL"),
                equals: [second.id.uuidString.lowercased()], "the stored key")
            try expect(
                try await db.texts("SELECT author FROM foreign_document WHERE author IS NOT NULL"),
                equals: [author.id.uuidString], "the stored reference")
            let found = try expect(some: try await db.find(Foreign.Document.self, key: second.id), "the document")
            try expect(found.parent?.id, equals: first.id, "its parent")
            try expect(found.token, equals: second.token, "its token")
            try expect(found.parent?.author == first.author, "The references differ.")
            try expect(try await found.parent?.author?.load(from: db), equals: author, "the author")
            found.title = "Changed"
            try await db.save(found)
            try expect(try await db.count(Foreign.Document.self), equals: 2, "the rows after a save")
            _ = try await db.save(Foreign.Author(id: author.id, name: "Anna"))
            try expect(
                try await db.fetch(Foreign.Author.self).map(\.name), equals: ["Anna"], "the authors after a save")
        },
        ConformanceCase(
            "val-10.uuid-text-queries", "VAL-10",
            "UUIDs as text are compared by their bytes, in conditions, orders and lists of keys"
        ) { environment in
            let (db, first, second, _) = try await saveDocuments(environment)
            let all = db.query(Foreign.Document.self)
            try expect(try await all.where { $0.id == first.id }.count(), equals: 1, "those with a key")
            try expect(try await all.where { $0.id.in([first.id, second.id]) }.count(), equals: 2, "those with keys")
            try expect(try await all.where { $0.parent == first }.count(), equals: 1, "those of a parent")
            try expect(try await all.where { $0.parent.id == first.id }.count(), equals: 1, "those of its key")
            try expect(
                try await all.where("id = \(first.id.uuidString)").count(), equals: 1, "those of a literal")
            try expect(
                try await all.order { $0.id.ascending }.fetch().map(\.id.uuidString),
                equals: [first.id, second.id].map(\.uuidString).sorted(), "the order")
            try expect(
                try await db.fetch(Foreign.Document.self, keys: [second.id, first.id]).map(\.title),
                equals: ["Second", "First"], "those of a list of keys")
            try expect(try await all.keys().map { try $0.value(as: UUID.self) }.count, equals: 2, "the keys")
            try await expect(.invalidValue, from: "comparing two storages") {
                _ = try await all.where("id = author.id").count()
            }
            try expect(try await db.delete(second), equals: 1, "the documents deleted")

            let upper = UUID()
            try await db.sql(
                "INSERT INTO foreign_document (id, title) VALUES (\(upper.uuidString), 'In upper case')"
            ).execute()
            let error = try await expect(.decoding, from: "reading a key of another form") {
                _ = try await db.fetch(Foreign.Document.self)
            }
            try expect(error.properties, equals: ["id"], "the property of the error")
        },
        ConformanceCase(
            "val-10.words", "VAL-10", "Booleans in words, and decimals as text, are compared as what they are"
        ) { environment in
            let db = try await openWords(environment)
            let rows = try await db.fetch(Foreign.Words.self)
            try expect(rows.map(\.active), equals: [true, false, false], "the first Booleans")
            try expect(rows.map(\.paid), equals: [true, false, nil], "the second Booleans")
            try expect(rows.map(\.price), equals: [Decimal(string: "10.5"), 9, nil], "the prices")
            let all = db.query(Foreign.Words.self)
            try expect(try await all.where { $0.active }.fetch().map(\.id), equals: [1], "those that are")
            try expect(
                try await all.where { $0.active == false }.fetch().map(\.id), equals: [2, 3], "those that are not")
            try expect(try await all.where { $0.paid == nil }.fetch().map(\.id), equals: [3], "those unknown")
            try expect(try await all.where { $0.active == $0.sent }.fetch().map(\.id), equals: [1, 2], "those alike")
            try expect(
                try await all.order { $0.paid.ascending }.fetch().map(\.id), equals: [3, 2, 1], "the order of words")
            try expect(try await all.where { $0.price > 9 }.fetch().map(\.id), equals: [1], "those above a price")
            try expect(
                try await all.where { $0.price == Decimal(string: "10.5") }.fetch().map(\.id), equals: [1], "a price")
            try expect(
                try await all.order { $0.price.ascending }.fetch().map(\.id), equals: [3, 2, 1], "the order of prices")
            try expect(try await all.sum { $0.price }, equals: Decimal(string: "19.5"), "the sum of prices")
            try await db.sql("UPDATE foreign_words SET active = 'X' WHERE id = 2").execute()
            let error = try await expect(.decoding, from: "reading another word") {
                _ = try await db.fetch(Foreign.Words.self)
            }
            try expect(error.properties, equals: ["active"], "the property of the error")
            try await expect(.decoding, from: "comparing another word") {
                _ = try await all.where { $0.active }.count()
            }
        },
        ConformanceCase(
            "val-10.words-written", "VAL-10", "Booleans in words, and decimals as text, are written in their form"
        ) { environment in
            let db = try await openWords(environment)
            let all = db.query(Foreign.Words.self)
            var rows = try await db.fetch(Foreign.Words.self)
            try await all.where { $0.paid == nil }.update {
                $0.paid.set(true)
                $0.price.set(Decimal(string: "7.250"))
            }
            rows[0].active = false
            _ = try await db.save(rows[0])
            try expect(
                try await db.texts("SELECT active FROM foreign_words ORDER BY id"), equals: ["N", "N", "N"], "the words"
            )
            try expect(
                try await db.texts("SELECT paid FROM foreign_words ORDER BY id"), equals: ["ja", "nein", "ja"], "more")
            try expect(
                try await db.texts("SELECT price FROM foreign_words WHERE id = 3"), equals: ["7.25"], "the price")
        },
        ConformanceCase(
            "val-10.integers", "VAL-10", "Booleans as numbers are compared as what they are"
        ) { environment in
            let db = try await environment.open()
            try await Foreign.Flags.make(db)
            try await db.sql(
                "INSERT INTO foreign_flags VALUES (1, 1, 1, TRUE), (2, 0, 0, FALSE), (3, 0, NULL, TRUE)"
            ).execute()
            var rows = try await db.fetch(Foreign.Flags.self)
            try expect(rows.map(\.active), equals: [true, false, false], "the Booleans")
            try expect(rows.map(\.paid), equals: [true, false, nil], "the optional ones")
            let all = db.query(Foreign.Flags.self)
            try expect(try await all.where { $0.active }.fetch().map(\.id), equals: [1], "those that are")
            try expect(try await all.where { !$0.active }.fetch().map(\.id), equals: [2, 3], "those that are not")
            try expect(try await all.where { $0.paid == nil }.fetch().map(\.id), equals: [3], "those unknown")
            try expect(try await all.where { $0.active == $0.sent }.fetch().map(\.id), equals: [1, 2], "those alike")
            try expect(try await all.where("active = 1 AND paid = true").count(), equals: 1, "those of a text")
            try expect(
                try await all.order { $0.paid.ascending }.fetch().map(\.id), equals: [3, 2, 1], "their order")
            try expect(try await all.select { $0.active }.fetch().count { $0 }, equals: 1, "those selected")
            try await all.where { $0.paid == nil }.update { $0.paid.set(true) }
            rows[0].active = false
            _ = try await db.save(rows[0])
            let sum = try await db.number("SELECT sum(active) * 10 + sum(paid) FROM foreign_flags")
            try expect(sum, equals: 2, "the numbers")
            let many = (10..<200).map { Foreign.Flags(id: $0, active: $0.isMultiple(of: 2)) }
            try expect(try await db.insert(many), equals: many, "many rows")
            try expect(try await all.where { $0.active }.count(), equals: 95, "those of many")
            try await db.sql("UPDATE foreign_flags SET active = 2 WHERE id = 2").execute()
            let error = try await expect(.decoding, from: "reading another number") {
                _ = try await db.fetch(Foreign.Flags.self)
            }
            try expect(error.properties, equals: ["active"], "the property of the error")
            try await expect(.decoding, from: "comparing another number") {
                _ = try await all.where { $0.active }.count()
            }
        },
        ConformanceCase(
            "val-10.integers-of-own", "VAL-10",
            "Booleans as numbers are columns and arrays of tables that migrations make"
        ) { environment in
            let db = try await environment.open(Foreign.OwnFlags.self)
            let own = try await db.insert(Foreign.OwnFlags(id: 1, several: [true, false]))
            try expect(try await db.find(Foreign.OwnFlags.self, key: 1), equals: own, "the row of an own table")
            let owned = db.query(Foreign.OwnFlags.self).where { $0.several.contains(false) && $0.active }
            try expect(try await owned.count(), equals: 1, "the rows with an element")
            try expect(try await db.migrate(Foreign.OwnFlags.self).steps, equals: [], "the steps of a second time")
        },
    ]

    /// Saves two documents whose keys and references are UUIDs as text.
    private static func saveDocuments(
        _ environment: ConformanceEnvironment
    ) async throws -> (Database, first: Foreign.Document, second: Foreign.Document, author: Foreign.Author) {
        let db = try await environment.open()
        try await Foreign.Document.make(db)
        let author = try await db.save(Foreign.Author(id: UUID(), name: "Ann"))
        let first = Foreign.Document(title: "First")
        first.author = Reference(key: author.id)
        let second = Foreign.Document(title: "Second", parent: first)
        second.token = UUID()
        try await db.save(second)
        return (db, first, second, author)
    }

    /// Opens a database with three rows of words.
    private static func openWords(_ environment: ConformanceEnvironment) async throws -> Database {
        let db = try await environment.open()
        try await Foreign.Words.make(db)
        try await db.sql(
            """
            INSERT INTO foreign_words VALUES (1, 'Y', 'ja', '10.50', TRUE), (2, 'N', 'nein', '9', FALSE),
                (3, 'N', NULL, NULL, TRUE)
            """
        ).execute()
        return db
    }
}
