import Holdfast

extension DocumentStore<Database> {
    /// Copies all documents of a file that AgileDB has made, of its versions 6.5 to 7.1, with their keys, their times
    /// and the instants at which they expire.
    ///
    /// ```swift
    /// let old = try await Database.open(.sqlite(path: "ABNoSQLDB.db", mode: .readOnly))
    /// let counts = try await db.documents.importAgileDB(from: old)    // ["people": 1_204, "notes": 31]
    /// ```
    ///
    /// Documents with the same keys are replaced. Objects that others hold are kept by their keys there, as a
    /// ``DocumentReference`` is. A value that version 6.5 has in a column is a text or a number, as the column has it;
    /// a column without a value is no member, as such a file does not tell one from the other. Dates inside documents
    /// stay the texts that they are, which `Columns.date(_:)` does not compare. What was copied before an
    /// error stays, a portion at a time.
    ///
    /// - Parameters:
    ///   - old: The file, opened as a database of its own.
    ///   - portion: The number of documents that are read and written at a time.
    /// - Returns: The number of documents of each table.
    /// - Throws: `DatabaseError.Code.decoding` for a document that is no JSON, or a date that is none; the
    ///   error says which it is.
    @discardableResult
    public func importAgileDB(from old: Database, portion: Int = 500) async throws -> [String: Int] {
        guard portion > 0 else { throw DatabaseError(.invalidValue, "A portion has 1 document or more.") }
        var counts: [String: Int] = [:]
        for table in try await AgileDBTable.all(in: old) {
            var last: String?
            repeat {
                let documents = try await table.documents(after: last, limit: portion)
                try await context.transaction { tx in
                    _ = try await tx.upsert(documents)
                    // An upsert has the time of now, and the time of what it replaces.
                    for document in documents where document.addedAt != nil || document.updatedAt != nil {
                        try await tx.query(Document.self)
                            .where { $0.table == document.table && $0.key == document.key }
                            .update {
                                if let addedAt = document.addedAt { $0.addedAt.set(addedAt) }
                                if let updatedAt = document.updatedAt { $0.updatedAt.set(updatedAt) }
                            }
                    }
                }
                counts[table.name, default: 0] += documents.count
                last = documents.count < portion ? nil : documents.last?.key
            } while last != nil
        }
        return counts
    }
}
