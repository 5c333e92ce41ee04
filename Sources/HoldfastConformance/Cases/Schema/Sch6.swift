import Foundation
import Holdfast

extension ConformanceCase {
    static let sch6: [ConformanceCase] = [
        ConformanceCase(
            "sch-6.rolled-back", "SCH-6",
            "An earlier program that a release accepts starts again, and reads and writes, and then the release goes on",
            level: .live
        ) { environment in
            func first(_ version: Int) -> Schema { Schema(Released.Customer.self, version: version) }
            let second = Schema(
                Released.Extended.self,
                migrations: [
                    Migration("tiers", .afterTypes) { $0.sql("UPDATE customer SET tier = 2 WHERE name = \("a")") }
                ], version: 7, acceptsProgramsFrom: 5)
            let db = try await environment.open()
            try await db.migrate(first(5))
            try await db.save(Released.Customer("a"))
            try await db.migrate(second)
            try expect(try await db.acceptedSchemaVersions(), equals: 5...7, "the versions that are accepted")
            let start = try await db.changeToken()

            for version in [5, 6] {
                let old = try await environment.open { $0.migrations.schemaVersion = version }
                try expect(
                    try await old.schemaPlan(for: first(version)).steps, equals: [], "the plan of an old program")
                try expect(try await old.migrate(first(version)).steps, equals: [], "the steps of an old program")
                try await old.save(Released.Customer("\(version)"))
                let names = try await old.query(Released.Customer.self).order { $0.id.ascending }.fetch().map(\.name)
                try expect(names.first, equals: "a", "what an old program reads")
            }
            for action in ["opening", "migrating"] {
                let error = try await expect(.conflict, from: "\(action) by a program that is too old") {
                    let old = try await environment.open { if action == "opening" { $0.migrations.schemaVersion = 4 } }
                    try await old.migrate(first(4))
                }
                for version in [4, 5, 7] {
                    try expect(error.message.contains("\(version)"), "It does not name version \(version): \(error)")
                }
            }
            try expect(try await db.migrate(second).steps, equals: [], "the steps of the release, started again")
            let customers = try await db.query(Released.Extended.self).order { $0.id.ascending }.fetch()
            try expect(customers.map(\.name), equals: ["a", "5", "6"], "the customers")
            try expect(customers.map(\.tier), equals: [2, 1, 1], "their tiers")
            let changes = try await db.loggedChanges(of: Released.Extended.self, after: start)
            try expect(changes.map(\.kind), equals: [.inserted, .inserted], "the changes that old programs have made")
        },
        ConformanceCase(
            "sch-6.no-longer-accepted", "SCH-6",
            "A release that accepts fewer programs is noted, and one that accepts none but itself, too"
        ) { environment in
            let db = try await environment.open()
            func schema(_ version: Int, _ earliest: Int?) -> Schema {
                Schema(Released.Customer.self, version: version, acceptsProgramsFrom: earliest)
            }
            try await db.migrate(schema(2, 1))
            try await db.migrate(schema(1, nil))
            try await db.migrate(schema(2, nil))
            try expect(try await db.acceptedSchemaVersions(), equals: 2...2, "the versions that are accepted")
            try await expect(.conflict, from: "a program that was accepted before") {
                try await db.migrate(schema(1, nil))
            }
            try await expect(.conflict, from: "a plan by it") { _ = try await db.schemaPlan(for: schema(1, nil)) }
            try await db.setSchemaVersion(4, acceptsProgramsFrom: 1)
            try await db.migrate(schema(1, nil))
            try await expect(.conflict, from: "accepting later programs") { try await db.migrate(schema(4, 5)) }
            try await expect(.conflict, from: "accepting programs without a version") {
                try await db.migrate(Schema(Released.Customer.self, acceptsProgramsFrom: 1))
            }
        },
        ConformanceCase(
            "sch-6.broken-promise", "SCH-6",
            "A release that would break the programs that it accepts is refused by name, unless it drops what they don't use",
            level: .live
        ) { environment in
            let db = try await environment.open()
            try await db.migrate(Schema(Released.Customer.self, version: 1))
            let schemas = [
                "code": Schema(Released.Demanding.self, version: 2, acceptsProgramsFrom: 1),
                "client": Schema(Released.Client.self, version: 2, acceptsProgramsFrom: 1),
                "label": Schema(
                    Released.Customer.self,
                    migrations: [Migration("1") { $0.rename(column: "name", of: "customer", to: "label") }],
                    version: 2, acceptsProgramsFrom: 1),
            ]
            for (name, schema) in schemas {
                let error = try await expect(.conflict, from: "a release that breaks the one before") {
                    try await db.migrate(schema)
                }
                try expect(error.message.contains("\"\(name)\""), "It does not name \(name): \(error)")
                try expect(error.message.contains("version 1"), "It does not name the version: \(error)")
                try await expect(.conflict, from: "its plan") { _ = try await db.schemaPlan(for: schema) }
            }
            try await db.save(Released.Customer("a"))
            try expect(try await db.migrate(Schema(Released.Customer.self, version: 1)).steps, equals: [], "the steps")

            try await db.migrate(Schema(Released.Extended.self, version: 2, acceptsProgramsFrom: 1))
            try await db.migrate(Schema(Released.Short.self, version: 3, acceptsProgramsFrom: 1))
            try await db.migrate(
                Schema(
                    Released.Short.self, allowing: [.dropping(column: "tier", of: "customer")], version: 4,
                    acceptsProgramsFrom: 3))
            try expect(try await db.fetch(Released.Short.self).map(\.name), equals: ["a"], "the customers")
            // What breaks earlier programs only is no matter.
            try await db.migrate(Schema(Released.Client.self, version: 5))
            try expect(try await db.fetch(Released.Client.self).map(\.name), equals: ["a"], "the clients")
        },
        ConformanceCase(
            "sch-6.version", "SCH-6",
            "The application's version can be read and set, and is lowered only if that is meant"
        ) { environment in
            let db = try await environment.open()
            try expect(try await db.schemaVersion(), equals: nil, "the version of a new database")
            try await db.setSchemaVersion(7)
            try expect(try await db.schemaVersion(), equals: 7, "the version")
            let error = try await expect(.conflict, from: "a smaller version") { try await db.setSchemaVersion(6) }
            try expect(error.message.contains("7") && error.message.contains("6"), "It does not name both: \(error)")
            try expect(try await db.schemaVersion(), equals: 7, "the version after it was not lowered")
            try await db.setSchemaVersion(7)
            try await db.setSchemaVersion(-3, allowingLower: true)
            try expect(try await environment.open().schemaVersion(), equals: -3, "the version that others see")
        },
        ConformanceCase(
            "sch-6.newer", "SCH-6", "A database with a greater version than the program's is refused, and not changed"
        ) { environment in
            let db = try await environment.open(Note.self)
            try expect(try await db.schemaVersion(), equals: nil, "the version where no program has one")
            try await db.migrate(Schema(Note.self, version: 8))
            try expect(try await db.schemaVersion(), equals: 8, "the version after a migration")
            try await db.migrate(Schema(Note.self))
            try await db.migrate(Note.self)
            try expect(try await db.schemaVersion(), equals: 8, "the version after programs that have none")
            let error = try await expect(.conflict, from: "a migration by an older program") {
                try await db.migrate(Schema(Note.self, Tagged.self, version: 7))
            }
            try expect(error.message.contains("8") && error.message.contains("7"), "It does not name both: \(error)")
            try await expect(.notMigrated, from: "the table that was refused") { _ = try await db.count(Tagged.self) }
            let refused = try await expect(.conflict, from: "opening by an older program") {
                _ = try await environment.open { $0.migrations.schemaVersion = 7 }
            }
            try expect(
                refused.message.contains("8") && refused.message.contains("7"), "It does not name both: \(refused)")
            _ = try await environment.open { $0.migrations.schemaVersion = 8 }
            try await db.migrate(Schema(Note.self, Tagged.self, version: 9))
            try expect(try await db.schemaVersion(), equals: 9, "the version of a newer program")
            try expect(try await db.count(Tagged.self), equals: 0, "the rows of the new table")
        },
    ]
}
