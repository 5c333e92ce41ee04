import Holdfast

/// The rows of a statement, with the fault of a driver.
final class BrokenRows: RowSource {
    private let base: any RowSource
    private let fault: Fault?
    private let width: Int
    /// The row that is lent, and the one after it.
    private var current: OwnedRow?
    private var following: OwnedRow?
    /// All rows, where they are given in reverse.
    private var remaining: [OwnedRow]?

    init(_ base: any RowSource, _ fault: Fault?) {
        self.base = base
        self.fault = fault
        width = base.columnNames.count
    }

    var columnNames: [String] { base.columnNames }

    var affectedRows: Int { fault == .countsOneRowAlways ? 1 : base.affectedRows }

    func next() throws -> UnsafePointer<Cell>? {
        switch fault {
        case .losesTheLastRow, .losesTheLastJoinedRow: return try nextButLast()
        case .mixesUpGeneratedKeys: return try nextFromTheEnd()
        case .readsNullAsZero: return try next(in: { $0.isNull ? .integer(0) : $0 })
        default: return try base.next()
        }
    }

    /// A single row is left alone, so that a count is still a count.
    private func nextButLast() throws -> UnsafePointer<Cell>? {
        let isFirst = current == nil
        current = isFirst ? try copiedRow() : following
        following = try copiedRow()
        return isFirst || following != nil ? current?.pointer : nil
    }

    private func nextFromTheEnd() throws -> UnsafePointer<Cell>? {
        if remaining == nil {
            var rows: [OwnedRow] = []
            while let row = try copiedRow() { rows.append(row) }
            remaining = rows
        }
        current = remaining?.popLast()
        return current?.pointer
    }

    private func copiedRow() throws -> OwnedRow? { try base.next().map { OwnedRow($0, width) } }

    private func next(in change: (Cell) -> Cell) throws -> UnsafePointer<Cell>? {
        guard let cells = try base.next() else { return nil }
        let row = OwnedRow(cells, width)
        for column in 0..<width { row.cells[column] = change(row.cells[column]) }
        current = row
        return row.pointer
    }
}

/// A copy of a row that outlives the driver's own.
private final class OwnedRow {
    let cells: UnsafeMutablePointer<Cell>
    private let width: Int
    private var bytes: [UnsafeMutableRawBufferPointer] = []

    init(_ source: UnsafePointer<Cell>, _ width: Int) {
        self.width = width
        cells = .allocate(capacity: max(width, 1))
        for column in 0..<width {
            var cell = source[column]
            if cell.hasBytes {
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(cell.bytes.count, 1), alignment: 8)
                copy.copyMemory(from: cell.bytes)
                bytes.append(copy)
                cell.payload = UInt64(UInt(bitPattern: copy.baseAddress))
            }
            (cells + column).initialize(to: cell)
        }
    }

    deinit {
        for buffer in bytes { buffer.deallocate() }
        cells.deallocate()
    }

    var pointer: UnsafePointer<Cell> { UnsafePointer(cells) }
}
