import Foundation
import Holdfast

extension ConformanceCase {
    static let sch8WholePlans: [ConformanceCase] = [
        ConformanceCase(
            "sch-8.all-that-runs", "SCH-8",
            "A plan is all that runs, in its order, with each loss: renames, types, drops, named migrations, indexes",
            level: .graph
        ) { environment in
            let db = try await environment.open(Planned.Shop.self, Planned.Draft.self)
            try await Planned.fill(db)
            let schema = Planned.schema([Planned.conversion, Planned.split])
            let plan = try await db.schemaPlan(for: schema)
            let before = try await journal(db).count
            let done = try await db.migrate(schema)
            try expect(plan.steps.map(\.sql), equals: done.steps.map(\.sql), "the statements of the plan")
            try expect(plan.steps.map(\.losesData), equals: done.steps.map(\.losesData), "the losses of the plan")
            try expect(
                plan.steps.map(\.sql), equals: Array(try await journal(db).dropFirst(before)), "the journal")
            try expect(try await db.schemaPlan(for: schema).steps, equals: [], "the plan of a second time")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
            let losses = plan.steps.filter(\.losesData).map(\.sql)
            for loss in ["12.5", "DROP TABLE \"draft\"", "DROP COLUMN \"owner\"", "DROP COLUMN \"remark\""] {
                try expect(losses.contains { $0.contains(loss) }, "\(loss) is no loss: \(losses)")
            }
            try expect(losses.count, equals: 4, "the number of steps that lose values")
            try expect(
                plan.steps.filter { $0.unknown == .statement }.map(\.action),
                equals: [.runMigration(id: "owners")], "the steps of which nothing is known")

            let stores = try await db.query(Planned.Store.self).order { $0.title.ascending }.fetch()
            try expect(stores.map(\.price), equals: [0, 12.5], "the prices")
            try expect(stores.map(\.words), equals: [["x", "y"], []], "the words")
            try expect(stores[0].items.map(\.text), equals: ["i", "j"], "the items")
            try expect(stores[0].following === stores[1], "The reference leads elsewhere.")
            try expect(try await db.fetch(Planned.Ownership.self).map(\.name), equals: ["Ann"], "the owners")
        },
        ConformanceCase(
            "sch-8.indexes-of-others", "SCH-8",
            "A plan that renames what others have indexed, and makes the table anew, tells the statements that run",
            level: .graph
        ) { environment in
            let db = try await environment.open(Planned.Shop.self)
            try await db.sql("CREATE INDEX by_hand ON shop (size, name)").execute()
            try await db.sql("CREATE UNIQUE INDEX large_ones ON shop (name) WHERE size > 10").execute()
            let schema = Planned.schema([])
            let migrations = [Migration("p") { $0.changeType(of: "price", in: "shop", to: .decimal, using: "1") }]
            let plan = try await db.schemaPlan(for: Schema(types: schema.types, migrations: migrations))
            let done = try await db.migrate(Schema(types: schema.types, migrations: migrations))
            try expect(plan.steps.map(\.sql), equals: done.steps.map(\.sql), "the statements of the plan")
            try expect(plan.isKnown, "Something is not known: \(plan.report)")
            let indexes = try await db.schema().table("store")?.indexes.map(\.name) ?? []
            try expect(Set(indexes).isSuperset(of: ["by_hand", "large_ones"]), "An index is gone: \(indexes)")
        },
        ConformanceCase(
            "sch-8.unknown", "SCH-8",
            "A plan says what it can't know: statements and closures of migrations, and what depends on them"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            func schema(_ type: any TableObject.Type, _ build: (inout Migration.Steps) -> Void) -> Schema {
                Schema(types: [type], migrations: [Migration("m", .beforeTypes, build)])
            }
            let update = schema(Migrated.Second.self) { $0.sql("UPDATE document SET title = trim(title)") }
            try expect(
                unknowns(of: try await db.schemaPlan(for: update)), equals: [.statement, nil],
                "what is not known after an UPDATE")
            let select = schema(Migrated.Second.self) { $0.sql("SELECT 1") }
            try expect(
                unknowns(of: try await db.schemaPlan(for: select)), equals: [.statement, nil],
                "what is not known after a SELECT")
            let insert = schema(Migrated.Second.self) { $0.sql("INSERT INTO document (id, title) VALUES (2, 'b')") }
            try expect(
                unknowns(of: try await db.schemaPlan(for: insert)), equals: [.statement, .dependent],
                "what is not known after an INSERT")
            let closure = schema(Migrated.Second.self) { $0.data { _ in } }
            let plan = try await db.schemaPlan(for: closure)
            try expect(
                unknowns(of: plan), equals: [.closure, .dependent], "what is not known after a closure")
            try expect(plan.isKnown, equals: false, "whether all is known")
            try expect(plan.unplanned, equals: [], "what is not planned")
            for text in ["Not known: what this closure", "Not certain: "] {
                try expect(plan.report.contains("-- " + text), "The report does not say \(text): \(plan.report)")
            }

            // What would be refused now may go well by then.
            let repairing = schema(Migrated.Demanding.self) { $0.sql("DELETE FROM document") }
            let repair = try await db.schemaPlan(for: repairing)
            try expect(repair.steps.map(\.sql), equals: ["DELETE FROM document"], "what is planned")
            try expect(repair.unplanned.count, equals: 1, "the number of problems")
            try expect(repair.unplanned.first?.contains("\"owner\"") == true, "No column is named: \(repair.unplanned)")
            try expect(repair.report.contains("-- Not planned: "), "The report does not say so: \(repair.report)")
            let vain = schema(Migrated.Demanding.self) { $0.sql("UPDATE document SET title = 'c'") }
            try await expect(.conflict, from: "what no UPDATE can repair") { _ = try await db.schemaPlan(for: vain) }
            try await expect(.conflict, from: "applying a script of which the end is not known") {
                try await db.migrate(repairing, applying: repair.script)
            }
            try expect(try await db.count(Migrated.First.self), equals: 1, "the rows")
            try await db.migrate(repairing)
            try expect(try await db.count(Migrated.Demanding.self), equals: 0, "the rows")
        },
        ConformanceCase(
            "sch-8.script", "SCH-8",
            "A script that was kept is applied as it is, and refused once the database or the program is another",
            level: .graph
        ) { environment in
            let db = try await environment.open(Planned.Shop.self, Planned.Draft.self)
            try await Planned.fill(db)
            let schema = Planned.schema([Planned.conversion, Planned.split])
            let plan = try await db.schemaPlan(for: schema)
            let kept = try JSONEncoder().encode(plan.script)
            let script = try JSONDecoder().decode(SchemaScript.self, from: kept)
            try expect(script, equals: plan.script, "the script that was kept")
            for step in plan.steps {
                try expect(script.description.contains(step.sql), "The script has no \(step.sql): \(script)")
            }
            try expect(script.description.contains("may lose values"), "The script tells no loss: \(script)")

            let tables = try await shapes(db)
            let changed = Planned.schema([Migration("price") { $0.sql("SELECT 1") }, Planned.split])
            try await expect(.conflict, from: "other statements than those of the script") {
                try await db.migrate(changed, applying: script)
            }
            let bound = { (value: Int) in
                Planned.schema([Migration("m") { $0.sql("UPDATE shop SET size = \(value)") }, Planned.conversion])
            }
            let other = try await expect(.conflict, from: "a migration with another value") {
                try await db.migrate(bound(2), applying: try await db.schemaPlan(for: bound(1)).script)
            }
            try expect(other.message.contains("\"m\""), "The error does not name the migration: \(other)")
            try await db.sql("CREATE INDEX by_hand ON shop (price)").execute()
            let error = try await expect(.conflict, from: "a database that has another index") {
                try await db.migrate(schema, applying: script)
            }
            try expect(error.message.contains("by_hand"), "The error does not tell the difference: \(error)")
            try await db.sql("DROP INDEX by_hand").execute()
            try expect(try await shapes(db), equals: tables, "the tables after what was refused")
            try expect(try await journal(db).contains { $0.contains("by_hand") }, equals: false, "the journal")

            let done = try await db.migrate(schema, applying: script)
            try expect(done.steps.map(\.sql), equals: plan.steps.map(\.sql), "what was run")
            try expect(try await db.migrate(schema, applying: script).steps, equals: [], "the steps of a second time")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps without the script")
            try expect(try await db.fetch(Planned.Ownership.self).map(\.name), equals: ["Ann"], "the owners")
        },
        ConformanceCase(
            "sch-8.script-at-once", "SCH-8", "Of eight that apply a script at the same time, one does, and none fails"
        ) { environment in
            let first = try await environment.open(Migrated.First.self)
            _ = try await first.insert((0..<50).map { Migrated.First(id: Int64($0), title: "t\($0)") })
            let schema = Schema(
                Migrated.Second.self,
                migrations: [Migration("m") { $0.sql("UPDATE document SET title = title || '!'") }],
                buildsIndexesConcurrently: environment.capabilities.buildsIndexesConcurrently)
            let script = try await first.schemaPlan(for: schema).script
            let done = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let db = try await environment.open { $0.pool.maximumConnections = 2 }
                        let schema = Schema(
                            Migrated.Second.self,
                            migrations: [Migration("m") { $0.sql("UPDATE document SET title = title || '!'") }],
                            buildsIndexesConcurrently: environment.capabilities.buildsIndexesConcurrently)
                        return try await db.migrate(schema, applying: script).steps.count
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(done, equals: script.steps.count, "the number of steps of all")
            try expect(try await first.migrate(schema).steps, equals: [], "the steps of another time")
            try expect(try await first.find(Migrated.First.self, key: 1)?.title, equals: "t1!", "a title")
        },
        ConformanceCase(
            "sch-8.script-of-closures", "SCH-8",
            "What runs after a closure has to be what the script says, or all of it is undone",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            func schema(meddles: Bool) -> Schema {
                Schema(
                    Migrated.Second.self,
                    migrations: [
                        Migration("closure") { steps in
                            steps.data { tx in
                                try await tx.sql("UPDATE document SET title = 'b'").execute()
                                if meddles {
                                    try await tx.sql("CREATE INDEX document_title_idx ON document (title)").execute()
                                }
                            }
                        }
                    ])
            }
            let script = try await db.schemaPlan(for: schema(meddles: true)).script
            let error = try await expect(.conflict, from: "a closure that makes an index of the script") {
                try await db.migrate(schema(meddles: true), applying: script)
            }
            try expect(error.message.contains("script"), "The error is another one: \(error)")
            try expect(try await db.fetch(Migrated.First.self).map(\.title), equals: ["a"], "the rows")
            try expect(try await db.schema().table("document")?.indexes.count, equals: 0, "the number of indexes")
            try await db.migrate(schema(meddles: false), applying: script)
            try expect(try await db.fetch(Migrated.Second.self).map(\.title), equals: ["b"], "the rows")
        },
        ConformanceCase(
            "sch-8.all-problems", "SCH-8", "A plan that is refused lists all that is wrong, with table and column",
            level: .graph
        ) { environment in
            let db = try await environment.open(Planned.Shop.self, Planned.Draft.self)
            try await Planned.fill(db)
            let tables = try await shapes(db)
            let schema = Schema(
                Planned.Wrong.self, Planned.WrongItem.self, Planned.Clashing.self,
                allowing: [
                    .requiring(column: "owner", of: "shop"), .requiring(column: "remark", of: "shop"),
                    .dropping(table: "shop"), .dropping(column: "price", of: "shop"),
                ])
            // Names first, then the tables in their order.
            let contradictions = [
                "The name \"SHOP\" is both", "new column \"rating\"", "column \"name\"", "column \"size\"",
                "\"text\" was created for text|\"text\" is of type", "\"shop\" can't be migrated. It may be dropped",
                "column \"price\" may be dropped",
            ]
            let values = ["has in \"owner\" no value", "has in \"remark\" no value"]
            let planned = try await expect(.conflict, from: "the plan") { _ = try await db.schemaPlan(for: schema) }
            let run = try await expect(.conflict, from: "migrate") { try await db.migrate(schema) }
            for error in [planned, run] {
                for text in contradictions {
                    let isTold = text.split(separator: "|").contains { error.message.contains($0) }
                    try expect(isTold, "The error does not tell of \(text): \(error.message)")
                }
                try expect(error.table, equals: "SHOP", "the table of the first problem")
            }
            for text in values {
                try expect(run.message.contains(text), "The error does not tell of values: \(run.message)")
            }
            try expect(run.message.hasPrefix("9 problems"), "Another number of problems: \(run.message)")
            try expect(try await shapes(db), equals: tables, "the tables")
        },
    ]

    /// What the steps of `plan` do not know, without repetitions.
    private static func unknowns(of plan: SchemaPlan) -> [SchemaStep.Unknown?] {
        var seen: [SchemaStep.Unknown?] = []
        for step in plan.steps where seen.last != step.unknown { seen.append(step.unknown) }
        return seen
    }

    /// The tables with their columns and indexes.
    private static func shapes(_ db: Database) async throws -> [[String]] {
        try await db.schema().tables.map { [$0.name] + $0.columns.map(\.name) + $0.indexes.map(\.name) }
    }

    /// The statements that migrations have run.
    private static func journal(_ db: Database) async throws -> [String] {
        try await db.sql("SELECT statement FROM holdfast_migration ORDER BY id").fetch(as: String.self)
    }
}
