import Holdfast

/// Permissions to lose something that name the wrong thing, and programs that are older than the schema.
extension ConformanceCase {
    static let sch4Losses: [ConformanceCase] = [
        ConformanceCase(
            "sch-4.own-tables", "SCH-4", "The library's own tables are dropped and renamed by nobody"
        ) { environment in
            let db = try await environment.open(Note.self)
            let tables = ["holdfast_column", "holdfast_applied", "holdfast_log", "Holdfast_Version", "holdfast_next"]
            for table in tables {
                let losses: [SchemaLoss] = [
                    .dropping(table: table), .dropping(column: "storage", of: table),
                    .unwrapping(array: table, into: "title", of: "note"), .leavingLog(of: table),
                    .requiring(column: "storage", of: table),
                ]
                for loss in losses {
                    let error = try await expect(.conflict, from: "\(loss)") {
                        try await db.migrate(Schema(Note.self, allowing: [loss]))
                    }
                    try expect(error.table, equals: table, "the table of the error")
                }
                let migrations = [
                    Migration("1") { $0.drop(table: table) }, Migration("2") { $0.rename(table: table, to: "mine") },
                    Migration("3", .afterTypes) { $0.drop(column: "storage", of: table) },
                ]
                for migration in migrations {
                    try await expect(.conflict, from: "the migration \(migration.id)") {
                        try await db.migrate(Schema(Note.self, migrations: [migration]))
                    }
                }
            }
            try await expect(.conflict, from: "dropping the table of a type") {
                try await db.dropTable(JournalOfOthers.self)
            }
            try expect(try await db.migrate(Note.self).steps, equals: [], "the steps")
        },
        ConformanceCase(
            "sch-4.misspelt", "SCH-4",
            "A permission to lose something that is misspelt is refused, and what may have been meant is named",
            level: .live
        ) { environment in
            let db = try await environment.open(Evolved.Rest.self, Evolved.Remark.self, LoggedPart.self)
            try await db.migrate(Evolved.Spare.self)
            let losses: [(SchemaLoss, String)] = [
                (.dropping(table: "remrk"), "remark"), (.dropping(column: "spar", of: "measure"), "spare"),
                (.dropping(column: "spare", of: "measures"), "measure"),
                (.wrapping(column: "spar", of: "measure", into: "measure_spares"), "spare"),
                (.unwrapping(array: "remarks", into: "small", of: "measure"), "remark"),
                (.leavingLog(of: "logged_parts"), "logged_part"),
            ]
            for (loss, name) in losses {
                let schema = Schema(Evolved.Wider.self, allowing: [loss])
                let error = try await expect(.conflict, from: "\(loss)") { try await db.migrate(schema) }
                try expect(error.message.contains("\"\(name)\""), "It does not name \(name): \(error)")
                try await expect(.conflict, from: "the plan of \(loss)") { _ = try await db.schemaPlan(for: schema) }
            }
            let requiring = try await expect(.conflict, from: "requiring a column of another name") {
                try await db.migrate(
                    Schema(Evolved.Spare.Required.self, allowing: [.requiring(column: "spares", of: "measure")]))
            }
            try expect(requiring.message.contains("\"spare\""), "It does not name the column: \(requiring)")

            // What is lost already, or is nothing like what is there, is no mistake.
            let done = Schema(
                Evolved.Wider.self,
                allowing: [
                    .dropping(column: "spare", of: "measure"), .dropping(table: "remark"),
                    .dropping(column: "text", of: "remark"), .dropping(table: "never_was"),
                ])
            try await db.migrate(done)
            try expect(try await db.migrate(done).steps, equals: [], "the steps of a second time")
            try await db.migrate(Evolved.Spared.self)
            let later = Schema(Evolved.Wider.self, allowing: done.allowed)
            try expect(try await db.migrate(later).steps, equals: [], "the steps beside a column of a similar name")
        },
        ConformanceCase(
            "sch-4.logged-columns", "SCH-4",
            "A table that is logged loses columns, and is logged from then on as before",
            level: .live
        ) { environment in
            let db = try await environment.open(Released.Recipe.self)
            _ = try await db.save(Released.Recipe(name: "soup", note: "hot", tags: ["thick"]))
            try await db.migrate(
                Schema(
                    Released.ShortRecipe.self,
                    allowing: [
                        .dropping(column: "note", of: "recipe"),
                        .unwrapping(array: "recipe_tags", into: "tag", of: "recipe"),
                    ]))
            let start = try await db.changeToken()
            try expect(try await db.fetch(Released.ShortRecipe.self).map(\.tag), equals: ["thick"], "the value")
            try await db.sql("UPDATE recipe SET tag = 'thin'").execute()
            try await db.sql("DELETE FROM recipe").execute()
            let changes = try await db.loggedChanges(of: Released.ShortRecipe.self, after: start)
            try expect(changes.map(\.kind), equals: [.updated, .deleted], "the changes that are logged")
            try expect(changes.first?.columns, equals: ["tag"], "the column of the first")
            try expect(try await db.drift(Released.ShortRecipe.self), equals: [], "the differences")
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

/// A type that has one of the library's tables.
@Table("holdfast_column")
struct JournalOfOthers {
    @PrimaryKey @Column("table_name") var table: String
}
