import Holdfast

/// What a database without any table gets from migrations.
extension ConformanceCase {
    static let sch1NewDatabases: [ConformanceCase] = [
        ConformanceCase(
            "sch-1.every-database", "SCH-1",
            "What migrations make is in new databases and in old ones, and what they do with old rows is not run on new ones",
            requires: [.describingSchemas]
        ) { environment in
            func schema(_ type: any TableObject.Type) -> Schema {
                Schema(
                    types: [type],
                    migrations: [
                        Migration("rename") { $0.rename(column: "pages", of: "document", to: "rank") },
                        Migration("trim") { $0.sql("UPDATE document SET heading = title") },
                        Migration("seed", for: .existingData) {
                            $0.sql("INSERT INTO document (id, title) VALUES (8, 'o')")
                        },
                        Migration("view", for: .everyDatabase) { steps in
                            steps.rename(column: "rank", of: "document", to: "pages")
                            steps.sql("CREATE VIEW named AS SELECT id, title FROM document")
                        },
                        Migration("index", .afterTypes) { steps in
                            steps.sql("CREATE INDEX by_hand ON document (language, title)")
                            steps.data { _ = try await $0.insert(Migrated.Second(id: 9, title: "new")) }
                            steps.drop(column: "heading", of: "document")
                        },
                    ])
            }
            let new = try await environment.open()
            let plan = try await new.schemaPlan(for: schema(Migrated.Second.self))
            let done = try await new.migrate(schema(Migrated.Second.self))
            try expect(done.steps.map(\.sql), equals: plan.steps.map(\.sql), "what was done")
            try expect(
                try await new.migrate(schema(Migrated.Second.self)).steps, equals: [], "the steps of a second time")
            try expect(try await new.numbers("SELECT id FROM named"), equals: [9], "the rows of the view")
            let drift = try await new.drift(Migrated.Second.self)
            try expect(drift.map(\.element), equals: [.index("by_hand")], "what no type declares")
            for done in [false, true] {
                let later = Schema(
                    types: [Migrated.Second.self],
                    migrations: schema(Migrated.Second.self).migrations
                        + (done ? [] : [Migration("more") { $0.sql("SELECT 1") }]))
                if done {
                    try await expect(.conflict, from: "a migration that is not listed") { try await new.migrate(later) }
                } else {
                    try await new.migrate(later)
                }
            }
        },
        ConformanceCase(
            "sch-1.old-as-new", "SCH-1", "An old database gets what migrations make, as a new one does"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            try await db.migrate(
                Schema(
                    Migrated.First.self,
                    migrations: [
                        Migration("seed", for: .existingData) {
                            $0.sql("INSERT INTO document (id, title) VALUES (8, 'o')")
                        },
                        Migration("view", for: .everyDatabase) {
                            $0.sql("CREATE VIEW named AS SELECT id, title FROM document")
                        },
                        Migration("new", .afterTypes) { steps in
                            steps.data { _ = try await $0.insert(Migrated.First(id: 9, title: "new")) }
                        },
                    ]))
            try expect(
                try await db.numbers("SELECT id FROM named ORDER BY id"), equals: [1, 8, 9], "the rows of the view")
        },
        ConformanceCase(
            "sch-1.undecided", "SCH-1",
            "A migration that may make something, and does not say whether new databases need it, is refused on these by name"
        ) { environment in
            func schema(_ migrations: Migration...) -> Schema { Schema(Migrated.First.self, migrations: migrations) }
            let making = Migration("making") { $0.sql("CREATE VIEW named AS SELECT id, title FROM document") }
            let running = Migration("running") { $0.data { _ in } }
            let seeding = Migration("seeding", .afterTypes) {
                $0.sql("INSERT INTO document (id, title) VALUES (1, 'a')")
            }
            let updating = Migration("updating") { $0.sql("UPDATE document SET title = 'b'") }
            let new = try await environment.open()
            for (name, undecided) in [
                ("making", schema(making)), ("running", schema(running)), ("updating", schema(seeding, updating)),
            ] {
                for action in ["a migration", "a plan"] {
                    let error = try await expect(.conflict, from: "\(action) of a new database") {
                        _ =
                            action == "a plan"
                            ? try await new.schemaPlan(for: undecided) : try await new.migrate(undecided)
                    }
                    try expect(error.message.contains("\"\(name)\""), "It does not name the migration: \(error)")
                    try expect(error.message.contains(".everyDatabase"), "It does not say what to add: \(error)")
                }
            }
            try await expect(.notMigrated, from: "the table of the type") {
                _ = try await new.count(Migrated.First.self)
            }
            let failing = Migration("failing", .afterTypes) { $0.sql("UPDATE document SET title = heading") }
            let error = try await expect(.notMigrated, from: "a migration about a column that is gone") {
                try await new.migrate(schema(failing))
            }
            try expect(error.message.contains(".existingData"), "It does not say what to add: \(error)")
            // Which databases need it can be said later.
            try await new.migrate(schema(updating, seeding))
            try expect(try await new.fetch(Migrated.First.self).map(\.title), equals: ["a"], "the rows")
            let said = Migration("seeding", .afterTypes, for: .everyDatabase) {
                $0.sql("INSERT INTO document (id, title) VALUES (1, 'a')")
            }
            try expect(try await new.migrate(schema(updating, said)).steps, equals: [], "the steps when it is said")
        },
    ]
}
