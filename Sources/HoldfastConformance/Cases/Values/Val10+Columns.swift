import Foundation
import Holdfast

/// Columns with their own forms of arrays, those that the database makes or computes, and conditions about columns.
extension ConformanceCase {
    static let val10Columns: [ConformanceCase] = [
        ConformanceCase(
            "val-10.made", "VAL-10", "A migration makes columns for storages, and keeps them apart"
        ) { environment in
            let db = try await environment.open(Foreign.Own.self)
            try expect(try await db.migrate(Foreign.Own.self).steps, equals: [], "the steps of a second time")
            let date = Date(timeIntervalSince1970: 1_709_296_200.5)
            let dates = [date.addingTimeInterval(60), date]
            let saved = try await db.insert(
                Foreign.Own(id: UUID(), sent: date, seen: date, day: date, several: dates, answers: [true, false]))
            try expect(try await db.find(Foreign.Own.self, key: saved.id), equals: saved, "the row")
            try expect(saved.createdAt != nil && saved.modifiedAt != nil, "A time was not set.")
            let all = db.query(Foreign.Own.self)
            try expect(try await all.where { $0.several.contains { $0 > date } }.count(), equals: 1, "those later")
            try expect(try await all.where { $0.answers.contains(false) }.count(), equals: 1, "those with an answer")
            let late = date.addingTimeInterval(60)
            try expect(
                try await all.where { $0.several.contains { $0 > late } }.count(), equals: 0, "those later still")
            let many = (0..<300).map { number in
                Foreign.Own(
                    id: UUID(), sent: date.addingTimeInterval(Double(number)), seen: date, day: date,
                    price: Decimal(number), active: number.isMultiple(of: 2))
            }
            let inserted = try await db.insert(many)
            try expect(try await db.fetch(Foreign.Own.self, keys: many.map(\.id)), equals: inserted, "many rows")
            try expect(try await db.query(Foreign.Own.self).where { $0.active }.count(), equals: 151, "those active")
            try await expect(.conflict, from: "migrating another storage") {
                try await db.migrate(Foreign.OwnOtherwise.self)
            }
        },
        ConformanceCase(
            "val-10.arrays", "VAL-10", "An array in one column is read and written whole"
        ) { environment in
            let db = try await environment.open(Foreign.Arrays.self)
            try expect(try await db.migrate(Foreign.Arrays.self).steps, equals: [], "the steps of a second time")
            let full = Foreign.Arrays(
                id: 1, tags: ["a", "", "b \"c\" \\ {d},\n\u{1}é😀", "NULL"], numbers: [.min, 0, .max],
                marks: [UUID(), UUID()], ratios: [0.1, -2, 1e300, .leastNonzeroMagnitude], moods: [.sad, .glad, .sad],
                flags: [true, nil, false], levels: [.min, .max])
            try expect(try await db.insert(full), equals: full, "what was inserted")
            let empty = Foreign.Arrays(id: 2)
            _ = try await db.insert([empty, Foreign.Arrays(id: 3, numbers: [])])
            try expect(try await db.fetch(Foreign.Arrays.self).first, equals: full, "the full row")
            try expect(try await db.find(Foreign.Arrays.self, key: 2), equals: empty, "the empty row")
            try expect(try await db.find(Foreign.Arrays.self, key: 3)?.numbers, equals: [], "an empty array")
            var changed = full
            changed.tags.append("z")
            changed.numbers = nil
            try expect(try await db.save(changed), equals: changed, "what was saved")
            try expect(try await db.find(Foreign.Arrays.self, key: 1), equals: changed, "what was read back")
            let many = (10..<200).map { Foreign.Arrays(id: $0, tags: ["\($0)"], numbers: [Int($0)]) }
            _ = try await db.insert(many)
            _ = try await db.update(many.map { Foreign.Arrays(id: $0.id, tags: $0.tags + ["+"], numbers: nil) })
            let found = try expect(some: try await db.find(Foreign.Arrays.self, key: 150), "one of many")
            try expect(found.tags, equals: ["150", "+"], "its tags")
            let all = db.query(Foreign.Arrays.self)
            try expect(try await all.where("numbers IS NOT NULL").count(), equals: 1, "those that are there")
            try await expect(.unsupported, from: "asking for an element") {
                _ = try await all.where { $0.tags.contains("a") }.count()
            }
            let infinite = try await expect(.invalidValue, from: "an infinite number") {
                _ = try await db.insert(Foreign.Arrays(id: 4, ratios: [.infinity]))
            }
            try expect(infinite.properties, equals: ["ratios"], "the property of the error")
            let given = try Foreign.Arrays(values: ["id": 7, "tags": ["x"], "numbers": nil])
            try expect(given, equals: Foreign.Arrays(id: 7, tags: ["x"]), "what a dictionary gives")
        },
        ConformanceCase(
            "val-10.array-kinds", "VAL-10", "An array of decimals or dates in one column keeps every digit"
        ) { environment in
            let db = try await environment.open(Foreign.Kinds.self)
            try expect(try await db.migrate(Foreign.Kinds.self).steps, equals: [], "the steps of a second time")
            let digits = [
                "12345678901234567890123456789012345678", "-0.1", "0.00000000000000000000000000000000000001", "7",
            ]
            let prices = try digits.map { try expect(some: Decimal(string: $0), "a decimal") }
            let dates = [Date(timeIntervalSince1970: 1_709_296_200.123456), .distantPast, .distantFuture]
            let full = Foreign.Kinds(
                id: 1, prices: prices, dates: dates, perhaps: [nil, 1], days: [dates[0], nil], levels: [.high, .low],
                ratios: [0.1, -2.5])
            let saved = try await db.insert(full)
            try expect(saved.prices, equals: prices, "the decimals that were inserted")
            try expect(try await db.find(Foreign.Kinds.self, key: 1), equals: saved, "what was read back")
            try expect(saved.dates[0].timeIntervalSince(dates[0]).magnitude < 0.000_001, "A date was not rounded.")
            let many = (2..<200).map { number in
                Foreign.Kinds(id: number, prices: [Decimal(number) / 4], dates: [Date(timeIntervalSince1970: 60)])
            }
            try expect(try await db.insert(many), equals: many, "many rows")
            let changed = many.map { Foreign.Kinds(id: $0.id, prices: $0.prices + [2], dates: [], perhaps: []) }
            try expect(try await db.update(changed), equals: changed, "many rows that were changed")
            try expect(try await db.fetch(Foreign.Kinds.self), equals: [saved] + changed, "all rows")
        },
        ConformanceCase(
            "val-10.column-text", "VAL-10", "The text of a value of the column's own type is read and compared"
        ) { environment in
            let db = try await openTexts(environment)
            let all = db.query(Foreign.Texts.self)
            let found = try await all.fetch()
            try expect(found.map(\.span), equals: ["b", "a", "c", "B"], "the texts")
            try expect(found.map(\.note), equals: ["nb", "na", nil, "n4"], "the optional texts")
            try expect(try await all.where { $0.span == "a" }.fetch().map(\.id), equals: [2], "those equal")
            try expect(try await all.where { $0.span.in(["c", "b", "x"]) }.count(), equals: 2, "those of a list")
            try expect(try await all.where { $0.span.in([]) }.count(), equals: 0, "those of an empty list")
            try expect(try await all.where { $0.note == nil }.fetch().map(\.id), equals: [3], "those without")
            try expect(try await all.where { $0.note != "na" }.count(), equals: 3, "those that differ")
            try expect(
                try await all.where { $0.note.in(["na", nil] as [String?]) }.fetch().map(\.id), equals: [2, 3],
                "a list with nil")
            try expect(
                try await all.where { $0.span.hasPrefix("b") }.fetch().map(\.id), equals: [1], "those that begin")
            try expect(try await all.where { $0.span.like("B") }.fetch().map(\.id), equals: [1, 4], "those alike")
            try expect(try await all.where("span = 'c'").count(), equals: 1, "those of a text")
            try expect(
                try await all.where { $0.span.lowercased() == "b" }.fetch().map(\.id), equals: [1, 4],
                "those in lower case")
        },
        ConformanceCase(
            "val-10.column-text-results", "VAL-10",
            "The text of a value of the column's own type is selected, grouped, ordered and streamed"
        ) { environment in
            let db = try await openTexts(environment)
            let all = db.query(Foreign.Texts.self)
            try expect(try await all.keys().count, equals: 4, "the keys")
            try expect(
                try await all.order { $0.span.descending }.limit(1).select { $0.span }.fetch(), equals: ["c"],
                "the last")
            let groups = try await all.group { $0.span }.select { ($0.span, $0.rowCount) }.fetch()
            try expect(groups.count, equals: 4, "the groups")
            try expect(try await all.max { $0.note }, equals: "nb", "the greatest")
            var streamed: [String] = []
            for try await text in all.order({ $0.id.ascending }).stream() { streamed.append(text.span) }
            try expect(streamed, equals: ["b", "a", "c", "B"], "a stream")
        },
        ConformanceCase(
            "val-10.column-text-written", "VAL-10",
            "The text of a value of the column's own type is written, one and many at a time, and is no key"
        ) { environment in
            let db = try await openTexts(environment)
            let all = db.query(Foreign.Texts.self)
            let found = try await all.fetch()
            found[0].note = "x"
            found[1].note = nil
            try await db.save(found)
            try await all.where { $0.span == "c" }.update { $0.note.set("y") }
            try expect(
                try await all.order { $0.id.ascending }.fetch().map(\.note), equals: ["x", nil, "y", "n4"],
                "the changes")
            let upserted = Foreign.Texts(id: 1, span: "z", note: "n", group: 1)
            try await db.upsert(upserted)
            try expect(upserted.span, equals: "z", "what was upserted")
            let many = (10..<300).map { Foreign.Texts(id: $0, span: "\($0)") }
            try await db.insert(many)
            for text in many { text.note = text.span }
            try await db.update(many)
            try expect(try await all.where { $0.id >= 10 && $0.note != nil }.count(), equals: 290, "many rows")
            let page = try await all.order { $0.span.ascending }.page(size: 100)
            let next = try await all.order { $0.span.ascending }.page(size: 100, after: page.next)
            try expect(next.objects.first?.span, equals: "190", "the first of the second page")
            try expect(try await db.delete(many[0]), equals: 1, "the rows deleted")
            try await expect(.conflict, from: "a text of several forms as key") {
                _ = try await db.fetch(Foreign.KeyText.self)
            }
        },
        ConformanceCase(
            "val-10.drift", "VAL-10", "Columns for storages and arrays are as a migration makes them",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Foreign.Own.self, Foreign.Arrays.self)
            try expect(try await db.drift(Foreign.Own.self, Foreign.Arrays.self), equals: [], "the drift")
        },
        ConformanceCase(
            "val-10.generated", "VAL-10", "A column that the database computes is read, and never written"
        ) { environment in
            let db = try await environment.open()
            try await Foreign.Line.make(db)
            let line = Foreign.Line(id: 1, code: "A", price: 3, count: 4)
            try await db.save(line)
            try expect(line.total, equals: nil, "the total after a save")
            try await db.reload(line)
            try expect(line.total, equals: 12, "the total after a reload")
            line.count = 5
            try await db.save(line)
            try await db.reload(line)
            try expect(line.total, equals: 15, "the total after a second save")
            try expect(try await db.query(Foreign.Line.self).where { $0.total > 14 }.count(), equals: 1, "those above")
            line.makeDirty()
            try await db.save(line)
            line.total = 1
            let error = try await expect(.readOnly, from: "saving a total") { try await db.save(line) }
            try expect(error.properties, equals: ["total"], "the property of the error")
            try await expect(.readOnly, from: "updating it by a query") {
                try await db.query(Foreign.LineValue.self).update { $0.total.set(1) }
            }
            try await expect(.readOnly, from: "updating it alone") {
                _ = try await db.update(
                    Foreign.LineValue(id: 1, code: "A", price: 1, count: 1), only: \.total)
            }

            let values = (2..<90).map { Foreign.LineValue(id: $0, code: "\($0)", price: 2, count: Int($0)) }
            _ = try await db.insert(values)
            _ = try await db.save(values.map { Foreign.LineValue(id: $0.id, code: $0.code, price: 3, count: $0.count) })
            _ = try await db.update(Foreign.LineValue(id: 2, code: "2", price: 4, count: 2))
            try expect(try await db.find(Foreign.LineValue.self, key: 2)?.total, equals: 8, "the total of a struct")
            try expect(try await db.find(Foreign.LineValue.self, key: 50)?.total, equals: 150, "that of another")
            let upserted = try await db.upsert(
                Foreign.LineValue(id: 90, code: "2", price: 5, count: 2), on: \.code)
            try expect(upserted.total, equals: 10, "the total after an upsert")

            let other = try await environment.open()
            try await other.sql("DROP TABLE foreign_line").execute()
            let refused = try await expect(.conflict, from: "migrating what is not there") {
                try await other.migrate(Foreign.Line.self)
            }
            try expect(refused.properties, equals: ["total"], "the property of the error")
            try await Foreign.Line.make(other)
            try await other.migrate(Schema(adopting: [Foreign.Line.self]))
        },
    ]

    /// Opens a database with four rows of texts of a column's own type.
    private static func openTexts(_ environment: ConformanceEnvironment) async throws -> Database {
        let db = try await environment.open()
        try await Foreign.Texts.make(db)
        let rows = ["b", "a", "c", "B"].enumerated().map { number, span in
            Foreign.Texts(
                id: Int64(number + 1), span: span, note: number == 2 ? nil : ["nb", "na", "", "n4"][number],
                group: number % 2)
        }
        try await db.save(rows[0])
        try await db.insert(Array(rows[1...]))
        return db
    }
}
