import Foundation
import Holdfast

/// Where an error comes from, for whoever is on call: the call, the program's own part of a statement, and what is in
/// the database.
extension ConformanceCase {
    static let err2Calls: [ConformanceCase] = [
        ConformanceCase(
            "err-2.callers-part", "ERR-2",
            "An error of a query that has SQL of the program's shows the statement, and names what is wrong in it"
        ) { environment in
            let db = try await environment.open(Note.self)
            let error = try await expect(.syntax, .notMigrated, from: "a function that is misspelt") {
                _ = try await db.query(Note.self).where(sql: "lenght(\(\Note.title)) > \(3)").fetch()
            }
            try expect(error.description.lowercased().contains("lenght"), "What is wrong? \(error)")
            try expect(error.description.contains("\nStatement: "), "Which statement? \(error)")
            try expect(error.callSite?.hasPrefix("HoldfastConformance/Err2+Calls.swift:"), equals: true, "the call")
            let selected = try await expect(.syntax, .notMigrated, from: "a function that is misspelt, selected") {
                _ = try await db.query(Note.self).select { _ in QueryExpression<Int64>.sql("lenght('s3cr3t')") }.fetch()
            }
            try expect(selected.description.lowercased().contains("lenght"), "What is wrong? \(selected)")
            try expect(!selected.description.contains("s3cr3t"), "A literal of the program's is shown: \(selected)")
        },
        ConformanceCase(
            "err-2.lacking-column", "ERR-2", "An error of a table that lacks a column names the column"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.sql("ALTER TABLE \(Note.self) DROP COLUMN body").execute()
            for (name, operation) in [
                ("fetch", { _ = try await $0.fetch(Note.self) }),
                ("query", { _ = try await $0.query(Note.self).where { $0.body == "b" }.fetch() }),
                ("save", { try await $0.save(Note("n", body: "b")) }),
            ] as [(String, (Database) async throws -> Void)] {
                let error = try await expect(.notMigrated, from: name) { try await operation(db) }
                try expect(error.description.contains("body"), "Which column? \(error)")
            }
        },
        ConformanceCase(
            "err-2.all-calls", "ERR-2", "Errors that are about no statement name their call, too"
        ) { environment in
            let db = try await environment.open(HelpDesk.Comment.self, Note.self)
            let organisation = HelpDesk.Organisation("o")
            let ticket = HelpDesk.Ticket("t", of: organisation)
            try await db.save([ticket])
            try await db.sql("UPDATE \(HelpDesk.Ticket.self) SET version = 7").execute()
            ticket.title = "u"
            let gone = Note("gone")
            try await db.save(gone)
            try await db.sql("DELETE FROM \(Note.self)").execute()
            let errors = [
                try await expect(.staleVersion, from: "a save of an old version") { try await db.save(ticket) },
                try await expect(.syntax, from: "a property that is not there") {
                    _ = try await db.query(Note.self).where("nothing = 1").fetch()
                },
                try await expect(.decoding, from: "a row of another type") {
                    _ = try await db.sql("SELECT 'a' AS a").fetch(as: Int.self)
                },
                try await expect(.notFound, from: "the only one of none") {
                    _ = try await db.query(Note.self).where { $0.title == "" }.one()
                },
                try await expect(.notFound, from: "the only row of none") {
                    _ = try await db.sql("SELECT 1 AS a WHERE 1 = 0").one()
                },
                try await expect(.notFound, from: "a reload of what is gone") { try await db.reload(gone) },
            ]
            for error in errors {
                try expect(
                    error.callSite?.hasPrefix("HoldfastConformance/Err2+Calls.swift:"), equals: true,
                    "the call: \(error)")
            }
            ticket.organisation = nil
        },
        ConformanceCase(
            "err-2.queries-run", "ERR-2", "An error of a query names the line that ran it, not the one that built it"
        ) { environment in
            let db = try await environment.open(Note.self)
            func built() -> Query<Note> { db.query(Note.self).where(sql: "lenght(\(\Note.title)) > \(3)") }
            let runs: [(String, UInt, (Query<Note>) async throws -> Void)] = [
                ("fetch", #line, { _ = try await $0.fetch() }),
                ("first", #line, { _ = try await $0.first() }),
                ("one", #line, { _ = try await $0.one() }),
                ("count", #line, { _ = try await $0.count() }),
                ("exists", #line, { _ = try await $0.exists() }),
                ("keys", #line, { _ = try await $0.keys() }),
                ("page", #line, { _ = try await $0.page(size: 10) }),
                ("a maximum", #line, { _ = try await $0.max { $0.title } }),
                ("values", #line, { _ = try await $0.select { $0.title }.fetch() }),
                ("tuples", #line, { _ = try await $0.select { ($0.title, $0.body) }.first() }),
                ("a stream", #line, { for try await _ in $0.stream() {} }),
                ("an update", #line, { _ = try await $0.update { $0.title.set("b") } }),
                ("a deletion", #line, { _ = try await $0.delete() }),
                ("values of deleted ones", #line, { _ = try await $0.delete(returning: { $0.id }) }),
            ]
            for (name, line, run) in runs {
                let error = try await expect(.syntax, .notMigrated, from: name) { try await run(built()) }
                try expect(
                    error.callSite, equals: "HoldfastConformance/Err2+Calls.swift:\(line)", "the call of \(name)")
            }
        },
        ConformanceCase(
            "err-2.migrations-run", "ERR-2", "An error of a migration names the line that ran it"
        ) { environment in
            let db = try await environment.open()
            let broken = Schema(
                Note.self,
                migrations: [Migration("fill", .afterTypes) { $0.sql("UPDATE nowhere SET title = 'a'") }])
            let line: UInt = #line + 2
            let error = try await expect(.notMigrated, .syntax, from: "a migration") {
                try await db.migrate(broken)
            }
            try expect(error.callSite, equals: "HoldfastConformance/Err2+Calls.swift:\(line)", "the call: \(error)")
        },
        ConformanceCase(
            "err-2.other-keys", "ERR-2",
            "A key of another type than the property's is refused before a transaction commits, and else said to be there"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE stray_note (id text PRIMARY KEY DEFAULT 'k', name text NOT NULL)").execute()
            let error = try await expect(.decoding, from: "a save") { try await db.save(StrayNote("a")) }
            try expect(error.message.contains("the row is there"), "Is it there? \(error)")
            try expect(try await db.number("SELECT count(*) FROM stray_note"), equals: 1, "the rows after a save")
            try await db.sql("DELETE FROM stray_note").execute()
            _ = try await expect(.decoding, from: "a save in a transaction") {
                try await db.transaction { try await $0.save(StrayNote("b")) }
            }
            try expect(try await db.number("SELECT count(*) FROM stray_note"), equals: 0, "the rows of a transaction")
        },
    ]
}

/// A note in a table that somebody else has made, with keys of another type.
@Table
final class StrayNote {
    var id: Int64?
    var name: String

    init(_ name: String) { self.name = name }
}
