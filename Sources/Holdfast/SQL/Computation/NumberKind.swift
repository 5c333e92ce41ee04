/// A kind of number in arithmetic.
enum NumberKind: Hashable, Sendable {
    case integer
    case real
    case decimal

    init?(_ type: ColumnType) {
        switch type {
        case .int16, .int32, .int64: self = .integer
        case .float, .double: self = .real
        case .decimal: self = .decimal
        case .boolean, .text, .blob, .timestamp, .uuid, .json: return nil
        }
    }

    /// The type in which such numbers are computed.
    var type: ColumnType {
        switch self {
        case .integer: .int64
        case .real: .double
        case .decimal: .decimal
        }
    }
}
