/// Parameters for one or many runs of a statement: rows of cells, and the bytes that they point into.
///
/// It is a value of plain arrays, so what was encoded on the caller's isolation can be sent to a connection.
///
/// ```swift
/// var parameters = ParameterBuffer(width: 2)
/// for rank: Int64 in [1, 2, 3] {
///     parameters.append(.integer(rank))
///     parameters.append(.null)
/// }
/// parameters.rowCount    // 3
/// ```
public struct ParameterBuffer: Sendable {
    /// The number of cells of a row.
    public let width: Int
    /// All cells, row after row; the payload of a text or blob is an offset in ``bytes``.
    public var cells: [Cell] = []
    /// The bytes of all texts and blobs.
    public var bytes: [UInt8] = []
    /// The lists, each a buffer of width 1, that cells of the kind ``Cell/Kind/list`` stand for.
    public var lists: [ParameterBuffer] = []

    /// Creates an empty buffer for rows of `width` cells.
    public init(width: Int) { self.width = width }

    /// No parameters: one run of a statement without placeholders.
    public static let none = ParameterBuffer(width: 0)

    /// The number of complete rows; 1 where the statement has no parameters.
    public var rowCount: Int { width == 0 ? 1 : cells.count / width }

    /// The rows that hold cells.
    var rowIndices: Range<Int> { 0..<(width == 0 ? 0 : cells.count / width) }

    /// Appends a cell that points at no bytes.
    @inlinable
    public mutating func append(_ cell: Cell) {
        assert(!cell.hasBytes)
        cells.append(cell)
    }

    /// Appends a cell of `kind`, and a copy of the bytes.
    ///
    /// If there are 4 GiB or more, `count` is its maximum; every engine refuses a value of that size.
    ///
    /// ```swift
    /// var name = "Apollo"
    /// name.withUTF8 { parameters.append(.text, UnsafeRawBufferPointer($0)) }
    /// ```
    @inlinable
    public mutating func append(_ kind: Cell.Kind, _ contents: UnsafeRawBufferPointer) {
        cells.append(Cell(kind: kind, count: UInt32(clamping: contents.count), payload: UInt64(bytes.count)))
        bytes.append(contentsOf: contents)
    }

    /// Appends a cell that stands for a whole column of values: see `Dialect.isIn(_:from:)`.
    ///
    /// ```swift
    /// var ids = ParameterBuffer(width: 1)
    /// for id: Int64 in [1, 2, 3] { ids.append(.integer(id)) }
    /// parameters.append(list: ids)    // one value for "id" = ANY ($1::bigint[])
    /// ```
    ///
    /// - Parameter list: The values, of one kind or NULL, in a buffer of width 1.
    public mutating func append(list: ParameterBuffer) {
        precondition(list.width == 1 && list.lists.isEmpty, "A list is one column of values.")
        cells.append(Cell(kind: .list, payload: UInt64(lists.count)))
        lists.append(list)
    }

    /// Appends a cell as a row gives it: what it points at is copied.
    @inlinable
    public mutating func append(copying cell: Cell) {
        if cell.hasBytes { append(cell.kind, cell.bytes) } else { cells.append(cell) }
    }

    /// Calls `body` with the cells of all rows, one row after the other.
    func withCells<Result>(_ body: (UnsafeBufferPointer<Cell>) throws -> Result) rethrows -> Result {
        if bytes.isEmpty { return try cells.withUnsafeBufferPointer(body) }
        return try bytes.withUnsafeBytes { arena in
            let base = UInt64(UInt(bitPattern: arena.baseAddress))
            let placed = cells.map { cell in
                var cell = cell
                if cell.hasBytes { cell.payload &+= base }
                return cell
            }
            return try placed.withUnsafeBufferPointer(body)
        }
    }

    /// Calls `body` with the cells of a row, with addresses in place of offsets, valid during the call.
    ///
    /// ```swift
    /// try parameters.withRow(0) { cells in
    ///     for (index, cell) in cells.enumerated() { try bind(cell, at: index + 1) }
    /// }
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func withRow<Result>(
        _ row: Int, _ body: (UnsafeBufferPointer<Cell>) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { arena in
            let base = UInt64(UInt(bitPattern: arena.baseAddress))
            return try withUnsafeTemporaryAllocation(of: Cell.self, capacity: max(width, 1)) { row_ in
                for column in 0..<width {
                    var cell = cells[row * width + column]
                    if cell.hasBytes { cell.payload &+= base }
                    row_.initializeElement(at: column, to: cell)
                }
                return try body(UnsafeBufferPointer(rebasing: row_[0..<width]))
            }
        }
    }
}
