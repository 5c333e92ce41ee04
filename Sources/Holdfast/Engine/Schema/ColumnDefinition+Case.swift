extension ColumnDefinition {
    /// The stored value of a case of an enum.
    public enum Case: Hashable, Sendable {
        /// A text.
        case text(String)
        /// An integer.
        case integer(Int64)

        init?(_ cell: Cell) {
            switch cell.kind {
            case .text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
            case .integer: self = .integer(cell.integer)
            default: return nil
            }
        }

        func literal(_ dialect: any Dialect) -> String {
            switch self {
            case .text(let text): dialect.literal(text)
            case .integer(let number): String(number)
            }
        }
    }
}
