import Synchronization

/// The save that met an object last, and the index of the object there, so that the save finds it without a look-up.
///
/// It counts only for the save with that ID, which compares the object there too: IDs come again after 2^32
/// saves.
struct SaveMembership: Sendable, BitwiseCopyable {
    private static let lastSaveID = Atomic<UInt32>(0)

    /// The ID of the save; 0 for none.
    var save: UInt32 = 0
    /// The index of the object in its table.
    var index: Int32 = 0

    /// Makes an ID for a save.
    static func makeSaveID() -> UInt32 { max(lastSaveID.wrappingAdd(1, ordering: .relaxed).newValue, 1) }
}
