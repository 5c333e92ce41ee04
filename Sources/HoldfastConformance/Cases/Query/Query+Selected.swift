import Foundation
import Holdfast
import Logging

/// Objects at the top, distinct ones, and those that can be read.
extension ConformanceCase {
    static let querySelected: [ConformanceCase] = [
        ConformanceCase(
            "qry-2.unreferenced", "QRY-2",
            "A query finds the objects that nothing holds in relations of every kind, and can delete them",
            level: .graph
        ) { environment in
            let db = try await environment.open(Gathering.self, Article.self, Branch.self)
            let people = ["a", "b", "c", "d"].map { Employee($0) }
            people[0].spouse = people[1]
            people[1].siblings = [people[2], people[2]]
            let gathering = Gathering("g")
            gathering.participants = [people[0]]
            try await db.save(people)
            try await db.save(gathering)
            func names(_ query: Query<Employee>) async throws -> String {
                try await query.order(\.name).fetch().map(\.name).joined()
            }
            let all = db.query(Employee.self)
            try expect(try await names(all.unreferenced(by: \Employee.spouse)), equals: "acd", "those without a spouse")
            try expect(try await names(all.unreferenced(by: \Employee.siblings)), equals: "abd", "those in no array")
            let top = all.unreferenced(by: \Employee.spouse, \Employee.siblings, \Gathering.participants)
            try expect(try await names(top), equals: "d", "those that nothing holds")
            try expect(
                try await names(all.where { $0.name > "a" }.unreferenced(by: \Employee.spouse)), equals: "cd",
                "with a condition")
            try expect(try await top.count(), equals: 1, "the number of those")
            try expect(try await top.delete(), equals: 1, "the number of those that were deleted")
            try expect(try await names(all), equals: "abc", "the others")
            let (one, two) = (Article("one"), Article("two"))
            one.keywords = [Keyword("k")]
            try await db.save([one, two])
            try await db.save(Keyword("l"))
            try expect(
                try await db.query(Keyword.self).unreferenced(by: \Article.keywords).fetch().map(\.word), equals: ["l"],
                "the words of no article")
            try expect(
                try await db.query(Article.self).unreferenced(by: \Keyword.articles).fetch().map(\.title),
                equals: ["two"], "the articles of no word")
            let branches = (0..<3).map { Branch("\($0)") }
            branches[1].parent = branches[0]
            branches[2].parent = branches[1]
            try await db.save(branches)
            try expect(
                try await db.query(Branch.self).unreferenced(by: \Branch.branches).fetch().map(\.label), equals: ["0"],
                "the root")
            try expect(
                try await db.query(Branch.self).unreferenced(by: \Branch.parent).fetch().map(\.label), equals: ["2"],
                "the leaf")
            for query in [
                all.unreferenced(by: \Employee.name), all.unreferenced(by: \Article.keywords),
                all.unreferenced(by: \String.count),
            ] {
                try await expect(.invalidValue, from: "no relation to the type") { _ = try await query.fetch() }
            }
        },
        ConformanceCase(
            "qry-1.distinct-all", "QRY-1",
            "Distinct objects without properties differ in a column, and distinct values come once"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = [("a", 1), ("b", 1), ("a", 1), ("a", 2), ("b", 3)].map { Note($0.0, rank: $0.1) }
            try await db.save(notes)
            let query = db.query(Note.self)
            try expect(
                try await query.distinct().fetch().map(\.id), equals: [0, 1, 3, 4].map { notes[$0].id }, "the objects")
            try expect(
                try await query.where { $0.id > notes[0].id ?? 0 }.distinct().count(), equals: 4,
                "the number of those that meet a condition")
            try expect(
                try await query.select { $0.title }.distinct().fetch(), equals: ["a", "b"], "the values")
            try expect(
                try await query.order(\.rank, .descending).select { $0.rank }.distinct().fetch(), equals: [3, 2, 1],
                "the values in an order")
            let pairs = try await query.select { ($0.title, $0.rank) }.distinct().fetch()
            try expect(pairs.map { "\($0)\($1)" }, equals: ["a1", "a2", "b1", "b3"], "the tuples")
            var streamed: [String] = []
            for try await title in query.select({ $0.title }).distinct().stream() { streamed.append(title) }
            try expect(streamed, equals: ["a", "b"], "the values, streamed")
            try await expect(.unsupported, from: "distinct aggregates") {
                _ = try await query.select { $0.rank.sum }.distinct().fetch()
            }
        },
        ConformanceCase(
            "op-query.part-of-a-table", "OP-QUERY",
            "A struct for a part of a table reads and updates that part, and leaves the rest"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (1...3).map { Note("n\($0)", body: "b", rank: $0) }
            try await db.save(notes)
            let parts = try await db.query(NotePart.self).where { $0.title > "n1" }.fetch()
            try expect(parts.map(\.title), equals: ["n2", "n3"], "the titles")
            var part = try expect(parts, count: 2, "parts")[0]
            part.title = "changed"
            part = try await db.update(part)
            let same = try expect(some: try await db.find(Note.self, key: part.id), "the note")
            try expect(same.title, equals: "changed", "the title")
            try expect(same.body, equals: "b", "the body")
            try expect(same.rank, equals: 2, "the rank")
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
            let logged = try await environment.open { $0.logger = recorder.logger(.warning) }
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
    ]
}
