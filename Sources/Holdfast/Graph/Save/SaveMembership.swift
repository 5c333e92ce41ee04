import Synchronization

/// The save that met an object last, and the number of the object there, so that the save finds it without a look-up.
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
