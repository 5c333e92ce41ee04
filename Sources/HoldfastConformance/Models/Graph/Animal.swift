import Holdfast

/// The class at the top of a hierarchy, which has relations.
@Table
class Animal {
    var id: Int64?
    var name: String
    var friends: [Animal] = []
    weak var parent: Animal?

    init(_ name: String) { self.name = name }
}

/// A class that inherits relations, and adds one.
@Table(inherits: Animal.self)
class Mammal: Animal {
    var legs = 4
    var keeper: Employee?
}

/// A class at the bottom.
@Table(inherits: Mammal.self)
final class Whale: Mammal {
    var depth = 0.5
    var pod: [Whale] = []
}
