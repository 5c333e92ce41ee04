/// An object of a graph: the index of its table, and its own there.
struct NodeID: Hashable, Sendable, BitwiseCopyable {
    let table: Int32
    let index: Int32

    init(table: Int, index: Int) {
        self.table = Int32(truncatingIfNeeded: table)
        self.index = Int32(truncatingIfNeeded: index)
    }
}
