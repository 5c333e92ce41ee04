import Foundation
import Holdfast

/// SQL of one's own that writes and returns rows.
extension ConformanceCase {
    static let opSqlWrites: [ConformanceCase] = [
        ConformanceCase(
            "op-sql.writes-once", "OP-SQL", "SQL that writes and returns rows is sent once, and is no failure"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Note.self) {
                probe.attach(to: &$0)
                $0.telemetry.statementStatisticsLimit = 100
            }
            try await db.save((0..<4).map { Note("n\($0)", rank: $0) })
            _ = probe.take()
            db.resetStatementStatistics()
            let statements: [SQLFragment] = [
                "UPDATE \(Note.self) SET body = 'a' WHERE rank = 1 RETURNING title",
                "  -- first\nINSERT INTO \(Note.self) (title, rank) VALUES ('n4', 4) RETURNING title",
                "DELETE FROM \(Note.self) WHERE rank = 4 RETURNING title",
                """
                WITH due AS (SELECT id FROM \(Note.self) WHERE rank = 2)
                UPDATE \(Note.self) SET body = replace('b', 'b', 'c') WHERE id IN (SELECT id FROM due) RETURNING title
                """,
            ]
            for statement in statements {
                try expect(try await db.sql(statement).fetch(as: String.self).count, equals: 1, "the rows of a change")
            }
            let notes = try await db.sql("UPDATE \(Note.self) SET body = 'd' WHERE rank = 3 RETURNING *").fetch(
                Note.self)
            try expect(notes.map(\.body), equals: ["d"], "the object that a change returns")
            try expect(probe.take().count, equals: statements.count + 1, "the number of statements")
            let shapes = db.statementStatistics.shapes
            try expect(shapes.map(\.failureCount).reduce(0, +), equals: 0, "the number of failures")
            let read = try await db.sql(
                "WITH renamed AS (SELECT replace(title, 'n', 'm') AS name FROM \(Note.self)) SELECT name FROM renamed"
            )
            .fetch(as: String.self)
            try expect(read.count, equals: 4, "the rows of a read that calls replace")
            try await expect(.readOnly, from: "a change in a transaction that only reads") {
                _ = try await db.read { try await $0.sql(statements[0]).fetch() }
            }
        }
    ]
}
