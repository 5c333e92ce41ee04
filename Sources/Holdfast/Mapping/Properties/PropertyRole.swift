/// What the value of a column is for, where it is more than a value.
///
/// A column has one role, so that two which exclude each other can't be declared. A key is never set by a save, as a
/// time or a version is; what the database computes is not written at all.
enum PropertyRole: Sendable, Equatable {
    /// A value that the program reads and writes.
    case plain
    /// The primary key, or part of it.
    case key
    /// The time of the insertion, or of each save.
    case timestamp(TimestampKind)
    /// The count of a row's updates.
    case version
    /// The instant from which the object is gone; it can be computed.
    case expiry(isGenerated: Bool)
    /// A value that the database computes.
    case generated

    /// Whether the database computes the column, which is only read.
    var isGenerated: Bool {
        switch self {
        case .generated, .expiry(isGenerated: true): true
        case .plain, .key, .timestamp, .version, .expiry(isGenerated: false): false
        }
    }

    /// The kind of timestamp that it is; nil if it is none.
    var timestamp: TimestampKind? { if case .timestamp(let kind) = self { kind } else { nil } }

    /// Whether it is the instant from which the object is gone.
    var expires: Bool { if case .expiry = self { true } else { false } }

    /// The role of a column that was given both; nil if they exclude each other.
    func joined(with other: PropertyRole) -> PropertyRole? {
        if self == other || other == .plain { return self }
        switch self {
        case .plain: return other
        case .generated: return other.expires ? .expiry(isGenerated: true) : nil
        case .expiry: return other == .generated || other.expires ? .expiry(isGenerated: true) : nil
        // The last one counts.
        case .timestamp: return other.timestamp == nil ? nil : other
        case .key, .version: return nil
        }
    }
}
