import Foundation
import Holdfast

/// Errors of migrations, and of statements that need one.
extension ConformanceCase {
    static let err2Migrations: [ConformanceCase] = [
        ConformanceCase(
            "err-2.half-migrated", "ERR-2",
            "An error of a migration says that nothing was changed only where that is true, and else what was",
            level: .graph
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            func schema(_ late: String) -> Schema {
                Schema(
                    HalfMigrated.self,
                    migrations: [
                        Migration("early") { $0.sql("UPDATE document SET title = 'b'") },
                        Migration("late", .afterTypes) { $0.sql("UPDATE document SET \(identifier: late) = 'c'") },
                    ])
            }
            let error = try await expect(.notMigrated, .syntax, from: "a migration that fails at its end") {
                try await db.migrate(schema("titel"))
            }
            // An engine that makes tables anew has committed the first migration by then.
            let titles = try await db.sql("SELECT title FROM document").fetch(as: String.self)
            let isUnchanged = titles == ["a"]
            try expect(
                error.message.contains("othing was changed"), equals: isUnchanged,
                "Does the error tell the truth? \(titles) \(error)")
            try expect(
                error.message.contains("not undone: the migration \"early\""), equals: !isUnchanged,
                "Does the error tell what was done? \(error)")
            try await db.migrate(schema("title"))
            let rows = try await db.fetch(HalfMigrated.self)
            try expect(rows.map(\.title), equals: ["c"], "the values after the migration that goes on")
            try expect(try await db.migrate(schema("title")).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "err-2.migration-waits", "ERR-2", "A migration waits for a lock of others no longer than its limit"
        ) { environment in
            let db = try await environment.open(Migrated.First.self) {
                $0.timeouts.lock = .milliseconds(50)
                $0.migrations.lockTimeout = .milliseconds(50)
                $0.migrations.retryLimit = .milliseconds(300)
            }
            let other = try await environment.open()
            try await other.transaction { transaction in
                try await transaction.sql("INSERT INTO document (id, title) VALUES (1, 'a')").execute()
                let error = try await expect(.lockTimeout, from: "a migration while another client writes") {
                    try await db.migrate(Migrated.Second.self)
                }
                try expect(error.message.contains("migrations.retryLimit"), "Which limit was it? \(error)")
            }
            try await db.migrate(Migrated.Second.self)
            try expect(try await db.fetch(Migrated.Second.self).map(\.title), equals: ["a"], "the rows")
        },
        ConformanceCase(
            "err-2.unknown-column", "ERR-2",
            "A column that does not exist is blamed on the table that lacks it, or on SQL of the program's"
        ) { environment in
            let db = try await environment.open(HelpDesk.Ticket.self)
            let misspelt = try await expect(.notMigrated, .syntax, from: "a misspelt name") {
                _ = try await db.query(HelpDesk.Ticket.self).where(sql: "titel = 'x'").fetch()
            }
            try expect(!misspelt.message.contains("lacks"), "A table is blamed that lacks nothing: \(misspelt)")
            try expect(misspelt.message.contains("SQL"), "The SQL is not blamed: \(misspelt)")
            try await db.sql("ALTER TABLE \(HelpDesk.Organisation.self) RENAME COLUMN name TO label").execute()
            let related = try await expect(.notMigrated, .syntax, from: "a condition on a relation") {
                _ = try await db.query(HelpDesk.Ticket.self).where { $0.organisation.name == "x" }.count()
            }
            let table = "desk_organisation"
            try expect(
                related.message.hasPrefix("The table \"\(table)\" lacks \"name\""), "Which table lacks it? \(related)")
            try expect(related.message.contains("\"label\""), "The column that was renamed is not named: \(related)")
            try expect(related.table, equals: table, "the table of the error")
        },
        ConformanceCase(
            "err-2.foreign-table", "ERR-2",
            "A migration on a table of another program's says first that it can be adopted, whatever its columns hold",
            level: .graph
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE document (id text PRIMARY KEY, title text, pages text, is_public text)")
                .execute()
            try await db.sql("INSERT INTO document VALUES ('k', 't', 'many', 'perhaps')").execute()
            let error = try await expect(.conflict, from: "a migration") { try await db.migrate(Migrated.Second.self) }
            let advice = "adopt it by `adopt`"
            try expect(error.message.contains(advice), "What is to be done? \(error)")
            try expect(error.message.split(separator: advice).count, equals: 2, "the parts around the one advice")
            let rows = try await db.sql("SELECT pages FROM document").fetch(as: String.self)
            try expect(rows, equals: ["many"], "the rows")
        },
        ConformanceCase(
            "err-2.added-column", "ERR-2",
            "A column without a default stays without one where it is added, so that a row without a value is refused",
            level: .graph
        ) { environment in
            let old = try await environment.open(Migrated.First.self)
            let db = try await environment.open()
            try await db.migrate(Stated.self)
            let error = try await expect(.notNullViolation, from: "the program that does not know the column") {
                _ = try await old.insert(Migrated.First(id: 1, title: "a"))
            }
            try expect(error.properties, equals: ["state"], "the column without a value")
            _ = try await db.insert(Stated(id: 1, title: "a", state: 2))
            try expect(try await db.fetch(Stated.self), equals: [Stated(id: 1, title: "a", state: 2)], "the rows")
            try expect(try await db.migrate(Stated.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Stated.self), equals: [], "the drift")
        },
    ]
}

/// A document that may have no title, for which some engines make its table anew.
@Table("document")
struct HalfMigrated {
    let id: Int64
    var title: String?
}

/// A document with a state.
@Table("document")
struct Stated: Equatable {
    let id: Int64
    var title: String
    var state: Int
}
