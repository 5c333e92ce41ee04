import Testing

@_spi(Driver) @testable import Holdfast

/// How foreign keys come about and change, on both engines.
@Suite struct ForeignKeyTests {
    @Test(arguments: SchemaEngine.available) func `tables that refer to each other are created`(
        engine: SchemaEngine
    ) async throws {
        let definitions = [
            TableDefinition(
                "membership", ["person_id"], foreignKeys: [ForeignKeyDefinition("person_id", to: "person")]),
            TableDefinition(
                "person", ["team_id", "boss_id"],
                foreignKeys: [
                    ForeignKeyDefinition("team_id", to: "team"), ForeignKeyDefinition("boss_id", to: "person"),
                ]),
            TableDefinition(
                "team", ["lead_id"], required: ["lead_id"],
                foreignKeys: [ForeignKeyDefinition("lead_id", to: "person", ["id"], .restrict)]),
        ]
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(definitions)
            let tables = try await db.connection.tables(definitions.map(\.name)).tables
            #expect(
                Set(tables["person"]?.foreignKeys.map { $0.onDelete } ?? []) == [.setNull]
                    && tables["person"]?.foreignKeys.count == 2)
            #expect(tables["team"]?.foreignKeys.map(\.onDelete) == [.restrict])
            #expect(tables["membership"]?.foreignKeys.map(\.table) == ["person"])
            try await db.run(
                "INSERT INTO person VALUES (1, NULL, 1)", "INSERT INTO team VALUES (1, 1)",
                "UPDATE person SET team_id = 1")
            #expect(await db.failure("DELETE FROM person")?.code == .foreignKeyViolation)
            #expect(await db.failure("UPDATE team SET lead_id = 9")?.code == .foreignKeyViolation)
            try await db.run("DELETE FROM team", "DELETE FROM person")
        }
    }

    @Test(arguments: SchemaEngine.available) func `a new column brings its foreign key, to a table that is new too`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate([TableDefinition("book")])
            try await db.run("INSERT INTO book VALUES (1), (2)")
            let rule = DeleteRuleDefinition(
                owner: "book", property: "author_id", rule: .cascade, target: "author", targetKey: ["id"],
                source: .columns(["author_id"]))
            try await db.migrate([
                TableDefinition(
                    "book", ["author_id"], foreignKeys: [ForeignKeyDefinition("author_id", to: "author")],
                    rules: [rule]),
                TableDefinition("author", ["book_id"], foreignKeys: [ForeignKeyDefinition("book_id", to: "book")]),
            ])
            #expect(await db.failure("UPDATE book SET author_id = 1")?.code == .foreignKeyViolation)
            try await db.run(
                "INSERT INTO author VALUES (1, 2)", "UPDATE book SET author_id = 1", "DELETE FROM book WHERE id = 1")
            #expect(try await db.numbers("SELECT count(*) FROM author") == [0])
            #expect(try await db.numbers("SELECT count(*) FROM book WHERE author_id IS NULL") == [1])
        }
    }

    @Test(arguments: SchemaEngine.available) func `an empty table gets a reference that is required`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate([TableDefinition("book"), TableDefinition("author")])
            try await db.migrate([
                TableDefinition(
                    "book", ["author_id"], required: ["author_id"],
                    foreignKeys: [ForeignKeyDefinition("author_id", to: "author", ["id"], .restrict)]),
                TableDefinition("author"),
            ])
            try await db.run("INSERT INTO author VALUES (1)", "INSERT INTO book VALUES (1, 1)")
            #expect(await db.failure("DELETE FROM author")?.code == .foreignKeyViolation)
        }
    }

    @Test(arguments: SchemaEngine.available) func `new columns of one key are refused where the engine can't add it`(
        engine: SchemaEngine
    ) async throws {
        let author = TableDefinition("author", key: ["a", "b"])
        let book = TableDefinition(
            "book", ["author_a", "author_b"],
            foreignKeys: [ForeignKeyDefinition("author_a", "author_b", to: "author", ["a", "b"])])
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate([TableDefinition("book"), author])
            if db.driver.dialect.canAlterForeignKeys {
                try await db.migrate([book, author])
                #expect(await db.failure("INSERT INTO book VALUES (1, 2, 3)")?.code == .foreignKeyViolation)
            } else {
                let error = await #expect(throws: DatabaseError.self) { _ = try await db.plan([book, author]) }
                #expect(error?.code == .conflict)
                #expect(error?.properties == ["author_a", "author_b"])
            }
        }
    }

    @Test(arguments: SchemaEngine.available) func `another ON DELETE replaces the key, or is refused by name`(
        engine: SchemaEngine
    ) async throws {
        func definitions(_ action: ForeignKeyDefinition.Action) -> [TableDefinition] {
            [
                TableDefinition(
                    "book", ["author_id"],
                    foreignKeys: [ForeignKeyDefinition("author_id", to: "author", ["id"], action)]),
                TableDefinition("author"),
            ]
        }
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate(definitions(.setNull))
            if db.driver.dialect.canAlterForeignKeys {
                try await db.migrate(definitions(.cascade))
                try await db.run(
                    "INSERT INTO author VALUES (1)", "INSERT INTO book VALUES (1, 1)", "DELETE FROM author")
                #expect(try await db.numbers("SELECT count(*) FROM book") == [0])
            } else {
                let error = await #expect(throws: DatabaseError.self) { _ = try await db.plan(definitions(.cascade)) }
                #expect(error?.code == .conflict)
                #expect(error?.message.contains("ON DELETE SET NULL") == true)
            }
        }
    }

    @Test(arguments: SchemaEngine.available) func `a key that refuses later is as good as one that refuses immediately`(
        engine: SchemaEngine
    ) async throws {
        try await RelationDatabase.with(engine) { db async throws in
            try await db.migrate([TableDefinition("author")])
            let type = db.driver.dialect.typeName(.int64)
            try await db.run(
                """
                CREATE TABLE book (
                    id \(type) NOT NULL PRIMARY KEY, author_id \(type) REFERENCES author (id),
                    editor_id \(type) REFERENCES author (id) ON DELETE SET DEFAULT)
                """)
            #expect(
                try await db.plan([
                    TableDefinition("author"),
                    TableDefinition(
                        "book", ["author_id"],
                        foreignKeys: [ForeignKeyDefinition("author_id", to: "author", ["id"], .restrict)]),
                ]).isEmpty)
            let keys = try await db.connection.tables(["book"]).tables["book"]?.foreignKeys ?? []
            #expect(Set(keys.map(\.onDelete)) == [.noAction, .setDefault])
        }
    }
}
