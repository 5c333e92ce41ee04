/// A kind of value in a document that can be compared.
@_spi(Driver) public enum JSONScalarType: String, Hashable, Sendable {
    /// A string.
    case text
    /// `true` or `false`.
    case boolean
    /// A number without a fraction, however it is written, of 64 bits.
    case integer
    /// A number, as its nearest `Double`, which has to be finite.
    case real

    /// The kind that a column of a type would hold; nil if JSON has none.
    init?(_ type: ColumnType?) {
        switch type {
        case .text: self = .text
        case .boolean: self = .boolean
        case .int16, .int32, .int64: self = .integer
        case .float, .double: self = .real
        case .decimal, .timestamp, .uuid, .blob, .json, nil: return nil
        }
    }

    /// The type of such a value in a query.
    var columnType: ColumnType {
        switch self {
        case .text: .text
        case .boolean: .boolean
        case .integer: .int64
        case .real: .double
        }
    }
}
