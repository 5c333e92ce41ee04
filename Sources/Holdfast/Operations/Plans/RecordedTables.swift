/// The look at a database after an engine has refused a statement for a column that does not exist.
extension DatabaseAccess {
    /// The error about rows of a type, with what may refer to them, and what to do about a column that is missing.
    func explained(_ error: DatabaseError, of description: TableDescription) async -> DatabaseError {
        await advised(core.explained(error, of: description), of: [description])
    }

    /// The error with advice for just this database, if it is about a column that does not exist.
    ///
    /// Inside a transaction the error keeps the advice for all cases: the transaction is over, and asks nothing more.
    func advised(_ error: DatabaseError, of descriptions: @autoclosure () -> [TableDescription]) async -> DatabaseError
    {
        guard error.lacksColumn, isOutsideTransaction,
            let description = descriptions().first(where: { $0.table == error.table }),
            description.tableName.schema == nil,
            // If this fails as well, the first error is the one to tell.
            let found = try? await tables(of: description)
        else { return error }
        var error = error
        guard let lack = LackingColumns(found.tables, of: description) else {
            error.message =
                "SQL of the statement names a column that none of its tables has. Check the names: they are those of columns."
            return error
        }
        if error.table != lack.table { (error.table, error.properties) = (lack.table, []) }
        error.message = lack.message(isRecorded: found.recorded.contains(lack.table))
        return error
    }

    /// The tables of a type and of those that it has relations to, and which of them migrations have recorded.
    private func tables(
        of description: TableDescription
    ) async throws -> (tables: [DatabaseSchema.Table], recorded: Set<String>) {
        let needed = description.reachable.flatMap(\.neededColumns).map(\.table)
        let names = Set(needed.filter { $0.schema == nil }.map(\.name))
        return try await perform(.read, purpose: "fetch") { session, _ in
            let journal = recordedColumnsTable
            let schema = try await session.lease.connection.schema(
                .tables([journal] + names.sorted()), timeout: nil)
            guard schema.tables.contains(where: { $0.name == journal && $0.hasRows }) else {
                return (schema.tables, [])
            }
            let sql = "SELECT DISTINCT \(core.dialect.quoted("table_name")) FROM \(core.dialect.quoted(journal))"
            let recorded = try await session.run(Statement(sql, isCached: false)) { rows in
                var names = Set<String>()
                while let row = try rows.next() { names.insert(String(decoding: row[0].bytes, as: UTF8.self)) }
                return names
            }
            return (schema.tables, recorded)
        }
    }
}

/// The columns that a table lacks, though a type needs them.
private struct LackingColumns {
    let table: String
    private let type: String
    private let names: [String]
    /// Columns that the table has, and nothing needs: one of them may have been renamed.
    private let others: [String]

    /// Nil if no table lacks any.
    ///
    /// - Parameters:
    ///   - tables: The tables that the database has.
    ///   - description: The type that the statement was about; those that it has relations to come after it.
    init?(_ tables: [DatabaseSchema.Table], of description: TableDescription) {
        for type in description.reachable {
            for (name, columns) in type.neededColumns {
                guard name.schema == nil, let table = tables.first(where: { $0.name == name.name }) else { continue }
                let existing = table.columns.map(\.name)
                let names = columns.filter { !existing.contains($0) }
                if names.isEmpty { continue }
                (self.table, self.type, self.names) = (table.name, type.type, names)
                others = existing.filter { !columns.contains($0) }
                return
            }
        }
        return nil
    }

    func message(isRecorded: Bool) -> String {
        func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
        let remedy =
            isRecorded
            ? "Migrations have made the table, or taken it over: migrate the database."
            : "No migration has made the table: adopt it by `adopt`, and name its columns by @Column."
        let hint =
            others.isEmpty
            ? ""
            : " It has \(list(others)), which \(type) does not know: if that is one under another name, say so by "
                + "`@Column(renamedFrom:)` before you migrate, or its values stay where nothing reads them."
        return "The table \"\(table)\" lacks \(list(names)), which \(type) needs.\(hint) \(remedy)"
    }
}

/// The table in which migrations record the columns that they know of.
let recordedColumnsTable = "holdfast_column"
