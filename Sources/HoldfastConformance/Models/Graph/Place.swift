import Foundation
import Holdfast

/// A node of a graph of any shape, with a key of text.
@Table
final class Vertex {
    @PrimaryKey var name: String
    var next: Vertex?
    var edges: [Vertex] = []

    init(_ name: String) { self.name = name }
}

/// A tree by its parents, with keys that are UUIDs.
@Table
final class Branch {
    @PrimaryKey var id: UUID
    var label: String
    weak var parent: Branch?
    @Relation(inverse: \Branch.parent, deleteRule: .cascade, loading: .eager) var branches: [Branch] = []

    init(_ label: String) {
        id = UUID()
        self.label = label
    }
}

/// A seat, by two values together.
@Table
struct Seat: Hashable {
    @PrimaryKey let row: String
    @PrimaryKey let number: Int
    var isTaken = false
}

/// An object with references to rows with a key of two values: one, and many in order.
@Table
final class Ticket {
    var id: Int64?
    var seat: Seat?
    var alternatives: [Seat] = []

    init(_ seat: Seat?) { self.seat = seat }
}
