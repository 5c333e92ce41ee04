/// The logical type of a column, for which each dialect has its own type.
public enum ColumnType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A Boolean: `INTEGER` with a CHECK, or `boolean`.
    case boolean
    /// An integer of 16 bits: `INTEGER` or `smallint`.
    case int16
    /// An integer of 32 bits: `INTEGER` or `integer`.
    case int32
    /// An integer of 64 bits: `INTEGER` or `bigint`.
    case int64
    /// A floating-point number of 32 bits: `REAL`, or PostgreSQL's `real`.
    case float
    /// A floating-point number of 64 bits: `REAL` or `double precision`.
    case double
    /// An exact decimal number: canonical `TEXT`, or `numeric`.
    case decimal
    /// Text: `TEXT`, or `text COLLATE "C"`.
    case text
    /// Bytes: `BLOB` or `bytea`.
    case blob
    /// An instant: `INTEGER` microseconds since 1970, or `timestamp with time zone`.
    case timestamp
    /// A UUID: a `BLOB` of 16 bytes, or `uuid`.
    case uuid
    /// JSON: `TEXT` or `jsonb`.
    case json
}
