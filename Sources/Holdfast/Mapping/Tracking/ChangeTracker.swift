/// The state that an instance of a `@Table` class keeps: whether it is new, and which properties changed.
///
/// `@Table` adds one to each class. It takes no part in `Codable`: synthesized conformances neither write nor need it.
///
/// A property is marked when it is set to something else, and its original is kept: what it held when the object was
/// loaded or last saved. Whether a marked property holds that again is found out when somebody asks (decision 0061).
public struct ChangeTracker {
    @usableFromInline
    enum State: Sendable {
        /// Never saved.
        case new
        /// Never saved; an insert is under way.
        case inserting
        /// Saved or fetched.
        case persisted
        /// Deleted. Saving it by itself inserts it again; saving a holder removes it from that holder's properties.
        case deleted
    }

    /// Properties set since the instance was last saved or fetched.
    @usableFromInline var dirty = PropertyMask()
    /// The originals of properties that are marked, and those of arrays and the like before they are.
    ///
    /// Without one, a marked property counts as changed, whatever it holds; but an array was empty.
    @usableFromInline var originals = OriginalValues()
    /// Whether a marked property may hold its original.
    @usableFromInline var isUncertain = false
    @usableFromInline var state = State.new
    /// The ID of the save that inserts the instance, or did.
    var insertingSaveID: UInt32 = 0
    /// The number of saves under way that have encoded the instance; they restore what they took if they fail.
    var inFlightCount: Int32 = 0
    /// The number of saves that have encoded the instance.
    var saveCount: UInt32 = 0
    /// Properties that were not loaded: what they hold is not what the database has.
    @usableFromInline var unloaded = PropertyMask()
    /// For each relation that the other side keeps, the keys of what it held when it was loaded or saved: what is no
    /// longer there was taken out here, and what is there besides was put in elsewhere.
    var inverses: [Int: Set<ElementKey>]?
    /// The latest attempt at a transaction when the instance was made, or reloaded.
    var birth = TransactionAttempt.latestNumber
    /// The latest deletion when the instance was made, or reloaded: relations are compared with what was known then.
    @usableFromInline var latestDeletion = Deletions.latestNumber
    /// The save that met the instance last, and the index of the instance there.
    var membership = SaveMembership()
    #if DEBUG
    /// The fetch that gave the instance.
    let origin = LoadOrigin.current
    #endif

    /// Creates the tracker of a new instance.
    public init() {}

    /// Remembers that the instance is what its row holds.
    @inlinable
    mutating func markPersisted() {
        state = .persisted
        dirty = PropertyMask()
        originals = OriginalValues()
        isUncertain = false
    }
}

extension ChangeTracker: Codable {
    public init(from decoder: any Decoder) throws {}

    public func encode(to encoder: any Encoder) throws {}
}

extension KeyedDecodingContainer {
    /// Reads nothing: synthesized `Codable` conformances of classes call this overload instead of the general one.
    public func decode(_ type: ChangeTracker.Type, forKey key: Key) throws -> ChangeTracker { ChangeTracker() }
}

extension KeyedEncodingContainer {
    /// Writes nothing: synthesized `Codable` conformances of classes call this overload instead of the general one.
    public mutating func encode(_ value: ChangeTracker, forKey key: Key) throws {}
}
