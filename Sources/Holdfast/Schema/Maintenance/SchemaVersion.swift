import Foundation

/// The record of the version that an application gave the schema: one row.
struct SchemaVersion: TableObject {
    var id: Int64 = 1
    var version: Int64
    var changedAt: Date

    static let tableMapping = TableMapping<SchemaVersion>(
        type: "SchemaVersion",
        table: "holdfast_version",
        describe: { table in
            table.key("id", \.id)
            table.property("version", \.version)
            table.property("changedAt", \.changedAt)
        },
        decode: { row in
            SchemaVersion(
                id: try row.decode(at: 0), version: try row.decode(at: 1), changedAt: try row.decode(at: 2))
        })

    /// The version, as far as the database has one.
    ///
    /// - Parameter snapshot: The tables of the journal; nil to ask for them.
    static func read(_ session: Session, _ snapshot: SchemaSnapshot? = nil) async throws -> Int? {
        let plan = try session.core.plan(for: SchemaVersion.self)
        let table = plan.description.table
        var snapshot = snapshot
        if snapshot == nil {
            snapshot = try await session.inspect { connection, _ in try await connection.snapshot(of: [table]) }
        }
        guard snapshot?.tables[table]?.hasRows == true else { return nil }
        return try await session.run(plan.statements.selectAll) { rows in
            let record = try rows.next().map { cells in
                try plan.mapping.decode(Row(cells: cells, layout: plan.description.fullLayout))
            }
            return record.map { Int($0.version) }
        }
    }

    /// Notes a version, in a transaction under the lock of schemas, in which the table exists.
    static func write(_ version: Int, in transaction: Transaction) async throws {
        _ = try await transaction.save(SchemaVersion(version: Int64(version), changedAt: Date()))
    }

    /// Whether a program of a version has to raise that of the database.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if the database has a greater one.
    static func isBehind(_ found: Int?, _ version: Int?) throws -> Bool {
        guard let version else { return false }
        guard let found else { return true }
        guard found <= version else {
            throw DatabaseError(
                .conflict,
                "The database is newer than the program: it has version \(found), and the program knows version "
                    + "\(version). Start a newer version of the program. Nothing was changed.")
        }
        return found < version
    }
}

extension Database {
    /// Returns the version that the application gave the schema; nil if it never did.
    ///
    /// ```swift
    /// try await db.schemaVersion()    // 7
    /// ```
    ///
    /// It is the number of the last ``Schema/version`` that was migrated to, or of the last
    /// ``setSchemaVersion(_:allowingLower:)``. It is kept in the table `holdfast_version`.
    public func schemaVersion() async throws -> Int? {
        try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "schema version") { session, _ in
            try await SchemaVersion.read(session)
        }
    }

    /// Gives the schema a version of the application's.
    ///
    /// ```swift
    /// try await db.setSchemaVersion(7)
    /// ```
    ///
    /// A program that lists a smaller ``Schema/version``, or opens with a smaller
    /// ``DatabaseConfiguration/schemaVersion``, is refused from then on.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - allowingLower: Whether the version may become smaller than it is.
    /// - Throws: ``DatabaseError/Code/conflict`` if the database has a greater version and `allowingLower` is false.
    public func setSchemaVersion(_ version: Int, allowingLower: Bool = false) async throws {
        try await changingSchema { transaction in
            let session = transaction.scope.session
            let definitions = SchemaVersion.tableMapping.description.definitions
            let snapshot = try await session.lease.connection.snapshot(of: definitions.map(\.name))
            if let found = try await SchemaVersion.read(session, snapshot), found > version, !allowingLower {
                throw DatabaseError(
                    .conflict,
                    "The version of the database is \(found), and is not lowered to \(version). Allow that, if it is "
                        + "meant. Nothing was changed.")
            }
            let diff = SchemaDiff(snapshot: snapshot, journal: SchemaJournal(), dialect: core.dialect)
            for step in try diff.plan(for: definitions).steps {
                try await session.execute(Statement(step.sql, isCached: false))
            }
            try await SchemaVersion.write(version, in: transaction)
        }
    }
}
