import Foundation
import Holdfast

/// The owner of one relation of each kind, with its delete rules.
@Table
final class Venture {
    var id: Int64?
    var name: String
    var tags: [String] = []
    var lead: Employee?
    var gatherings: [Gathering] = []
    @Relation(deleteRule: .cascade) var stages: [Stage] = []
    @Relation(deleteRule: .deny) var contracts: [Contract] = []
    @Relation(loading: .onDemand) var related: [Venture] = []

    init(_ name: String) { self.name = name }
}

/// Something that goes with its owner, and has parts that go with it.
@Table
final class Stage {
    var id: Int64?
    var title: String
    @Relation(inverse: \Chore.stage, deleteRule: .cascade, loading: .eager) var chores: [Chore] = []

    init(_ title: String) { self.title = title }
}

/// Something that cannot be without its owner.
@Table
final class Chore {
    var id: Int64?
    var title: String
    @Required var stage: Stage?

    init(_ title: String) { self.title = title }
}

/// Something that keeps its owner from being deleted.
@Table
final class Contract {
    @PrimaryKey var number: String
    var amount = 0

    init(_ number: String) { self.number = number }
}
