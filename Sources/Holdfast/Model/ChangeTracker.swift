/// What an instance of a `@Table` class remembers of itself: whether it is new, and which properties changed.
///
/// `@Table` adds one to each class. It takes no part in `Codable`: synthesized conformances neither write nor need it.
public struct ChangeTracker: Sendable {
    enum State: Sendable {
        /// Never saved.
        case new
        /// Never saved; an insert is under way.
        case inserting
        /// Saved or fetched.
        case persisted
    }

    var state = State.new
    /// Properties set since the instance was last saved or fetched.
    @usableFromInline var dirty = PropertyMask()
    /// The number of saves under way that have encoded the instance; what they took is theirs to bring back if they fail.
    var flights = 0

    /// The tracker of a new instance.
    public init() {}

    /// Remembers that the property at `index` was set.
    @inlinable
    public mutating func mark(_ index: Int) { dirty.insert(index) }
}

extension ChangeTracker: Codable {
    public init(from decoder: any Decoder) throws {}

    public func encode(to encoder: any Encoder) throws {}
}

extension KeyedDecodingContainer {
    /// A tracker is not read: synthesized `Codable` conformances of classes call this one in place of the general form.
    public func decode(_ type: ChangeTracker.Type, forKey key: Key) throws -> ChangeTracker { ChangeTracker() }
}

extension KeyedEncodingContainer {
    /// A tracker is not written: synthesized `Codable` conformances of classes call this one in place of the general form.
    public mutating func encode(_ value: ChangeTracker, forKey key: Key) throws {}
}
