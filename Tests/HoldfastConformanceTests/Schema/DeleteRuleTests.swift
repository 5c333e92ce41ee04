import Testing

@_spi(Driver) @testable import Holdfast

/// What plain SQL sees of delete rules, on both engines.
@Suite struct DeleteRuleTests {
    /// Nodes that hold nodes, in an array `kids` and in a reference `next`, by these rules.
    private func nodes(kids: DeleteRule = .nullify, next: DeleteRule = .nullify) -> [TableDefinition] {
        var rules: [DeleteRuleDefinition] = []
        if kids != .nullify {
            rules.append(
                DeleteRuleDefinition(
                    owner: "node", property: "kids", rule: kids, target: "node", targetKey: ["id"],
                    source: .joinTable("node_kids", ownerColumns: ["node_id"], targetColumns: ["target_id"])))
        }
        if next != .nullify {
            rules.append(
                DeleteRuleDefinition(
                    owner: "node", property: "next_id", rule: next, target: "node", targetKey: ["id"],
                    source: .columns(["next_id"])))
        }
        var links = TableDefinition(
            "node_kids", key: ["node_id", "position"], ["target_id"], required: ["target_id"],
            foreignKeys: [
                ForeignKeyDefinition("node_id", to: "node", ["id"], kids == .deny ? .restrict : .cascade),
                ForeignKeyDefinition("target_id", to: "node", ["id"], .cascade),
            ])
        for index in links.columns.indices { links.columns[index].property = "kids" }
        return [
            TableDefinition(
                "node", ["next_id"], foreignKeys: [ForeignKeyDefinition("next_id", to: "node")], rules: rules), links,
        ]
    }

    @Test(arguments: SchemaEngine.available) func `what an array holds goes with its owner, in cycles too`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .cascade))
            try await db.run(
                "INSERT INTO node (id) VALUES (1), (2), (3), (4), (5), (6), (7)",
                // A cycle of one, of two, and of three with a link to itself and a target twice.
                "INSERT INTO node_kids VALUES (1,0,1), (2,0,3), (3,0,2), (4,0,5), (5,0,6), (6,0,4), (4,1,5), (4,2,4)",
                "DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT id FROM node ORDER BY id") == [2, 3, 4, 5, 6, 7])
            try await db.run("DELETE FROM node WHERE id = 2")
            #expect(try await db.numbers("SELECT id FROM node ORDER BY id") == [4, 5, 6, 7])
            try await db.run("DELETE FROM node WHERE id = 5")
            #expect(try await db.numbers("SELECT id FROM node ORDER BY id") == [7])
            #expect(try await db.numbers("SELECT count(*) FROM node_kids") == [0])
        }
    }

    @Test(arguments: SchemaEngine.available) func `what a reference holds goes with its owner, in cycles too`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(next: .cascade))
            try await db.run(
                "INSERT INTO node (id) VALUES (1), (2), (3), (4), (5), (6), (7)",
                """
                UPDATE node SET next_id = CASE id WHEN 1 THEN 1 WHEN 2 THEN 3 WHEN 3 THEN 2 WHEN 4 THEN 5 WHEN 5 THEN 6 \
                ELSE 4 END
                """,
                "DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT id FROM node ORDER BY id") == [2, 3, 4, 5, 6, 7])
            try await db.run("DELETE FROM node WHERE id = 2")
            #expect(try await db.numbers("SELECT id FROM node ORDER BY id") == [4, 5, 6, 7])
            try await db.run("DELETE FROM node WHERE id = 5")
            // It held one that is gone.
            #expect(try await db.numbers("SELECT id FROM node WHERE next_id IS NULL") == [7])
            #expect(try await db.numbers("SELECT count(*) FROM node") == [1])
        }
    }

    @Test(arguments: SchemaEngine.available) func `cycles end where all rows are deleted by one statement`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .cascade, next: .cascade))
            try await db.run(
                "INSERT INTO node (id) VALUES (1), (2), (3), (4), (5), (6)",
                "UPDATE node SET next_id = 7 - id", "INSERT INTO node_kids SELECT id, 0, 7 - id FROM node",
                "INSERT INTO node_kids SELECT id, 1, id FROM node", "DELETE FROM node")
            #expect(try await db.numbers("SELECT count(*) FROM node") == [0])
            #expect(try await db.numbers("SELECT count(*) FROM node_kids") == [0])
        }
    }

    @Test(arguments: SchemaEngine.available) func `a chain of two hundred goes as a whole`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .cascade, next: .cascade))
            let rows = (1...402).map { "(\($0))" }.joined(separator: ", ")
            try await db.run(
                "INSERT INTO node (id) VALUES \(rows)",
                "INSERT INTO node_kids SELECT id, 0, id + 1 FROM node WHERE id <= 200",
                "UPDATE node SET next_id = id + 1 WHERE id > 201 AND id < 402", "DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT count(*) FROM node") == [201])
            try await db.run("DELETE FROM node WHERE id = 202")
            #expect(try await db.numbers("SELECT count(*) FROM node") == [0])
        }
    }

    @Test(arguments: SchemaEngine.available, [DeleteRule.cascade, .deny])
    func `a dropped column takes its own rule along, whatever the property is called, and no other`(
        engine: SchemaEngine, rule: DeleteRule
    ) async throws {
        func reference(_ property: String, in column: String) -> DeleteRuleDefinition {
            DeleteRuleDefinition(
                owner: "node", property: property, rule: rule, target: "node", targetKey: ["id"],
                source: .columns([column]))
        }
        try await RelationDatabase.with(engine) { db async throws in
            // The second one has the name that a property of the dropped column would give its rule.
            let rules = [reference("leader", in: "100%_\"it's\""), reference("100%", in: "other")]
            try await db.migrate([TableDefinition("node", ["100%_\"it's\"", "other"], rules: rules)])
            try await db.migrate(
                [TableDefinition("node", ["other"])], allowing: [.dropping(column: "100%_\"it's\"", of: "node")])
            let left = try await db.connection.tables(["node"]).tables["node"]
            #expect(left?.ownTriggers == [rules[1].name])
            try await db.run("INSERT INTO node (id) VALUES (1)", "DELETE FROM node")
        }
    }

    @Test(arguments: SchemaEngine.available) func `what is taken out of an array or a reference stays`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .cascade, next: .cascade))
            try await db.run(
                "INSERT INTO node (id) VALUES (1), (2), (3), (4)", "INSERT INTO node_kids VALUES (1, 0, 2), (1, 1, 3)",
                "UPDATE node SET next_id = 4 WHERE id = 1", "DELETE FROM node_kids WHERE position = 0",
                "UPDATE node SET next_id = NULL")
            #expect(try await db.numbers("SELECT count(*) FROM node") == [4])
            try await db.run("DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT id FROM node ORDER BY id") == [2, 4])
        }
    }

    @Test(arguments: SchemaEngine.available) func `what goes is taken out of the arrays and references of others`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .cascade))
            try await db.run(
                "INSERT INTO node VALUES (1, NULL), (2, NULL), (3, 1), (4, 2)",
                "INSERT INTO node_kids VALUES (1, 0, 2), (3, 5, 1), (3, 6, 2), (3, 7, 4)",
                "DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT id FROM node WHERE next_id IS NULL ORDER BY id") == [3, 4])
            #expect(try await db.numbers("SELECT position FROM node_kids") == [7])
        }
    }

    @Test(arguments: SchemaEngine.available) func `an owner whose rule denies it is kept while it holds others`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .deny, next: .deny))
            try await db.run(
                "INSERT INTO node VALUES (1, NULL), (2, NULL), (3, 1), (4, NULL)",
                "INSERT INTO node_kids VALUES (4, 0, 2)")
            let reference = await db.failure("DELETE FROM node WHERE id = 3")
            #expect(reference?.code == .foreignKeyViolation)
            #expect(reference?.table == "node")
            #expect(reference?.properties == ["next_id"])
            #expect(reference?.constraint == "holdfast_node_next_id_deny")
            #expect(await db.failure("DELETE FROM node WHERE id = 4")?.code == .foreignKeyViolation)
            #expect(try await db.numbers("SELECT count(*) FROM node") == [4])
            // What is held may go, and what holds nothing any more.
            try await db.run("DELETE FROM node WHERE id IN (1, 2)", "DELETE FROM node")
            #expect(try await db.numbers("SELECT count(*) FROM node") == [0])
        }
    }

    @Test(arguments: SchemaEngine.available) func `a denial deep in a cascade refuses the whole`(
        engine: SchemaEngine
    ) async throws {
        let rules = [
            DeleteRuleDefinition(
                owner: "a", property: "b_id", rule: .cascade, target: "b", targetKey: ["id"], source: .columns(["b_id"])
            ),
            DeleteRuleDefinition(
                owner: "b", property: "c_id", rule: .deny, target: "c", targetKey: ["id"], source: .columns(["c_id"])),
        ]
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate([
                TableDefinition(
                    "a", ["b_id"], foreignKeys: [ForeignKeyDefinition("b_id", to: "b")], rules: [rules[0]]),
                TableDefinition(
                    "b", ["c_id"], foreignKeys: [ForeignKeyDefinition("c_id", to: "c")], rules: [rules[1]]),
                TableDefinition("c"),
            ])
            try await db.run(
                "INSERT INTO c VALUES (1)", "INSERT INTO b VALUES (1, 1)", "INSERT INTO a VALUES (1, NULL), (2, 1)")
            let error = await db.failure("DELETE FROM a")
            #expect(error?.code == .foreignKeyViolation)
            #expect(error?.table == "b")
            #expect(try await db.numbers("SELECT id FROM a ORDER BY id") == [1, 2])
        }
    }

    @Test(arguments: SchemaEngine.available) func `rules follow keys of several columns, and awkward names`(
        engine: SchemaEngine
    ) async throws {
        let (owner, target, link) = ("a \"b\" 100% $rule$ 'x' %1$I", "the 'target'", "link \"1\"")
        func rule(_ property: String, _ source: DeleteRuleDefinition.Source, _ rule: DeleteRule) -> DeleteRuleDefinition
        {
            DeleteRuleDefinition(
                owner: owner, property: property, rule: rule, target: target, targetKey: ["k %", "k'2"], source: source)
        }
        let definitions = [
            TableDefinition(
                owner, key: ["x \"", "y %s"], ["r 1", "r \"2", "d", "e"],
                foreignKeys: [
                    ForeignKeyDefinition("r 1", "r \"2", to: target, ["k %", "k'2"]),
                    ForeignKeyDefinition("d", "e", to: target, ["k %", "k'2"]),
                ],
                rules: [
                    rule("all", .joinTable(link, ownerColumns: ["o1", "o2"], targetColumns: ["t\"", "t%"]), .cascade),
                    rule("one", .columns(["r 1", "r \"2"]), .cascade), rule("no", .columns(["d", "e"]), .deny),
                ]),
            TableDefinition(target, key: ["k %", "k'2"]),
            TableDefinition(
                link, key: ["o1", "o2", "position"], ["t\"", "t%"], required: ["t\"", "t%"],
                foreignKeys: [
                    ForeignKeyDefinition("o1", "o2", to: owner, ["x \"", "y %s"], .cascade),
                    ForeignKeyDefinition("t\"", "t%", to: target, ["k %", "k'2"], .cascade),
                ]),
        ]
        try await RelationDatabase.with(engine) { db async throws in
            func quoted(_ name: String) -> String { db.driver.dialect.quoted(name) }
            try await db.migrate(definitions)
            try await db.run(
                "INSERT INTO \(quoted(target)) VALUES (1, 1), (1, 2), (2, 1), (2, 2)",
                """
                INSERT INTO \(quoted(owner)) VALUES (7, 1, 1, 1, NULL, NULL), (7, 2, NULL, 2, NULL, 1),
                    (8, 1, NULL, NULL, 2, 2)
                """,
                "INSERT INTO \(quoted(link)) VALUES (7, 1, 0, 1, 2), (7, 2, 0, 2, 2)",
                "DELETE FROM \(quoted(owner)) WHERE \(quoted("x \"")) = 7 AND \(quoted("y %s")) = 1")
            #expect(
                try await db.numbers(
                    "SELECT 10 * \(quoted("k %")) + \(quoted("k'2")) AS n FROM \(quoted(target)) ORDER BY n")
                    == [21, 22])
            let error = await db.failure("DELETE FROM \(quoted(owner)) WHERE \(quoted("x \"")) = 8")
            #expect(error?.code == .foreignKeyViolation)
            #expect(error?.table == owner)
            #expect(error?.constraint == definitions[0].deleteRules[2].name)
        }
    }

    @Test(.enabled(if: Engines.postgresURL != nil, "HOLDFAST_POSTGRES_URL names no server."))
    func `rules hold for who looks for tables in another schema`() async throws {
        try await RelationDatabase.with(.postgresql) { db async throws in
            try await db.migrate(nodes(kids: .cascade, next: .cascade))
            let schema = try await db.text("SELECT current_schema()::text")
            try await db.run(
                "INSERT INTO node VALUES (2, NULL), (3, NULL), (1, 2)", "INSERT INTO node_kids VALUES (1, 0, 3)",
                // Nor does it matter that the schema has another name now.
                "ALTER SCHEMA \(schema) RENAME TO \(schema)_moved", "SET search_path = pg_catalog",
                "DELETE FROM \(schema)_moved.node WHERE id = 1")
            #expect(try await db.numbers("SELECT count(*) FROM \(schema)_moved.node") == [0])
            try await db.run("ALTER SCHEMA \(schema)_moved RENAME TO \(schema)")
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `a rule that is declared otherwise, or no more, is replaced or dropped`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(nodes(kids: .cascade, next: .cascade))
            let changes = try await db.migrate(nodes(kids: .cascade, next: .deny))
            #expect(
                changes.steps.contains {
                    $0.action == .dropDeleteRule(name: "holdfast_node_next_id_cascade", table: "node")
                })
            try await db.run("INSERT INTO node VALUES (1, NULL), (2, 1)", "INSERT INTO node_kids VALUES (1, 0, 2)")
            #expect(await db.failure("DELETE FROM node WHERE id = 2")?.code == .foreignKeyViolation)
            try await db.migrate(nodes())
            try await db.run("DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT id FROM node") == [2])
            try await db.migrate(nodes(kids: .cascade, next: .cascade))
            try await db.run("INSERT INTO node VALUES (1, 2)", "DELETE FROM node WHERE id = 1")
            #expect(try await db.numbers("SELECT count(*) FROM node") == [0])
        }
    }
}
