import Synchronization

/// Which object of which save an object is, so that a save finds what it has met without looking it up.
///
/// It counts only for the save of that number, which compares the object there too: numbers come again after 2^32
/// saves.
struct SaveMembership: Sendable, BitwiseCopyable {
    private static let lastNumber = Atomic<UInt32>(0)

    /// The number of the save; 0 for none.
    var save: UInt32 = 0
    /// The number of the object in its table.
    var index: Int32 = 0

    /// Makes a number for a save.
    static func makeNumber() -> UInt32 { max(lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, 1) }
}
