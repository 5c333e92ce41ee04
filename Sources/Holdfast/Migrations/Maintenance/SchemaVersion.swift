import Foundation

/// The record of the version that an application gave the schema: one row.
struct SchemaVersion: TableObject {
    var id: Int64 = 1
    var version: Int64
    var changedAt: Date
    /// The earliest version of programs that the database accepts; nil from earlier versions of the library.
    var acceptsFrom: Int64?

    static let tableMapping = TableMapping<SchemaVersion>(
        type: "SchemaVersion",
        table: "holdfast_version",
        describe: { table in
            table.key("id", \.id)
            table.property("version", \.version)
            table.property("changedAt", \.changedAt)
            table.property("acceptsFrom", \.acceptsFrom)
        },
        decode: { row in
            SchemaVersion(
                id: try row.decode(at: 0), version: try row.decode(at: 1), changedAt: try row.decode(at: 2),
                acceptsFrom: try row.decode(at: 3))
        })

    /// The versions of programs that the database accepts, up to its own; nil if it has none.
    ///
    /// - Parameter snapshot: The tables of the journal; nil to ask for them.
    static func read(_ session: Session, _ snapshot: SchemaTables? = nil) async throws -> ClosedRange<Int>? {
        let table = tableMapping.description.table
        let known: SchemaTables
        if let snapshot {
            known = snapshot
        } else {
            known = try await session.inspect { connection, _ in try await connection.tables([table]) }
        }
        guard let record = try await session.records(SchemaVersion.self, known).first else { return nil }
        return Int(min(record.acceptsFrom ?? record.version, record.version))...Int(record.version)
    }

    /// Notes a version, in a transaction under the lock of schemas, in which the table exists.
    static func write(_ versions: ClosedRange<Int>, in transaction: Transaction) async throws {
        _ = try await transaction.save(
            SchemaVersion(
                version: Int64(versions.upperBound), changedAt: Date(), acceptsFrom: Int64(versions.lowerBound)))
    }

    /// The versions from the earliest that a program accepts to its own; nil if it has none.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if they contradict each other.
    static func versions(_ version: Int?, acceptsProgramsFrom earliest: Int?) throws -> ClosedRange<Int>? {
        guard let earliest else { return version.map { $0...$0 } }
        if let version, earliest <= version { return earliest...version }
        let own = version.map { "is version \($0) itself" } ?? "has no version itself"
        throw DatabaseError(
            .conflict,
            "The schema accepts programs from version \(earliest) on, and \(own). Nothing was changed.")
    }

    /// How a program stands to a database, by their versions.
    enum Standing {
        /// There is nothing to note.
        case current
        /// The version of the program, and of those that it accepts, have to be noted.
        case behind
        /// The database is newer, and accepts the program, which leaves its schema alone.
        case accepted
    }

    /// Compares the versions of a program with those of a database.
    ///
    /// - Parameters:
    ///   - versions: From the earliest version that the program accepts to its own.
    ///   - found: From the earliest version that the database accepts to its own.
    /// - Throws: ``DatabaseError/Code/conflict`` if the database has a greater one, and does not accept the program.
    static func standing(of versions: ClosedRange<Int>?, to found: ClosedRange<Int>?) throws -> Standing {
        guard let versions else { return .current }
        guard let found else { return .behind }
        let version = versions.upperBound
        guard version < found.upperBound else { return versions == found ? .current : .behind }
        if found.contains(version) { return .accepted }
        let accepted =
            found.count > 1 ? ", and accepts programs from version \(found.lowerBound) on" : ""
        throw DatabaseError(
            .conflict,
            "The database is newer than the program: it has version \(found.upperBound)\(accepted), and the program "
                + "knows version \(version). Start a newer version of the program. Nothing was changed.")
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
    /// ``setSchemaVersion(_:acceptsProgramsFrom:allowingLower:fileID:line:)``. It is kept in the table
    /// `holdfast_version`.
    public func schemaVersion() async throws -> Int? { try await acceptedSchemaVersions()?.upperBound }

    /// Returns the versions of programs that can use the database, up to ``schemaVersion()``; nil if it has none.
    ///
    /// ```swift
    /// try await db.acceptedSchemaVersions()    // 5...7, from Schema(…, version: 7, acceptsProgramsFrom: 5)
    /// ```
    ///
    /// A program with a smaller ``Schema/version`` is refused. A later one raises the version.
    public func acceptedSchemaVersions() async throws -> ClosedRange<Int>? {
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
    /// ``DatabaseConfiguration/Migrations/schemaVersion``, is refused from then on.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - earliest: The earliest version of programs that can still use the database; nil for `version` itself.
    ///   - allowingLower: Whether the version may become smaller than it is.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/conflict`` if the database has a greater version and `allowingLower` is false, or
    ///   if `earliest` is greater than `version`.
    public func setSchemaVersion(
        _ version: Int, acceptsProgramsFrom earliest: Int? = nil, allowingLower: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let versions = try SchemaVersion.versions(version, acceptsProgramsFrom: earliest)
        try await changingSchema(at: CallSite(fileID, line)) { transaction in
            let session = transaction.scope.session
            let definitions = SchemaVersion.tableMapping.description.definitions
            let snapshot = try await session.lease.connection.tables(definitions.map(\.name))
            if let found = try await SchemaVersion.read(session, snapshot)?.upperBound, found > version, !allowingLower
            {
                throw DatabaseError(
                    .conflict,
                    "The version of the database is \(found), and is not lowered to \(version). Allow that, if it is "
                        + "meant. Nothing was changed.")
            }
            let diff = SchemaDiff(snapshot: snapshot, journal: SchemaJournal(), dialect: core.dialect)
            for step in try diff.plan(for: definitions).steps {
                try await session.execute(Statement(step.sql, isCached: false))
            }
            if let versions { try await SchemaVersion.write(versions, in: transaction) }
        }
    }
}
