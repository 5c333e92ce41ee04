import Foundation
import Holdfast

extension ConformanceCase {
    static let text: [ConformanceCase] = [
        ConformanceCase(
            "val-5.nul-in-text",
            "VAL-5",
            "A NUL character in text is refused before anything is sent, wherever it is"
        ) { environment in
            let db = try await environment.open(Tagged.self, Named.self, Note.self)
            for text in ["\0", "a\0", "\0b", "a\0b", "é\0\0"] {
                let tagged = Tagged(text)
                let error = try await expect(.invalidValue, from: "inserting NUL") { try await db.insert(tagged) }
                try expect(error.properties, equals: ["name"], "the property that the error names")
                try expect(tagged.id, equals: nil, "the key of an object that was refused")
                try await expect(.invalidValue, from: "inserting NUL in an array") {
                    try await db.insert(Tagged("x", tags: ["a", text]))
                }
                try await expect(.invalidValue, from: "inserting NUL in a key") {
                    _ = try await db.insert(Named(name: text))
                }
                try await expect(.invalidValue, from: "finding by NUL") { _ = try await db.find(Named.self, key: text) }
                try await expect(.invalidValue, from: "binding NUL") {
                    try await db.sql("UPDATE \(Named.self) SET name = \(text)").execute()
                }
            }
            let note = Note("fine")
            try await db.save(note)
            note.body = "not \0 fine"
            try await expect(.invalidValue, from: "updating to NUL") { try await db.save(note) }
            try expect(note.isDirty, "An object that could not be saved is no longer dirty.")
            let counts = [try await db.count(Tagged.self), try await db.count(Named.self)]
            try expect(counts, equals: [0, 0], "the numbers of rows")
        },
        ConformanceCase(
            "val-5.nul-elsewhere",
            "VAL-5",
            "NUL is a byte like any other in a blob, and refused in the texts of JSON"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            var value = Scalars(id: 1)
            value.data = Data([0, 1, 0, 0])
            value.address = Address(street: #"\u0000 \\u0000"#, unit: "\u{1}")
            _ = try await db.insert(value)
            try expect(try await db.find(Scalars.self, key: 1), equals: value, "what was read back")
            for address in [Address(street: "a\0b"), Address(flags: ["\0": true]), Address(unit: "\\\0")] {
                var refused = Scalars(id: 2)
                refused.address = address
                let error = try await expect(.invalidValue, from: "inserting JSON with NUL") { [refused] in
                    _ = try await db.insert(refused)
                }
                try expect(error.properties, equals: ["address"], "the property that the error names")
            }
        },
        ConformanceCase(
            "val-7.nil-by-save",
            "VAL-7",
            "nil is stored as NULL by insert, by save, by update and by a partial update"
        ) { environment in
            let db = try await environment.open(OptionalScalars.self, Note.self, Tagged.self)
            _ = try await db.insert(try Scalars.samples().map(OptionalScalars.init))
            for id in try Scalars.samples().map(\.id) {
                let saved = try await db.save(OptionalScalars(id: id))
                try expect(saved, equals: OptionalScalars(id: id), "the value that was saved over")
                try expect(try await db.find(OptionalScalars.self, key: id), equals: saved, "what was read back")
            }
            let note = Note("n", body: "body", code: "code")
            try await db.insert(note)
            note.body = nil
            try await db.save(note)
            note.code = nil
            try await db.update(note)
            let isNull = try await db.sql(
                "SELECT count(*) FROM \(Note.self) WHERE body IS NULL AND code IS NULL"
            ).fetch(as: Int.self)
            try expect(isNull, equals: [1], "the number of rows with NULL in both columns")
            let tagged = Tagged(scores: [1, 2])
            try await db.insert(tagged)
            tagged.scores = nil
            try await db.save(tagged)
            let same = try await db.find(Tagged.self, key: tagged.id ?? 0)
            try expect(same?.scores, equals: .some(nil), "the array that was set to nil")
        },
        ConformanceCase(
            "val-8.null-into-non-optional",
            "VAL-8",
            "NULL where the property can't be nil throws, naming table and property"
        ) { environment in
            let db = try await LooseRow.open(environment, "NULL", "'ok'", "1")
            let error = try await expect(.decoding, from: "fetching NULL") { _ = try await db.fetch(LooseRow.self) }
            try expect(error.table, equals: "loose", "the table that the error names")
            try expect(error.properties, equals: ["number"], "the property that the error names")
        },
        ConformanceCase(
            "val-8.far-down",
            "VAL-8",
            "Of many rows that are fetched together, the first that does not fit is the one that the error is about"
        ) { environment in
            let db = try await LooseRow.open(environment, "1", "'calm'", "1")
            try await db.sql(
                """
                INSERT INTO loose
                WITH RECURSIVE counting (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counting WHERE n < 3000)
                SELECT n, n % 100, 'calm', n FROM counting
                """
            ).execute()
            try await db.sql("UPDATE loose SET number = NULL WHERE id = 1800").execute()
            try await db.sql("UPDATE loose SET mood = 'furious' WHERE id = 2900").execute()
            let error = try await expect(.decoding, from: "fetching NULL") { _ = try await db.fetch(LooseRow.self) }
            try expect(error.properties, equals: ["number"], "the property that the error names")
            try await db.sql("UPDATE loose SET number = 0, mood = 'calm' WHERE id IN (1800, 2900)").execute()
            let rows = try await db.fetch(LooseRow.self)
            try expect(rows.map(\.id), equalsEach: (1...3000).map { Int64($0) }, "the keys")
            for row in rows {
                try expect(row.ratio, equals: Double(row.id), "the ratio of \(row.id)")
                try expect(Int64(row.number), equals: row.id % 100, "the number of \(row.id)")
            }
        },
        ConformanceCase(
            "val-8.out-of-range",
            "VAL-8",
            "A number that the property's type can't hold throws, naming table and property"
        ) { environment in
            let db = try await LooseRow.open(environment, "300", "'calm'", "1")
            let error = try await expect(.decoding, from: "fetching 300 into Int8") {
                _ = try await db.find(LooseRow.self, key: 1)
            }
            try expect(error.table, equals: "loose", "the table that the error names")
            try expect(error.properties, equals: ["number"], "the property that the error names")
        },
        ConformanceCase("val-8.unknown-case", "VAL-8", "A raw value that no case of an enum has throws") {
            environment in
            let db = try await LooseRow.open(environment, "1", "'furious'", "1")
            let error = try await expect(.decoding, from: "fetching an unknown case") {
                _ = try await db.fetch(LooseRow.self)
            }
            try expect(error.properties, equals: ["mood"], "the property that the error names")
            try await expect(.decoding, from: "the same through SQL") {
                _ = try await db.sql("SELECT mood FROM loose").fetch(as: Mood.self)
            }
        },
        ConformanceCase("val-8.text-into-number", "VAL-8", "Text where the property is a number throws") {
            environment in
            let db = try await LooseRow.open(environment, "1", "'calm'", "'12'", ratioType: "text")
            let error = try await expect(.decoding, from: "fetching text into Double") {
                _ = try await db.fetch(LooseRow.self)
            }
            try expect(error.properties, equals: ["ratio"], "the property that the error names")
        },
        ConformanceCase(
            "val-8.key-where-values-are-shown",
            "VAL-8",
            "A value that does not fit is told with its row's key only where values are shown"
        ) { environment in
            _ = try await LooseRow.open(environment, "300", "'calm'", "1")
            for shows in [false, true] {
                let db = try await environment.open { $0.showsValues = shows }
                let error = try await expect(.decoding, from: "fetching") { _ = try await db.fetch(LooseRow.self) }
                try expect(error.shownKey != nil, equals: shows, "whether the key is shown")
            }
        },
        ConformanceCase(
            "val-8.objects-as-before",
            "VAL-8",
            "A reload that meets a value which does not fit changes no object"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = [Note("a", rank: 1), Note("b", rank: 2)]
            try await db.save(notes)
            try await db.sql("DROP TABLE \(Note.self)").execute()
            try await db.sql(
                "CREATE TABLE note (id bigint PRIMARY KEY, title text, body text, rank bigint, code text)"
            ).execute()
            try await db.sql(
                "INSERT INTO note (id, title, rank) VALUES (\(notes[0].id), 'changed', 9), (\(notes[1].id), 'changed', NULL)"
            ).execute()
            try await expect(.decoding, from: "reloading") { try await db.reload(notes) }
            try expect(notes.map(\.title), equals: ["a", "b"], "the titles after a reload that failed")
            try expect(notes.map(\.rank), equals: [1, 2], "the ranks after a reload that failed")
        },
    ]
}
