/// What to do about a table that lacks a column, by whether migrations have made it.
extension DatabaseAccess {
    /// The error about rows of a type, with what may refer to them, and what to do about a column that is missing.
    func explained(_ error: DatabaseError, of description: TableDescription) async -> DatabaseError {
        await advised(core.explained(error, of: description), of: [description])
    }

    /// The error with advice for just this database, if a table of one of these types lacks a column.
    ///
    /// Inside a transaction the error keeps the advice for both cases: the transaction is over, and asks nothing more.
    func advised(_ error: DatabaseError, of descriptions: @autoclosure () -> [TableDescription]) async -> DatabaseError
    {
        guard error.lacksColumn, isOutsideTransaction,
            let description = descriptions().first(where: { $0.table == error.table }),
            description.tableName.schema == nil, let isRecorded = try? await hasRecord(of: description.table)
        else { return error }
        var error = error
        error.message = description.messageAboutLackingColumn(isRecorded: isRecorded)
        return error
    }

    /// Whether migrations have recorded the columns of a table.
    private func hasRecord(of table: String) async throws -> Bool {
        try await perform(.read, purpose: "fetch") { session, _ in
            let journal = recordedColumnsTable
            let found = try await session.lease.connection.schema(.tables([journal]), timeout: nil)
            guard found.tables.contains(where: \.hasRows) else { return false }
            let dialect = core.dialect
            let sql = "SELECT 1 FROM \(dialect.quoted(journal)) WHERE \(dialect.quoted("table_name")) = "
            return try await session.run(Statement(sql + dialect.quotedText(table), isCached: false)) { rows in
                let isRecorded = try rows.next() != nil
                while try rows.next() != nil {}
                return isRecorded
            }
        }
    }
}

/// The table in which migrations record the columns that they know of.
let recordedColumnsTable = "holdfast_column"
