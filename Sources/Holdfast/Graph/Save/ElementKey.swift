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
