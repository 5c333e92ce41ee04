import Foundation
import Holdfast
import HoldfastConformance
import HoldfastDocuments
import HoldfastSQLite
import Testing

@testable import HoldfastConformance

/// Files of AgileDB in both of its layouts, whose documents are copied into each engine.
@Suite struct AgileDBTests {
    private static let newer = [
        """
        CREATE TABLE Note (key TEXT PRIMARY KEY, autoDeleteDateTime TEXT, addedDateTime TEXT, updatedDateTime TEXT,
            value JSON)
        """,
        """
        INSERT INTO Note VALUES ('n1', NULL, '2026-11-21T09:30:00.250+01:00', '2026-11-22T09:30:00.000-05:00',
            '{"title":"One","tags":["a"],"author":"p1"}'),
            ('n2', '2001-01-01T00:00:00.000Z', '2000-11-21T09:30:00.000+01:00', '2000-11-21T09:30:00.000+01:00', '{}')
        """,
        "CREATE TABLE __synclog (timestamp TEXT, tableName TEXT, activity TEXT, key TEXT)",
        "CREATE TABLE other (key TEXT, value TEXT)",
    ]

    private static let older = [
        """
        CREATE TABLE Person (key text PRIMARY KEY, autoDeleteDateTime text, addedDateTime text, updatedDateTime text,
            hasArrayValues text)
        """,
        """
        CREATE TABLE Person_arrayValues (key text, objectKey text, stringValue text, intValue int, doubleValue double)
        """,
        "ALTER TABLE Person ADD COLUMN name text", "ALTER TABLE Person ADD COLUMN \"a \"\"b\" int",
        "ALTER TABLE Person ADD COLUMN value real",
        """
        INSERT INTO Person VALUES ('p1', NULL, '2026-11-21T09:30:00.000+01:00', '2026-11-21T09:30:00.000+01:00',
            'tags:stringArray,counts:intArray,none:intArray', 'Ann', 3, 0.1), ('p2', NULL, '', '', '', 'Bob', NULL, NULL)
        """,
        """
        INSERT INTO Person_arrayValues (key, objectKey, stringValue, intValue) VALUES ('p1', 'tags', 'b', NULL),
            ('p1', 'counts', NULL, 7), ('p1', 'tags', 'a', NULL), ('p1', 'tags', 'b', NULL)
        """,
    ]

    private func importing(
        _ statements: [String], into engine: SchemaEngine,
        _ body: (_ old: Database, _ new: Database) async throws -> Void
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        var failure: (any Error)?
        do {
            try await Database.withDatabase(.sqlite(.inMemory)) { old async throws in
                for sql in statements { try await old.sql("\(unsafe: sql)").execute() }
                try await Database.withDatabase(home.configuration) { db async throws in
                    try await db.documents.migrate()
                    try await body(old, db)
                }
            }
        } catch { failure = error }
        try await home.destroy()
        if let failure { throw failure }
    }

    @Test(arguments: SchemaEngine.available)
    func `documents of version 7_1, with their times`(_ engine: SchemaEngine) async throws {
        try await importing(Self.newer, into: engine) { old, db async throws in
            #expect(try await db.documents.importAgileDB(from: old) == ["Note": 2])
            let note = try #require(try await db.documents["Note"].document("n1"))
            #expect(note.value == ["title": "One", "tags": ["a"], "author": "p1"])
            #expect(note.addedAt == Date(timeIntervalSince1970: 1_795_249_800.25))
            #expect(note.updatedAt == Date(timeIntervalSince1970: 1_795_357_800))
            #expect(note.expiresAt == nil)
            #expect(try await db.documents.tables() == ["Note"])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `documents of version 6_5, with their arrays, and in portions`(_ engine: SchemaEngine) async throws {
        try await importing(Self.older, into: engine) { old, db async throws in
            for _ in 0..<2 { #expect(try await db.documents.importAgileDB(from: old, portion: 1) == ["Person": 2]) }
            let people = db.documents["Person"]
            #expect(
                try await people.get("p1", as: JSON.self) == [
                    "name": "Ann", "a \"b": 3, "value": 0.1, "tags": ["b", "a", "b"], "counts": [7], "none": [],
                ])
            #expect(try await people.get("p2", as: JSON.self) == ["name": "Bob"])
            #expect(try await people.keys() == ["p1", "p2"])
        }
    }

    @Test(arguments: [
        "UPDATE Note SET value = '{\"a\":1,\"a\":2}' WHERE key = 'n1'", "UPDATE Note SET value = 'x' WHERE key = 'n2'",
        "UPDATE Note SET addedDateTime = 'yesterday' WHERE key = 'n1'",
    ])
    func `a document that can't be read is refused`(_ damage: String) async throws {
        try await importing(Self.newer + [damage], into: .sqlite) { old, db async throws in
            let error = await #expect(throws: DatabaseError.self) { try await db.documents.importAgileDB(from: old) }
            #expect(error?.code == .decoding)
            #expect(error?.table == "Note")
            #expect(try await db.documents.tables() == [])
        }
    }
}
