/// An object of a graph: the number of its table, and of its row there.
struct NodeID: Hashable, Sendable, BitwiseCopyable {
    let table: Int32
    let row: Int32

    init(table: Int, row: Int) {
        self.table = Int32(truncatingIfNeeded: table)
        self.row = Int32(truncatingIfNeeded: row)
    }
}
