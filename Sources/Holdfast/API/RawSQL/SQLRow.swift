/// A row of your own statement, with values by index or by column name.
public struct SQLRow: Sendable {
    /// The columns of a result, shared by its rows.
    final class Columns: Sendable {
        let names: [String]
        let positions: [String: Int]
        /// How each column stores its values, where a model says so; natively otherwise.
        let storages: [ValueStorage]?

        init(_ names: [String], storages: [ValueStorage]? = nil) {
            self.names = names
            self.storages = storages
            positions = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }
    }

    let columns: Columns
    private let values: ParameterBuffer

    init(columns: Columns, cells: UnsafePointer<Cell>) {
        self.columns = columns
        var values = ParameterBuffer(width: columns.names.count)
        for column in columns.names.indices { values.append(copying: cells[column]) }
        self.values = values
    }

    /// The number of columns.
    public var count: Int { columns.names.count }

    /// The names of the columns, as the engine returns them.
    public var columnNames: [String] { columns.names }

    /// Decodes the value of the column at `position`, which begins at 0.
    ///
    /// ```swift
    /// let name = try row.decode(String.self, at: 0)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if there is no such column, or the value does not fit.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func decode<Value: Storable>(_ type: Value.Type = Value.self, at position: Int) throws -> Value {
        guard columns.names.indices.contains(position) else {
            throw DatabaseError(
                .decoding, "The statement returns \(count) columns; there is none at position \(position).")
        }
        return try decode(type, at: position, name: columns.names[position])
    }

    /// Decodes the value of a column by its name.
    ///
    /// ```swift
    /// let name: String = try row.decode(named: "name")
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if there is no such column, or the value does not fit.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func decode<Value: Storable>(_ type: Value.Type = Value.self, named name: String) throws -> Value {
        guard let position = columns.positions[name] else {
            throw DatabaseError(.decoding, "The statement returns no column \"\(name)\".", properties: [name])
        }
        return try decode(type, at: position, name: name)
    }

    func requireColumns(_ expected: Int) throws {
        guard count == expected else {
            throw DatabaseError(.decoding, "The statement returns \(count) columns, but \(expected) were asked for.")
        }
    }

    /// Whether the column at `position` is NULL.
    func isNull(at position: Int) -> Bool { values.cells[position].isNull }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func decode<Value: Storable>(_ type: Value.Type, at position: Int, name: String) throws -> Value {
        do {
            return try values.withRow(0) { cells in
                var cell = cells[position]
                if let storages = columns.storages { cell.storage = storages[position] }
                return try Value._decode(cell)
            }
        } catch {
            let sentence = (error as? CellMismatch)?.sentence ?? "was refused by the conversion to its type"
            throw DatabaseError(.decoding, "The value in column \"\(name)\" \(sentence).", properties: [name])
        }
    }
}
