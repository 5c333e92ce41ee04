import Holdfast

/// Earlier releases of a program that start on the database of a later one.
extension ConformanceCase {
    static let releases: [ConformanceCase] = [
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
                let old = try await environment.open { $0.schemaVersion = version }
                try expect(
                    try await old.schemaPlan(for: first(version)).steps, equals: [], "the plan of an old program")
                try expect(try await old.migrate(first(version)).steps, equals: [], "the steps of an old program")
                try await old.save(Released.Customer("\(version)"))
                let names = try await old.query(Released.Customer.self).order { $0.id.ascending }.fetch().map(\.name)
                try expect(names.first, equals: "a", "what an old program reads")
            }
            for action in ["opening", "migrating"] {
                let error = try await expect(.conflict, from: "\(action) by a program that is too old") {
                    let old = try await environment.open { if action == "opening" { $0.schemaVersion = 4 } }
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
            "sch-1.additive", "SCH-1",
            "A program starts though the database has had a migration that it does not list, if that only adds"
        ) { environment in
            let db = try await environment.open(Released.Customer.self)
            try await db.save(Released.Customer("a"))
            func schema(_ migrations: Migration...) -> Schema { Schema(Released.Customer.self, migrations: migrations) }
            let first = Migration("first", isAdditive: true) { $0.sql("UPDATE customer SET name = 'b'") }
            let second = Migration("second") { $0.sql("UPDATE customer SET name = 'c'") }
            try await db.migrate(schema(first))
            try await db.migrate(schema())
            try await db.migrate(schema(first, second))
            let error = try await expect(.conflict, from: "a program before one that is not additive") {
                try await db.migrate(schema(first))
            }
            try expect(error.message.contains("\"second\""), "It does not name the migration: \(error)")
            try expect(try await db.fetch(Released.Customer.self).map(\.name), equals: ["c"], "the names")
            let dropping = Migration("third", isAdditive: true) { $0.drop(column: "name", of: "customer") }
            let refused = try await expect(.conflict, from: "an additive migration that drops") {
                try await db.migrate(schema(first, second, dropping))
            }
            try expect(refused.message.contains("\"third\""), "It does not name the migration: \(refused)")
        },
        ConformanceCase(
            "sch-4.older-programs", "SCH-4",
            "A program that is older than a rename is refused by name, and makes nothing of the former name",
            level: .graph
        ) { environment in
            let db = try await environment.open(Released.Purchase.self)
            try await db.save(Released.Purchase("p", Released.Customer("c")))
            try await db.migrate(Released.Order.self)
            let names: [(any TableObject.Type, String, [String])] = [
                (Released.Customer.self, "client", []), (Released.Purchase.self, "label", ["title"]),
                (Released.Titled.self, "label", ["title"]),
            ]
            for (type, name, properties) in names {
                for action in ["a migration", "a plan"] {
                    let error = try await expect(.conflict, from: "\(action) by an older program") {
                        _ = action == "a plan" ? try await db.schemaPlan(for: type) : try await db.migrate(type)
                    }
                    try expect(error.message.contains("\"\(name)\""), "It does not name \(name): \(error)")
                    try expect(error.properties, equals: properties, "the properties of the error")
                }
            }
            try await expect(.notMigrated, from: "the former table") { _ = try await db.count(Released.Customer.self) }
            try await expect(.notMigrated, from: "the former column") {
                _ = try await db.sql("SELECT customer_id FROM purchase").fetch(as: Int?.self)
            }
            let order = try expect(some: try await db.query(Released.Order.self).first(), "the order")
            try expect([order.label, order.client?.name], equals: ["p", "c"], "what it holds")
            // One that knows the new name may give the old one to something else.
            try await db.migrate(Released.Order.self, Released.Customer.self)
            try expect(try await db.count(Released.Customer.self), equals: 0, "the rows of a new table")
            try expect(try await db.migrate(Released.Customer.self).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "sch-4.older-than-migrations", "SCH-4",
            "A program that lists no migrations is refused if it is older than one that renames"
        ) { environment in
            let db = try await environment.open(Released.Customer.self)
            try await db.save(Released.Customer("a"))
            let renaming = Migration("client") { steps in
                steps.rename(table: "customer", to: "guest")
                steps.rename(table: "guest", to: "client")
            }
            func schema(_ type: any TableObject.Type, _ losses: SchemaLoss...) -> Schema {
                Schema(types: [type], migrations: [renaming], allowing: losses)
            }
            try await db.migrate(schema(Released.Client.self))
            let error = try await expect(.conflict, from: "an older program") {
                try await db.migrate(Released.Customer.self)
            }
            try expect(error.message.contains("\"client\""), "It does not name the table: \(error)")
            // One that lists the migration knows; and what was dropped is in nobody's way.
            try await db.migrate(schema(Released.Customer.self))
            try await db.dropTable(Released.Customer.self)
            try await db.migrate(schema(Note.self, .dropping(table: "client")))
            try await db.migrate(Released.Customer.self)
            try expect(try await db.count(Released.Customer.self), equals: 0, "the rows of a new table")
        },
    ]
}
