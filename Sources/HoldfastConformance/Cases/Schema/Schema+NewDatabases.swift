import Holdfast

/// What a database without any table gets besides those of the types.
extension ConformanceCase {
    static let newDatabases: [ConformanceCase] = [
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
        ConformanceCase(
            "sch-13.additions", "SCH-13",
            "What a schema adds is made where it is missing, in new databases and in old ones, once",
            requires: [.describingSchemas]
        ) { environment in
            func schema(_ type: any TableObject.Type) -> Schema {
                Schema(
                    types: [type],
                    migrations: [
                        Migration("tally", .afterTypes) { $0.sql("INSERT INTO tally SELECT count(*) FROM named") }
                    ],
                    adding: [
                        .table("tally", "CREATE TABLE tally (rows_then integer)"),
                        .view("named", "CREATE VIEW named AS SELECT id, title FROM document"),
                        .index("by_hand", of: "document", "CREATE INDEX by_hand ON document (title, id)"),
                        .rows("first", "INSERT INTO document (id, title) VALUES (7, \("first"))"),
                        .other(
                            "second", "INSERT INTO document (id, title) VALUES (9, 'second')",
                            isThere: "SELECT 1 FROM document WHERE id = \(9)"),
                    ])
            }
            for isNew in [true, false] {
                let db = try await environment.open()
                if !isNew {
                    for statement: SQLFragment in [
                        "DROP VIEW named", "DROP TABLE tally", "DELETE FROM holdfast_addition",
                        "DELETE FROM holdfast_applied",
                    ] {
                        try await db.sql(statement).execute()
                    }
                    try await db.dropTable(Migrated.Second.self)
                    try await db.migrate(Migrated.First.self)
                    _ = try await db.insert(Migrated.First(id: 1, title: "old"))
                }
                let plan = try await db.schemaPlan(for: schema(Migrated.Second.self))
                try expect(
                    plan.steps.contains { $0.action == .makeAddition(.view, name: "named") }, "The plan is \(plan).")
                let before = try await db.drift(schema(Migrated.Second.self)).map(\.element)
                try expect(before.contains(.addition(.view, name: "named")), "The differences are \(before).")
                let done = try await db.migrate(schema(Migrated.Second.self))
                try expect(done.steps.map(\.sql), equals: plan.steps.map(\.sql), "what was done")
                try expect(
                    try await db.migrate(schema(Migrated.Second.self)).steps, equals: [], "the steps of a second time")
                try expect(
                    try await db.numbers("SELECT id FROM named ORDER BY id"), equals: isNew ? [7, 9] : [1, 7, 9],
                    "the rows")
                try expect(try await db.drift(schema(Migrated.Second.self)), equals: [], "the differences")
            }
            let db = try await environment.open()
            try await db.sql("DROP VIEW named").execute()
            let drift = try await db.drift(schema(Migrated.Second.self))
            try expect(
                drift,
                equals: [
                    SchemaDrift(table: "named", element: .addition(.view, name: "named"), difference: .missing(""))
                ],
                "the differences when it was dropped by hand")
            try expect(drift.first?.description, equals: "The view \"named\" is missing.", "the sentence")
            try await db.migrate(schema(Migrated.Second.self))
            try expect(try await db.numbers("SELECT id FROM named WHERE id = 9"), equals: [9], "the rows of the view")
            // A row that the program looks for comes back, and one that it inserts once does not.
            try await db.sql("DELETE FROM document WHERE id > 1").execute()
            try await db.migrate(schema(Migrated.Second.self))
            try expect(try await db.numbers("SELECT id FROM document WHERE id > 1"), equals: [9], "the rows")
        },
        ConformanceCase(
            "sch-13.changed-additions", "SCH-13",
            "A view is made anew where its statement has changed, and where columns are altered; rows and tables are refused",
            requires: [.describingSchemas]
        ) { environment in
            func schema(_ type: any TableObject.Type, _ view: SQLFragment, _ losses: SchemaLoss...) -> Schema {
                Schema(types: [type], adding: [.view("small_measure", view)], allowing: losses)
            }
            let db = try await environment.open(Evolved.Rest.self)
            let view: SQLFragment = "CREATE VIEW small_measure AS SELECT * FROM measure WHERE small > 1"
            try await db.sql(view).execute()
            try expect(
                try await db.migrate(schema(Evolved.Rest.self, view)).steps, equals: [], "the steps where it is there")
            _ = try await db.insert([Evolved.Rest(small: 1), Evolved.Rest(small: 2), Evolved.Rest(small: 3)])
            // Columns that a view shows can't be altered or dropped while it is there.
            try await db.migrate(schema(Evolved.Spare.self, view))
            try expect(try await db.numbers("SELECT small FROM small_measure ORDER BY id"), equals: [2, 3], "the view")
            let other: SQLFragment = "CREATE VIEW small_measure AS SELECT * FROM measure WHERE small > 2"
            let drift = try await db.drift(schema(Evolved.Spare.self, other))
            try expect(drift.map(\.table), equals: ["small_measure"], "what differs")
            let plan = try await db.schemaPlan(for: schema(Evolved.Spare.self, other))
            try expect(try await db.migrate(schema(Evolved.Spare.self, other)), equals: plan, "what was done")
            try expect(
                try await db.numbers("SELECT small FROM small_measure"), equals: [3], "the view when it has changed")
            let dropping = schema(Evolved.Wider.self, other, .dropping(column: "spare", of: "measure"))
            try await db.migrate(dropping)
            try expect(
                try await db.numbers("SELECT small FROM small_measure"), equals: [3], "the view of fewer columns")
            try expect(try await db.migrate(dropping).steps, equals: [], "the steps of a second time")

            func seeding(_ rows: SQLFragment) -> Schema { Schema(Evolved.Wider.self, adding: [.rows("seed", rows)]) }
            try await db.migrate(seeding("INSERT INTO measure (small) VALUES (10)"))
            let error = try await expect(.conflict, from: "other rows under one name") {
                try await db.migrate(seeding("INSERT INTO measure (small) VALUES (11)"))
            }
            try expect(error.message.contains("\"seed\""), "It does not name them: \(error)")
        },
        ConformanceCase(
            "sch-13.refused-additions", "SCH-13",
            "An addition that is named twice, fails, or makes something else is refused by name, and nothing is changed",
            requires: [.describingSchemas]
        ) { environment in
            let view: SQLFragment = "CREATE VIEW named AS SELECT id FROM document"
            let additions: [(SchemaAddition, DatabaseError.Code)] = [
                (.rows("seed", "INSERT INTO nowhere (id) VALUES (1)"), .notMigrated),
                (.view("named", "CREATE VIEW otherwise AS SELECT id FROM document"), .conflict),
                (.table("holdfast_addition", "DROP TABLE holdfast_addition"), .conflict),
            ]
            let db = try await environment.open()
            for (addition, code) in additions {
                let error = try await expect(code, from: "an addition that can't be made") {
                    try await db.migrate(Schema(Migrated.First.self, adding: [addition]))
                }
                try expect(error.message.contains("\"\(addition.name)\""), "It does not name it: \(error)")
            }
            try await expect(.conflict, from: "two of one name") {
                try await db.migrate(Schema(Migrated.First.self, adding: [.view("named", view), .view("named", view)]))
            }
            try await expect(.notMigrated, from: "the table of the type") {
                _ = try await db.count(Migrated.First.self)
            }
        },
    ]
}
