import Foundation
import Holdfast

extension ConformanceCase {
    static let opSql: [ConformanceCase] = [
        ConformanceCase(
            "op-sql.rows",
            "OP-SQL",
            "Rows of SQL of one's own are read as tuples, values, Decodable values and by column"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("a", body: "x", rank: 1), Note("b", rank: 2)])
            let limit = 0
            let query = db.sql("SELECT title, body, rank FROM \(Note.self) WHERE rank > \(limit) ORDER BY rank")
            let tuples = try await query.fetch(as: (String, String?, Int).self)
            try expect(tuples.map(\.0), equals: ["a", "b"], "the first column")
            try expect(tuples.map(\.1), equals: ["x", nil], "the second column")
            try expect(tuples.map(\.2), equals: [1, 2], "the third column")
            let single = try await db.sql("SELECT max(rank) FROM \(Note.self)").fetch(as: Int.self)
            try expect(single, equals: [2], "a single column")

            struct Summary: Decodable, Equatable { var title: String; var body: String?; var rank: Int }
            try expect(
                try await query.fetch(as: Summary.self),
                equals: [Summary(title: "a", body: "x", rank: 1), Summary(title: "b", rank: 2)],
                "the Decodable values"
            )
            let rows = try await query.fetch()
            try expect(rows[0].columnNames, equals: ["title", "body", "rank"], "the names of the columns")
            try expect(try rows[1].decode(String?.self, named: "body"), equals: nil, "a NULL by its name")
            try expect(try rows[1].decode(Int.self, at: 2), equals: 2, "a number by its position")
            try await expect(.decoding, from: "an absent column") { _ = try rows[0].decode(Int.self, named: "none") }
            try await expect(.decoding, from: "an absent position") { _ = try rows[0].decode(Int.self, at: 3) }
            try await expect(.decoding, from: "a value that does not fit") { _ = try rows[0].decode(Int.self, at: 0) }
            try await expect(.decoding, from: "too few columns") {
                _ = try await query.fetch(as: (String, String?).self)
            }
            try await expect(.decoding, from: "NULL into a String") {
                _ = try await query.fetch(as: (String, String, Int).self)
            }
        },
        ConformanceCase("op-sql.objects", "OP-SQL", "Rows of SQL of one's own become objects, with their arrays") {
            environment in
            let db = try await environment.open(Tagged.self, Note.self)
            try await db.save([Tagged("a", tags: ["x"]), Tagged("b", tags: ["y", "z"]), Tagged("c")])
            let name = "a"
            let query = db.sql("SELECT * FROM \(Tagged.self) WHERE name > \(name) ORDER BY name DESC")
            let tagged = try await query.fetch(Tagged.self)
            try expect(tagged.map(\.name), equals: ["c", "b"], "the names")
            try expect(tagged.map(\.tags), equals: [[], ["y", "z"]], "the tags")
            tagged[1].tags.append("w")
            try await db.save(tagged)
            try expect(
                try await query.fetch(Tagged.self).map(\.tags),
                equals: [[], ["y", "z", "w"]],
                "the tags after a save"
            )
            let twice = try await db.sql(
                "SELECT t.* FROM \(Tagged.self) AS t, (SELECT 1 AS n UNION ALL SELECT 2) AS twice WHERE t.name = 'b'"
            ).fetch(Tagged.self)
            try expect(
                twice.map(\.tags),
                equals: [["y", "z", "w"], ["y", "z", "w"]],
                "the tags of a row that comes twice"
            )
            try await expect(.decoding, from: "a missing column") {
                _ = try await db.sql("SELECT id FROM \(Tagged.self)").fetch(Tagged.self)
            }
        },
        ConformanceCase(
            "op-sql.injection",
            "OP-SQL",
            "Whatever is interpolated stays a value: nothing of it becomes SQL"
        ) { environment in
            let db = try await environment.open(Note.self, Named.self)
            let attempts = [
                "'; DROP TABLE note; --", "x' OR '1'='1", "\"; DELETE FROM note; --", "$1", "?", ":a",
                "\\'; DROP TABLE note; --",
                "/* */", "%s", "\\(Note.self)", "'' OR 1=1", "') ; DELETE FROM note --",
            ]
            try await db.save(attempts.map { Note($0) })
            for attempt in attempts {
                let found = try await db.sql("SELECT title FROM \(Note.self) WHERE title = \(attempt)").fetch(
                    as: String.self
                )
                try expect(found, equals: [attempt], "the rows that have a text")
                try await db.sql("UPDATE \(Note.self) SET body = \(attempt) WHERE title = \(attempt)").execute()
                _ = try await db.save(Named(name: attempt, number: attempt.count))
                try expect(
                    try await db.find(Named.self, key: attempt)?.number,
                    equals: attempt.count,
                    "the row of a key"
                )
            }
            let bodies = try await db.fetch(Note.self).map(\.body)
            try expect(bodies, equals: attempts, "the bodies")
            let some = Array(attempts.prefix(3))
            let count = try await db.sql("SELECT count(*) FROM \(Note.self) WHERE title IN (\(some))").fetch(
                as: Int.self
            )
            try expect(count, equals: [3], "the number of rows in a list")
            let none = try await db.sql("SELECT count(*) FROM \(Note.self) WHERE title IN (\([String]()))").fetch(
                as: Int.self
            )
            try expect(none, equals: [0], "the number of rows in an empty list")
            let all = try await db.sql("SELECT count(*) FROM \(Note.self) WHERE title NOT IN (\([String]()))").fetch(
                as: Int.self
            )
            try expect(all, equals: [attempts.count], "the number of rows outside of an empty list")
            let column = "title"
            let named = try await db.sql("SELECT \(identifier: column) FROM \(Note.self) WHERE rank = \(0)").fetch(
                as: String.self
            )
            try expect(named.count, equals: attempts.count, "the number of rows by a quoted name")
            try await expect(.notMigrated, from: "a name that no column has") {
                _ = try await db.sql("SELECT \(identifier: "title\" FROM note; --") FROM \(Note.self)").fetch()
            }
        },
        ConformanceCase(
            "op-sql.every-type",
            "OP-SQL",
            "Every type of value can be bound in SQL, and compares with its column"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            for value in try Scalars.samples() {
                _ = try await db.insert(value)
                let found = try await db.sql(
                    """
                    SELECT id FROM \(Scalars.self) WHERE id = \(value.id) AND bool = \(value.bool) AND int = \(value.int)
                    AND int8 = \(value.int8) AND int16 = \(value.int16) AND int32 = \(value.int32) AND uint8 = \(value.uint8)
                    AND uint32 = \(value.uint32) AND uint64 = \(value.uint64) AND double = \(value.double)
                    AND "decimal" = \(value.decimal) AND string = \(value.string) AND data = \(value.data)
                    AND date = \(value.date) AND uuid = \(value.uuid) AND url = \(value.url) AND mood = \(value.mood)
                    AND grade = \(value.grade) AND celsius = \(value.celsius)
                    """
                ).fetch(as: Int64.self)
                try expect(found, equals: [value.id], "the rows with all values of the sample \(value.id)")
            }
        },
        ConformanceCase(
            "op-sql.writes",
            "OP-SQL",
            "SQL that writes tells how many rows it changed, and may return rows"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<5).map { Note("n\($0)", rank: $0) })
            let changed = try await db.sql("UPDATE \(Note.self) SET body = 'x' WHERE rank >= \(2)").execute()
            try expect(changed, equals: 3, "the number of rows changed")
            let titles = try await db.sql("DELETE FROM \(Note.self) WHERE rank = \(4) RETURNING title").fetch(
                as: String.self
            )
            try expect(titles, equals: ["n4"], "the rows that a statement returns which writes")
            try expect(try await db.count(Note.self), equals: 4, "the number of rows")
            try await db.transaction { tx in
                try expect(
                    try await tx.sql("DELETE FROM \(Note.self)").execute(),
                    equals: 4,
                    "the number of rows deleted"
                )
            }
            try expect(
                try await db.sql("DELETE FROM \(Note.self)").execute(),
                equals: 0,
                "the number of rows deleted again"
            )
        },
        ConformanceCase(
            "op-sql.session",
            "OP-SQL",
            "SQL that leaves something in its session leaves it to nobody else, or is refused where sessions are shared"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.pool.maximumConnections = 1 }
            let create: SQLFragment = "CREATE /* for a while */ TEMPORARY TABLE leftover (number integer)"
            do {
                try await db.transaction { tx in
                    try await tx.sql(create).execute()
                    try await tx.sql("INSERT INTO leftover (number) VALUES (1), (2)").execute()
                    try expect(
                        try await tx.sql("SELECT count(*) FROM leftover").one(as: Int.self), equals: 2,
                        "the rows of a temporary table, in its transaction")
                    try await tx.save(Note("kept"))
                }
            } catch let error as DatabaseError where error.code == .unsupported {
                try await expect(.unsupported, from: "SQL that leaves a table") { try await db.sql(create).execute() }
                try await expect(.unsupported, from: "rows of such SQL") { _ = try await db.sql(create).fetch() }
                try await expect(.unsupported, from: "a stream of such SQL") {
                    for try await _ in db.sql(create).stream() {}
                }
                return
            }
            try expect(try await db.count(Note.self), equals: 1, "the rows that the transaction has saved")
            for attempt in 0..<3 {
                try await expect(.notMigrated, from: "a query for the temporary table") {
                    _ = try await db.transaction { try await $0.sql("SELECT number FROM leftover").fetch() }
                }
                // Nobody's table is in the way of another one.
                try await db.transaction { tx in
                    if attempt == 0 { try await tx.sql(create).execute() } else { _ = try await tx.sql(create).fetch() }
                    try expect(
                        try await tx.sql("SELECT count(*) FROM leftover").one(as: Int.self), equals: 0, "its rows")
                }
            }
            // One that has no transaction around it, and one that fails.
            _ = try await db.sql(create).execute()
            do {
                try await db.transaction { tx in
                    try await tx.sql(create).execute()
                    try await tx.sql(create).execute()
                }
                throw ExpectationFailure("A temporary table was created twice.", #fileID, #line)
            } catch is DatabaseError {}
            try await db.sql(create).execute()
        },
        ConformanceCase(
            "op-sql.columns", "OP-SQL", "Raw SQL can name the columns of a type, and those of properties"
        ) { environment in
            let db = try await environment.open(Engineer.self, Team.self, Review.self)
            let engineer = Engineer("Ada", age: 36)
            engineer.team = Team("new")
            engineer.tags = ["a"]
            try await db.save(engineer)
            let found = try await db.sql(
                "SELECT \(columns: Engineer.self) FROM \(Engineer.self) WHERE \(column: \Engineer.age) = \(36)"
            ).fetch(Engineer.self)
            try expect(found.map(\.tags), equals: [["a"]], "the tags")
            try expect(found.map(\.team?.name), equals: ["new"], "the team")
            let joined = try await db.sql(
                """
                SELECT \(columns: Team.self, of: "other") FROM \(Engineer.self) AS e
                JOIN \(Team.self) AS other ON \(column: \Engineer.team, of: "e") = \(column: \Team.id, of: "other")
                """
            ).fetch(Team.self)
            try expect(joined.map(\.name), equals: ["new"], "the teams of a join")
            try await expect(.invalidValue, from: "the column of an array") {
                _ = try await db.sql("SELECT \(column: \Engineer.tags) FROM \(Engineer.self)").fetch()
            }
            try await expect(.invalidValue, from: "the column of an optional array") {
                _ = try await db.sql("SELECT \(column: \Engineer.scores) FROM \(Engineer.self)").fetch()
            }
            try await expect(.syntax, from: "the column of what is not kept") {
                _ = try await db.sql("SELECT \(column: \Engineer.isDirty) FROM \(Engineer.self)").fetch()
            }
        },
        ConformanceCase("op-sql.one", "OP-SQL", "SQL of one's own gives its first row, or its only one") {
            environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("a", rank: 1), Note("b", rank: 2)])
            func titles(_ rank: Int) -> SQLQuery {
                db.sql("SELECT title, rank FROM \(Note.self) WHERE rank > \(rank) ORDER BY rank")
            }
            try expect(try await titles(0).first()?.decode(String.self, at: 0), equals: "a", "the first row")
            try expect(try await titles(2).first() == nil, "There is a first row of none.")
            try expect(try await titles(1).one().decode(Int.self, named: "rank"), equals: 2, "the only row")
            try await expect(.notFound, from: "the only row of none") { _ = try await titles(2).one() }
            try await expect(.conflict, from: "the only row of two") { _ = try await titles(0).one() }
            let (title, rank) = try await titles(1).one(as: (String, Int).self)
            try expect(title == "b" && rank == 2, "The only tuple is another.")
            let first = try await titles(0).first(as: (String, Int).self)
            try expect(first?.0, equals: "a", "the first tuple")
            try expect(
                try await db.sql("SELECT count(*) FROM \(Note.self)").one(as: Int.self), equals: 2, "the only value")
            struct Row: Decodable { var title: String; var rank: Int }
            try expect(try await titles(1).one(as: Row.self).title, equals: "b", "the only Decodable value")
            try expect(try await titles(0).first(as: Row.self)?.rank, equals: 1, "the first Decodable value")
            let notes = db.sql("SELECT * FROM \(Note.self) ORDER BY rank DESC")
            try expect(try await notes.first(Note.self)?.title, equals: "b", "the first object")
            try await expect(.conflict, from: "the only object of two") { _ = try await notes.one(Note.self) }
            let inserted = try await db.sql(
                "INSERT INTO \(Note.self) (title, rank) VALUES ('c', 3), ('d', 4) RETURNING title"
            ).first(as: String.self)
            try expect(inserted, equals: "c", "the first row of two inserted")
            try expect(try await db.count(Note.self), equals: 4, "the rows after that")
        },
    ]
}
