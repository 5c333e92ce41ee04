import Foundation
import Holdfast
import Logging

extension ConformanceCase {
    static let val8: [ConformanceCase] = [
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
                let db = try await environment.open { $0.telemetry.showsValues = shows }
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
        ConformanceCase(
            "val-8.left-out", "VAL-8",
            "A query that says so leaves out objects whose values can't be read, and logs how many"
        ) { environment in
            let db = try await LooseRow.open(environment, "1", "'calm'", "0.5")
            try await db.sql("INSERT INTO loose VALUES (2, 300, 'calm', 1), (3, 3, 'secret', 1), (4, 4, 'calm', NULL)")
                .execute()
            try await db.sql("INSERT INTO loose VALUES (5, 5, 'calm', 2)").execute()
            let recorder = LogRecorder()
            let logged = try await environment.open { $0.telemetry.logger = recorder.logger(.warning) }
            let query = logged.query(LooseRow.self)
            try await expect(.decoding, from: "reading all") { _ = try await query.fetch() }
            let readable = query.omittingUnreadable()
            try expect(try await readable.fetch().map(\.id), equals: [1, 5], "those that can be read")
            let lines = recorder.take().filter { $0.contains("left out") }
            try expect(lines.count, equals: 1, "the number of lines")
            try expect(
                lines.first.map { $0.contains("count=3") && $0.contains("table=loose") && !$0.contains("secret") },
                equals: true, "whether the line says how many, and nothing more")
            try expect(try await readable.order(\.id, .descending).first()?.id, equals: 5, "the last")
            try expect(
                try await readable.where { $0.id > 1 }.order(\.id).first()?.id, equals: 5,
                "the first of which several before it can't be read")
            var streamed: [Int64] = []
            for try await row in readable.stream() { streamed.append(row.id) }
            try expect(streamed, equals: [1, 5], "those that can be read, streamed")
            try expect(try await readable.count(), equals: 5, "the number of rows")
            try await expect(.decoding, from: "reading all, after all") { _ = try await logged.fetch(LooseRow.self) }
        },
        ConformanceCase(
            "val-8.left-out-graph", "VAL-8",
            "Whoever refers to an object that can't be read is left out with it, arrays lack it, and no save loses it",
            level: .graph
        ) { environment in
            let db = try await environment.open(Engineer.self, Team.self)
            let people = ["a", "b", "c"].map { Engineer($0, age: 1) }
            people[1].boss = people[0]
            let team = Team("t")
            team.members = [people[0], people[2]]
            try await db.save(people)
            try await db.save(team)
            try await db.sql("UPDATE engineer SET grade = 'none' WHERE name = 'a'").execute()
            let found = try await db.query(Engineer.self).omittingUnreadable().fetch()
            try expect(found.map(\.name), equals: ["c"], "those that can be read, with those that they refer to")
            let teams = try await db.query(Team.self).omittingUnreadable().fetch()
            let same = try expect(teams, count: 1, "teams")[0]
            try expect(same.members.map(\.name), equals: ["c"], "the members")
            same.name = "u"
            try await db.save(same)
            try expect(
                try await db.number("SELECT count(*) FROM engineer WHERE team_id IS NOT NULL"), equals: 2,
                "the number of members after a save")
        },
        ConformanceCase(
            "val-8.others-numerics", "VAL-8", "Decimals in a numeric column of another program are compared as numbers"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE priced (code varchar(9) PRIMARY KEY NOT NULL, price numeric(12,2))")
                .execute()
            let prices = ["9", "10.50", "100", "-3", "0.10"].map { Decimal(string: $0) ?? 0 }
            let rows = prices.enumerated().map { Priced(code: "c\($0)", price: $1) }
            _ = try await db.save(rows)
            let all = db.query(Priced.self)
            try expect(try await all.fetch(), equals: rows, "the rows")
            for limit in prices {
                let above = try await all.where { $0.price > limit }.fetch().map(\.price)
                try expect(Set(above), equals: Set(prices.filter { $0 > limit }), "those above a limit")
                let same = try await all.where { $0.price == limit }.fetch().map(\.price)
                try expect(same, equals: [limit], "those that are the same")
            }
            let ordered = try await all.order { $0.price.ascending }.fetch().map(\.price)
            try expect(ordered, equals: prices.sorted(), "the prices in their order")
            try expect(try await all.sum { $0.price }, equals: prices.reduce(0, +), "their sum")
            let page = try await all.order { $0.price.ascending }.page(size: 2)
            let second = try await all.order { $0.price.ascending }.page(size: 2, after: page.next)
            try expect((page.objects + second.objects).map(\.price), equals: Array(prices.sorted().prefix(4)), "pages")
        },
        ConformanceCase(
            "val-8.others-keys", "VAL-8", "A key of a fixed length is found, and saved again"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE priced (code char(5) PRIMARY KEY NOT NULL, price numeric(12,2))").execute()
            var row = Priced(code: "QQ", price: 1)
            _ = try await db.save(row)
            try expect(try await db.find(Priced.self, key: "QQ"), equals: row, "the row")
            row.price = 2
            _ = try await db.save(row)
            try expect(try await db.fetch(Priced.self), equals: [row], "the rows")
            try expect(
                try await db.query(Priced.self).where("code IN ('QQ', 'R')").fetch(), equals: [row], "those of keys")
            let all = db.query(Priced.self)
            try expect(try await all.where { $0.code == "QQ" }.fetch(), equals: [row], "those that are the same")
            try expect(try await all.where { $0.code != "QQ" }.count(), equals: 0, "those that differ")
            try expect(try await all.where { $0.code.in(["R", "QQ"]) }.fetch(), equals: [row], "those of a list")
            try expect(try await all.where { $0.code.like("Q%Q") }.fetch(), equals: [row], "those of a pattern")
        },
    ]
}
