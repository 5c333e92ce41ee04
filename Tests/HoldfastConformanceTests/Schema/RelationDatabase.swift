import EngineProvisions
import Foundation
import HoldfastConformance
import Testing

@_spi(Driver) @testable import Holdfast

/// The engines that tests of the schema run on.
enum SchemaEngine: String, CaseIterable, Sendable {
    case sqlite, postgresql

    static var available: [SchemaEngine] { Engines.postgresURL == nil ? [.sqlite] : allCases }

    var provision: any ConformanceProvision {
        switch self {
        case .sqlite: SQLiteProvision(directory: FileManager.default.temporaryDirectory.path)
        case .postgresql: PostgresProvision(url: Engines.postgresURL ?? "")
        }
    }
}

/// One connection to a new database, which makes tables from definitions and speaks plain SQL.
struct RelationDatabase {
    let driver: any Driver
    let connection: any DriverConnection

    /// Calls `body` with a new, empty database.
    static func with(_ engine: SchemaEngine, _ body: (RelationDatabase) async throws -> Void) async throws {
        let home = try await engine.provision.makeDatabase()
        let configuration = home.configuration
        let driver = try configuration.makeDriver(configuration)
        let connection = try await driver.connect(.write)
        var failure: (any Error)?
        do { try await body(RelationDatabase(driver: driver, connection: connection)) } catch { failure = error }
        await connection.close()
        await driver.shutdown()
        try await home.destroy()
        if let failure { throw failure }
    }

    /// What is to be done for `definitions`.
    func plan(_ definitions: [TableDefinition], allowing losses: Set<SchemaLoss> = []) async throws -> SchemaPlan {
        let snapshot = try await connection.tables(definitions.map(\.name))
        return try SchemaDiff(snapshot: snapshot, journal: SchemaJournal(), dialect: driver.dialect, allowed: losses)
            .plan(for: definitions)
    }

    /// Does it, and sees to it that nothing is left to be done.
    @discardableResult
    func migrate(
        _ definitions: [TableDefinition], allowing losses: Set<SchemaLoss> = []
    ) async throws -> SchemaPlan {
        let plan = try await plan(definitions, allowing: losses)
        for step in plan.steps { try await run(step.sql) }
        #expect(try await self.plan(definitions).isEmpty)
        return plan
    }

    /// Runs statements that take no parameters, one after the other.
    func run(_ statements: String...) async throws {
        for sql in statements {
            try await connection.run(Statement(sql, isCached: false), .none, timeout: nil) { rows in
                while try rows.next() != nil {}
            }
        }
    }

    /// The first column of a query's rows, whole numbers.
    func numbers(_ sql: String) async throws -> [Int64] {
        try await connection.run(Statement(sql, isCached: false), .none, timeout: nil) { rows in
            var numbers: [Int64] = []
            while let cells = try rows.next() { numbers.append(cells[0].integer) }
            return numbers
        }
    }

    /// The first value of a query, a text.
    func text(_ sql: String) async throws -> String {
        try await connection.run(Statement(sql, isCached: false), .none, timeout: nil) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) } ?? ""
        }
    }

    /// The error of a statement that is refused.
    func failure(_ sql: String, sourceLocation: SourceLocation = #_sourceLocation) async -> DatabaseError? {
        await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) { try await run(sql) }
    }
}

extension TableDefinition {
    /// A table with whole numbers for columns, `id` its key unless others are named.
    init(
        _ name: String, key: [String] = ["id"], _ columns: [String] = [], required: [String] = [],
        foreignKeys: [ForeignKeyDefinition] = [], rules: [DeleteRuleDefinition] = []
    ) {
        self.init(
            name: name,
            columns: (key + columns).map { column in
                ColumnDefinition(
                    name: column, type: .int64, isNullable: !key.contains(column) && !required.contains(column),
                    storage: .native, property: column)
            },
            primaryKey: key, hasGeneratedKey: false, indexes: [], foreignKeys: foreignKeys, deleteRules: rules)
    }
}

extension ForeignKeyDefinition {
    init(
        _ columns: String..., to table: String, _ targetColumns: [String] = ["id"],
        _ onDelete: ForeignKeyDefinition.Action = .setNull
    ) {
        self.init(columns: columns, table: table, targetColumns: targetColumns, onDelete: onDelete)
    }
}
