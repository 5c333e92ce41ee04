import Foundation
import Holdfast

/// Forms in which other programs store values, and columns that the database computes.
extension ConformanceCase {
    static let storages: [ConformanceCase] = [
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
            "val-10.uuid-texts", "VAL-10", "UUIDs as text are keys, are referred to, and are compared by their bytes"
        ) { environment in
            let db = try await environment.open()
            try await Foreign.Document.make(db)
            let author = try await db.save(Foreign.Author(id: UUID(), name: "Ann"))
            let first = Foreign.Document(title: "First")
            first.author = Reference(key: author.id)
            let second = Foreign.Document(title: "Second", parent: first)
            second.token = UUID()
            try await db.save(second)
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
                equals: ["Changed", "First"], "those of a list of keys")
            try expect(try await all.keys().map { try $0.value(as: UUID.self) }.count, equals: 2, "the keys")
            try await expect(.invalidValue, from: "comparing two storages") {
                _ = try await all.where("id = author.id").count()
            }
            try expect(try await db.delete(found), equals: 1, "the documents deleted")

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
            let db = try await environment.open()
            try await Foreign.Words.make(db)
            try await db.sql(
                """
                INSERT INTO foreign_words VALUES (1, 'Y', 'ja', '10.50', TRUE), (2, 'N', 'nein', '9', FALSE),
                    (3, 'N', NULL, NULL, TRUE)
                """
            ).execute()
            var rows = try await db.fetch(Foreign.Words.self)
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
            "val-10.integers", "VAL-10", "Booleans as numbers are compared as what they are"
        ) { environment in
            let db = try await environment.open(Foreign.OwnFlags.self)
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
            let own = try await db.insert(Foreign.OwnFlags(id: 1, several: [true, false]))
            try expect(try await db.find(Foreign.OwnFlags.self, key: 1), equals: own, "the row of an own table")
            let owned = db.query(Foreign.OwnFlags.self).where { $0.several.contains(false) && $0.active }
            try expect(try await owned.count(), equals: 1, "the rows with an element")
            try expect(try await db.migrate(Foreign.OwnFlags.self).steps, equals: [], "the steps of a second time")
        },
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
            "val-10.column-text", "VAL-10", "The text of a value of the column's own type is read, written and compared"
        ) { environment in
            let db = try await environment.open()
            try await Foreign.Texts.make(db)
            let rows = ["b", "a", "c", "B"].enumerated().map { number, span in
                Foreign.Texts(
                    id: Int64(number + 1), span: span, note: number == 2 ? nil : ["nb", "na", "", "n4"][number],
                    group: number % 2)
            }
            try await db.save(rows[0])
            try await db.insert(Array(rows[1...]))
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
}
