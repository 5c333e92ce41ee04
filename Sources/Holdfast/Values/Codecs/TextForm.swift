/// A form in which a column has values that queries compare as what they are, and not as what is stored.
public enum TextForm: Hashable, Sendable {
    /// Dates, as ``ValueStorage/text`` has them: compared as ``ColumnType/timestamp``.
    case date
    /// Decimals in plain digits: compared as ``ColumnType/decimal``.
    case decimal
    /// Booleans as one of two words: compared as ``ColumnType/boolean``.
    case words(true: String, false: String)
    /// Booleans as the integers 1 and 0: compared as ``ColumnType/boolean``.
    case integer
    /// Texts of values whose type the engine alone knows: compared as the engine compares that type.
    case ofColumnType

    /// The type as which values are compared.
    public var type: ColumnType {
        switch self {
        case .date: .timestamp
        case .decimal: .decimal
        case .words, .integer: .boolean
        case .ofColumnType: .text
        }
    }
}
