/// The logical type of a column; each dialect has a type of its own for it.
public enum ColumnType: String, Hashable, Sendable, Codable, CaseIterable {
    case boolean
    case int16, int32, int64
    case float, double
    case decimal
    case text
    case blob
    case timestamp
    case uuid
    case json
}
