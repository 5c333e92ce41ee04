import Testing

@_spi(Driver) @testable import Holdfast
@_spi(Driver) @testable import HoldfastSQLite

/// Delete rules recur, and other triggers do not.
@Suite struct TriggerRecursionTests {
    private static let touching = [
        "CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT UNIQUE, touched INTEGER NOT NULL DEFAULT 0)",
        """
        CREATE TRIGGER film_update AFTER UPDATE ON film
        BEGIN UPDATE film SET touched = touched + 1 WHERE id = NEW.id; END
        """,
        """
        CREATE TRIGGER film_insert AFTER INSERT ON film
        BEGIN UPDATE film SET touched = touched + 1 WHERE id = NEW.id; END
        """,
    ]

    /// Tables `node`, with a reference `next_id`, and the join table `node_kids`; both with a rule that cascades.
    private static let nodes: [String] = {
        func rule(_ property: String, _ source: DeleteRuleDefinition.Source) -> DeleteRuleDefinition {
            DeleteRuleDefinition(
                owner: "node", property: property, rule: .cascade, target: "node", targetKey: ["id"], source: source)
        }
        let node = TableDefinition(
            name: "node", columns: [], primaryKey: ["id"], hasGeneratedKey: false, indexes: [], foreignKeys: [])
        return [
            "CREATE TABLE node (id INTEGER PRIMARY KEY, next_id INTEGER REFERENCES node (id) ON DELETE SET NULL)",
            """
            CREATE TABLE node_kids (node_id INTEGER REFERENCES node (id) ON DELETE CASCADE, position INTEGER, \
            target_id INTEGER REFERENCES node (id) ON DELETE CASCADE)
            """,
        ] + SQLiteDialect().createDeleteRule(rule("next_id", .columns(["next_id"])), on: node)
            + SQLiteDialect().createDeleteRule(
                rule("kids", .joinTable("node_kids", ownerColumns: ["node_id"], targetColumns: ["target_id"])), on: node
            )
    }()

    private func chain(_ connection: any DriverConnection) async throws {
        try await connection.rows("INSERT INTO node (id) VALUES (1), (2), (3), (4), (5), (6), (7), (8)")
        // A list of four, and from its end a tree.
        try await connection.rows("UPDATE node SET next_id = id + 1 WHERE id < 4")
        try await connection.rows("INSERT INTO node_kids VALUES (4, 0, 5), (5, 0, 6), (5, 1, 7), (7, 0, 8), (8, 0, 4)")
    }

    @Test func `tables with triggers that touch the row that they are fired for can be written`() async throws {
        try await withWriter { connection async throws in
            for sql in Self.touching { try await connection.rows(sql) }
            try await connection.rows("INSERT INTO film (id, title) VALUES (1, 'a'), (2, 'b')")
            try await connection.rows("UPDATE film SET title = title || '!'")
            try await connection.rows(
                "INSERT INTO film (id, title) VALUES (3, 'a!') ON CONFLICT (title) DO UPDATE SET title = 'c'")
            #expect(try await connection.rows("SELECT id, touched FROM film") == [[1, 4], [2, 3]])
            try await connection.rows("DELETE FROM film WHERE id = 1")
            #expect(try await connection.rows("SELECT count(*) FROM film") == [[1]])
        }
    }

    @Test func `rules recur in a database with such tables, before and after others change its schema`() async throws {
        let database = try TestDatabase()
        let (connection, other) = (try await database.writer(), try await database.writer())
        for sql in Self.touching { try await connection.rows(sql) }
        let delete = Statement("DELETE FROM node WHERE id = ?")
        let insert = Statement("INSERT INTO film (title) VALUES (?)")
        for sql in Self.nodes { try await connection.rows(sql) }
        for round in 0..<4 {
            try await chain(connection)
            let name = TestValue.text("\(round)")
            try await connection.rows(insert, ParameterBuffer([name]))
            if round == 2 { try await connection.rows("BEGIN IMMEDIATE") }
            try await connection.rows(delete, ParameterBuffer([1]))
            if round == 2 { try await connection.rows("COMMIT") }
            try await connection.rows("UPDATE film SET title = title")
            #expect(try await connection.rows("SELECT count(*) FROM node") == [[0]])
            try await other.rows("CREATE TABLE t\(round) (x)")
        }
        #expect(try await connection.rows("SELECT touched FROM film ORDER BY id") == [[6], [5], [4], [3]])
        await connection.close()
        await other.close()
        await database.driver.shutdown()
    }

    @Test func `a statement that was compiled before there were rules follows them`() async throws {
        let database = try TestDatabase()
        let (connection, other) = (try await database.writer(), try await database.writer())
        for sql in Self.nodes.prefix(2) { try await connection.rows(sql) }
        let delete = Statement("DELETE FROM node WHERE id = ?")
        try await connection.rows(delete, ParameterBuffer([1]))
        for sql in Self.nodes.dropFirst(2) { try await other.rows(sql) }
        try await chain(connection)
        try await connection.rows(delete, ParameterBuffer([1]))
        #expect(try await connection.rows("SELECT count(*) FROM node") == [[0]])
        // One that is rolled back, and another with the number of its schema.
        let rules = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        for row in try await other.rows(rules) {
            if case .text(let name) = row[0] { try await other.rows("DROP TRIGGER \"\(name)\"") }
        }
        try await connection.rows("BEGIN IMMEDIATE")
        // SQLite takes a trigger that another has dropped for one that is there, until it reads the schema again.
        #expect(try await connection.rows(rules) == [])
        for sql in Self.nodes.dropFirst(2) { try await connection.rows(sql) }
        try await connection.rows(delete, ParameterBuffer([1]))
        try await connection.rows(Statement("ROLLBACK", ignoresCancellation: true))
        for sql in Self.touching.prefix(2) { try await connection.rows(sql) }
        try await connection.rows("INSERT INTO film (id, title) VALUES (1, 'a')")
        try await connection.rows(
            "CREATE TRIGGER count_down AFTER DELETE ON node BEGIN UPDATE film SET title = 'b' WHERE id = 1; END")
        try await connection.rows("INSERT INTO node (id) VALUES (1)")
        try await connection.rows(delete, ParameterBuffer([1]))
        #expect(try await connection.rows("SELECT title, touched FROM film") == [["b", 1]])
        await connection.close()
        await other.close()
        await database.driver.shutdown()
    }

    @Test func `a row that is replaced takes along what it held`() async throws {
        try await withWriter { connection async throws in
            for sql in Self.nodes { try await connection.rows(sql) }
            for sql in ["REPLACE INTO node (id) VALUES (1)", "INSERT OR REPLACE INTO node (id) VALUES (1)"] {
                try await chain(connection)
                try await connection.rows(sql)
                #expect(try await connection.rows("SELECT id FROM node") == [[1]])
                try await connection.rows("DELETE FROM node")
            }
        }
    }

    @Test func `a deletion that no rule can recur from does without`() async throws {
        try await withWriter { connection async throws in
            for sql in Self.touching { try await connection.rows(sql) }
            let copy = TableDefinition(
                name: "copy", columns: [], primaryKey: ["id"], hasGeneratedKey: false, indexes: [], foreignKeys: [])
            try await connection.rows("CREATE TABLE copy (id INTEGER PRIMARY KEY, film_id INTEGER)")
            let rule = DeleteRuleDefinition(
                owner: "copy", property: "film", rule: .cascade, target: "film", targetKey: ["id"],
                source: .columns(["film_id"]))
            for sql in SQLiteDialect().createDeleteRule(rule, on: copy) { try await connection.rows(sql) }
            try await connection.rows(
                "CREATE TRIGGER copy_gone AFTER DELETE ON copy BEGIN UPDATE film SET title = 'x' WHERE id = 2; END")
            try await connection.rows("INSERT INTO film (id, title) VALUES (1, 'a'), (2, 'b')")
            try await connection.rows("INSERT INTO copy VALUES (1, 1)")
            try await connection.rows("DELETE FROM copy WHERE id = 1")
            #expect(try await connection.rows("SELECT id, title, touched FROM film") == [[2, "x", 3]])
        }
    }
}
