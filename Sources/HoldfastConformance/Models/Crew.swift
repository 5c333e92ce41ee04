import Holdfast

/// A struct whose row is all that there is to it, with a reference.
@Table
struct Slim: Equatable {
    let id: Int64
    var buyer: Reference<Buyer>?
}

/// An object with a relation that is loaded when it is asked for.
@Table
final class Crew {
    var id: Int64?
    var name: String
    @Relation(loading: .onDemand) var members: [Choice] = []

    init(_ name: String, _ members: [Choice]) { (self.name, self.members) = (name, members) }
}
