import Foundation

extension Session {
    /// Throws if UUIDs that are no keys of rows are so as texts, where the engine keeps them as bytes and another
    /// program has not.
    ///
    /// `SELECT 1 FROM "device" WHERE "id" IN (SELECT value FROM holdfast_list($1)) LIMIT 1`
    ///
    /// - Parameter keys: A row for each key.
    func refuseTexts(of keys: ParameterBuffer, _ description: TableDescription) async throws {
        guard keys.rowCount > 0, description.mayHaveTextsForKeys(in: core) else { return }
        var texts = ParameterBuffer(width: keys.width)
        for row in 0..<keys.rowCount {
            for isUpper in [true, false] {
                keys.withRow(row) { parts in
                    for part in parts { texts.append(text: part, isUpper: isUpper) }
                }
            }
        }
        let sql = TableSQL(description: description, dialect: core.queryDialect)
        let probe = Statement(
            sql.text(after: keys.width) { $0.existsAny() }, isCached: false, table: description.table)
        guard try await run(probe, texts.asLists, consume: { rows in try rows.next() != nil }) else { return }
        throw DatabaseError(
            .decoding,
            "Keys of \"\(description.table)\" are UUIDs that another program has stored as texts, and are looked for as 16 "
                + "bytes. Declare the property with `@Column(storage: .text)`, or convert the column.",
            table: description.table, properties: description.keyIndices.map { description.properties[$0].name })
    }
}

extension TableDescription {
    /// Whether another program can have stored texts for keys that are UUIDs.
    func mayHaveTextsForKeys(in core: DatabaseCore) -> Bool {
        core.looseTables.canExist && keyIndices.contains { properties[$0].columnType == .uuid }
    }
}

extension ParameterBuffer {
    /// Appends a part of a key, and a UUID as the text of it; one of another size, which no row has, as it is.
    fileprivate mutating func append(text part: Cell, isUpper: Bool) {
        guard part.kind == .uuid, var text = (try? UUID._decode(part))?.uuidString else { return append(copying: part) }
        if !isUpper { text = text.lowercased() }
        text.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
    }
}
