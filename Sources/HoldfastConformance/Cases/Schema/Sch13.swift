import Holdfast

/// What a database without any table gets besides those of the types.
extension ConformanceCase {
    static let sch13: [ConformanceCase] = [
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
