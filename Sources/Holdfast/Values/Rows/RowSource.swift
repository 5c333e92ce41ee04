/// The rows that a statement returns, one at a time.
///
/// Used on one thread, while the connection runs the statement; never kept.
public protocol RowSource: AnyObject {
    /// The names of the columns, as the engine gives them.
    var columnNames: [String] { get }

    /// The least number of rows to expect, as far as it is known before reading; the caller reserves room for them.
    var underestimatedCount: Int { get }

    /// The cells of the next row, valid until the next call, or nil at the end.
    ///
    /// Rows of several parameter rows come one after the other, in their order.
    ///
    /// ```swift
    /// while let cells = try rows.next() { print(cells[0].integer, cells[1].isNull) }
    /// ```
    ///
    /// - Throws: What the engine says while it produces the row, or ``DatabaseError/Code/unsupported`` for a value of
    ///   a type that the driver can't read.
    func next() throws -> UnsafePointer<Cell>?

    /// After the end: the number of rows inserted, updated or deleted, over all parameter rows.
    ///
    /// ```swift
    /// let deleted = try await connection.run(Statement("DELETE FROM note"), .none, timeout: nil) { rows in
    ///     while try rows.next() != nil {}
    ///     return rows.affectedRows
    /// }
    /// ```
    var affectedRows: Int { get }
}

extension RowSource {
    public var underestimatedCount: Int { 0 }
}
