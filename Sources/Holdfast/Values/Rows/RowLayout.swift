/// The cell of each property in a row, and the names for the error about a cell that does not fit.
@usableFromInline
final class RowLayout: @unchecked Sendable {  // the slots are written only before init returns
    /// No cell: the property is not part of the row.
    static let absent: Int32 = -1
    /// Part of the row, without a cell of its own: an array that can't be nil.
    static let withoutCell: Int32 = -2

    let table: String
    let propertyNames: [String]
    @usableFromInline let propertyCount: Int
    @usableFromInline let slots: UnsafeMutablePointer<Int32>

    init(table: String, propertyNames: [String], slots: [Int32]) {
        self.table = table
        self.propertyNames = propertyNames
        propertyCount = propertyNames.count
        self.slots = .allocate(capacity: max(slots.count, 1))
        for (index, slot) in slots.enumerated() { self.slots[index] = slot }
    }

    deinit { slots.deallocate() }
}
