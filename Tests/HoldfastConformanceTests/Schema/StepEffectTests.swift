import Foundation
import HoldfastPostgres
import Testing

@_spi(Driver) @testable import Holdfast
@testable import HoldfastConformance

/// What steps say of themselves is what the server shows.
@Suite struct StepEffectTests {
    enum Old {
        @Table("leaf") struct Leaf { var id: Int64?; var name: String }
        @Table("tree")
        final class Tree {
            var id: Int64?
            @Relation(deleteRule: .cascade) var leaves: [Leaf] = []
            init() {}
        }
        @Table("worn") struct Worn { var id: Int64?; var name: String; var size: Int64; var note: String? }
    }

    enum New {
        @Table("leaf") struct Leaf { var id: Int64?; @Unique var name: String; var twig: Twig?; var isGreen = true }
        @Table("tree")
        final class Tree {
            var id: Int64?
            @Relation(deleteRule: .deny) var leaves: [Leaf] = []
            @Relation(deleteRule: .cascade) var twig: Twig?
            init() {}
        }
        @Table("twig") struct Twig { var id: Int64?; var length: Double }
        @Table("worn") struct Worn { var id: Int64?; var name: String?; var size: Int32; var note: String = "none" }
    }

    private static let postgres = SchemaEngine.available.filter { $0 == .postgresql }

    @Test(arguments: postgres)
    func `the locks that steps tell are those in pg_locks, and a table that is rewritten gets another file`(
        engine: SchemaEngine
    ) async throws {
        var seen = Set<String>()
        try await withWatch(engine) { db, watch in
            try await db.migrate(Old.Tree.self, Old.Leaf.self, Old.Worn.self)
            let tree = Old.Tree()
            tree.leaves = [Old.Leaf(name: "l")]
            try await db.save(tree)
            _ = try await db.insert(Old.Worn(name: "w", size: 1, note: nil))
            let schema = Schema(
                New.Tree.self, New.Leaf.self, New.Worn.self,
                allowing: [.narrowing(column: "size", of: "worn"), .requiring(column: "note", of: "worn")])
            seen.formUnion(try await watch.run(try await db.schemaPlan(for: schema)))
        }
        try await withWatch(engine) { db, watch in
            try await db.migrate(Old.Tree.self, Evolved.Chapter.self, Evolved.Narrow.self, Evolved.Holder.self)
            let chapter = Evolved.Chapter("a")
            chapter.notes = [Evolved.Remark("n")]
            try await db.save(chapter)
            try await db.save(Evolved.Narrow(3, owner: Evolved.Holder("h")))
            let schema = Schema(
                Evolved.Section.self, Evolved.Wide.self,
                allowing: [
                    .dropping(column: "owner_id", of: "measure"), .dropping(table: "tree_leaves"),
                    .dropping(table: "holder_measures"),
                ])
            seen.formUnion(try await watch.run(try await db.schemaPlan(for: schema)))
        }
        let expected: Set<String> = [
            "createTable", "dropTable", "renameTable", "addColumn", "dropColumn", "renameColumn", "changeType",
            "setNotNull", "dropNotNull", "setDefault", "updateRows", "createIndex", "dropIndex", "renameIndex",
            "addForeignKey", "dropForeignKey", "renameForeignKey", "createDeleteRule", "dropDeleteRule",
            "renameGeneratedKey",
        ]
        #expect(seen == expected)
    }

    @Test(arguments: postgres)
    func `a change of type tells whether the server writes the table anew`(engine: SchemaEngine) async throws {
        try await RelationDatabase.with(engine) { db in
            let types = [
                "smallint", "integer", "bigint", "real", "double precision", "numeric", "numeric(10,2)", "text",
                "character varying(20)", "character(5)", "timestamp without time zone", "timestamp with time zone",
            ]
            for (number, type) in types.enumerated() {
                for new in [ColumnType.int64, .double, .decimal, .text, .timestamp] {
                    let dialect = db.driver.dialect
                    let isTime = type.hasPrefix("timestamp")
                    if (new == .timestamp) != isTime, new != .text { continue }
                    if type.hasPrefix("char") || type == "text", new != .text { continue }
                    let table = "t\(number)_\(new)"
                    try await db.run(
                        "CREATE TABLE \(table) (c \(type))", "INSERT INTO \(table) VALUES (NULL)")
                    let before = try await db.numbers("SELECT pg_relation_filenode('\(table)')::bigint")
                    let change = SchemaStatement(
                        .changeType(column: "c", table: table, from: type, to: new, isComputed: false))
                    let value = "CAST(c AS \(dialect.storedTypeName(new)))"
                    try await db.run("ALTER TABLE \(table) ALTER COLUMN c TYPE \(dialect.typeName(new)) USING \(value)")
                    let after = try await db.numbers("SELECT pg_relation_filenode('\(table)')::bigint")
                    #expect(dialect.effects(of: change).rewritesTable == (before != after), "\(type) to \(new)")
                }
            }
        }
    }

    private func withWatch(
        _ engine: SchemaEngine, _ body: (Database, LockWatch) async throws -> Void
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let driver = try home.configuration.makeDriver(home.configuration)
        let connection = try await driver.connect(.write)
        let db = try await Database.open(home.configuration)
        var failure: (any Error)?
        do {
            try await body(db, LockWatch(connection: RelationDatabase(driver: driver, connection: connection)))
        } catch {
            failure = error
        }
        try await db.close()
        await connection.close()
        await driver.shutdown()
        try await home.destroy()
        if let failure { throw failure }
    }
}

/// Runs the steps of a plan one by one, each in a transaction of its own, and looks at its locks and files.
private struct LockWatch {
    let connection: RelationDatabase

    private static let tables = "relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"

    /// - Returns: The kinds of changes that were made.
    func run(_ plan: SchemaPlan) async throws -> Set<String> {
        let existing = Set(try await names().map { $0.0 })
        var kinds = Set<String>()
        for step in plan.steps {
            let change = try #require(step.consequences.first)
            kinds.insert(String("\(change)".prefix { $0 != "(" }))
            let names = try await names()
            let files = try await files()
            try await connection.run("BEGIN", step.sql)
            let locks = try await pairs(
                """
                SELECT l.relation || ' ' || l.mode AS pair FROM pg_locks l
                WHERE l.pid = pg_backend_pid() AND l.granted AND l.relation IS NOT NULL
                    AND l.mode NOT IN ('AccessShareLock', 'RowShareLock')
                """)
            let changed = try await self.files().filter { files[$0.key] != nil && files[$0.key] != $0.value }
            try await connection.run("COMMIT")
            let known = locks.filter { existing.contains($0.0) }
            let found = Dictionary(known) { first, second in strength(first) > strength(second) ? first : second }
            let told = Dictionary(
                uniqueKeysWithValues: step.locks.map { lock in
                    (names.first { $0.1 == lock.table }?.0 ?? "none", spelling(lock.mode))
                })
            #expect(told == found, "\(step.sql): \(step.locks)")
            let rewrites = !existing.isDisjoint(with: changed.keys)
            #expect(step.rewritesTable == rewrites, "\(step.sql)")
        }
        return kinds
    }

    private func names() async throws -> [(String, String)] {
        try await pairs("SELECT oid || ' ' || relname AS pair FROM pg_class WHERE \(Self.tables)")
    }

    private func files() async throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try await pairs(
                "SELECT oid || ' ' || pg_relation_filenode(oid) AS pair FROM pg_class WHERE \(Self.tables)"))
    }

    private func pairs(_ sql: String) async throws -> [(String, String)] {
        let text = try await connection.text("SELECT coalesce(string_agg(pair, ','), '') FROM (\(sql)) AS pairs")
        return text.split(separator: ",").map { pair in
            let words = pair.split(separator: " ")
            return (String(words[0]), String(words[1]))
        }
    }

    private func strength(_ mode: String) -> Int {
        TableLock.Mode.allCases.firstIndex { spelling($0) == mode } ?? -1
    }

    /// The name of a level in `pg_locks`.
    private func spelling(_ mode: TableLock.Mode) -> String {
        mode.rawValue.split(separator: " ").map(\.localizedCapitalized).joined() + "Lock"
    }
}
