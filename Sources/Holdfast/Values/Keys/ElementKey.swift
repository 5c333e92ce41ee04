/// An element of an array, or a key, compared by what a column holds of it: engines tell apart less than cells do.
struct ElementKey: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case null
        case number(UInt64)
        case real(UInt64)
        case bytes([UInt8])
    }

    /// The frequent case, without allocation.
    private let first: Part
    private let rest: [Part]

    init(_ cells: UnsafeBufferPointer<Cell>) {
        first = cells.first.map(Self.part) ?? .null
        rest = cells.dropFirst().map(Self.part)
    }

    /// The key that the first so many cells of a row make.
    init(_ cells: UnsafeBufferPointer<Cell>, prefix count: Int) {
        self.init(UnsafeBufferPointer(rebasing: cells.prefix(count)))
    }

    private static func part(_ cell: Cell) -> Part {
        switch cell.kind {
        case .null: .null
        case .boolean, .integer, .timestamp: .number(cell.payload)
        case .real: .real(cell.payload)
        case .text, .blob, .decimal, .uuid, .json: .bytes(Array(cell.bytes))
        case .list: .null
        }
    }
}
