import Foundation
import Holdfast
import OtherModule

/// The top of a hierarchy, without hooks.
@Table(indexes: [.index("name")])
class Animal {
    var id: Int64?
    var name: String
    @Timestamp(.modified) var modifiedAt: Date?
    private var secret = 0

    init(name: String) { self.name = name }
    convenience init() { self.init(name: "animal") }

    func count() { secret += 1 }
    var counted: Int { secret }
}

/// A class that has no initializer of its own, and so has those of its superclass.
@Table(inherits: Animal.self)
class Mammal: Animal {
    var legs = 4
    @Unique var tag: String?
    var colors: [String] = []
    @Transient var isAwake = true
    weak var parent: Mammal?

    override var name: String { didSet { log.append("name") } }
    @Transient var log: [String] = []

    override func willSave() throws { log.append("mammal") }
}

/// A final class of the third level, with constants, observers and an initializer of its own.
@Table("whales", inherits: Mammal.self, naming: .asDeclared, indexes: [.index("name", "maxDepth"), .unique("tag")])
final class Whale: Mammal {
    let species: String
    var maxDepth: Int { didSet { log.append("depth") } }
    @Relation(inverse: \Calf.mother, loading: .eager) var calves: [Calf] = []

    init(species: String, maxDepth: Int) {
        self.species = species
        self.maxDepth = maxDepth
        super.init(name: "whale")
    }

    override func willSave() throws {
        try super.willSave()
        log.append("whale")
    }
}

@Table
final class Calf {
    var id: Int64?
    var mother: Whale?
}

extension Animal {
    /// A subclass that is nested in its superclass, whose key it has, and `id` is what others call it.
    @Table("birds", inherits: Animal.self)
    final class Bird: Animal {
        var wings = 2
        var `class` = "aves"
    }
}

/// A class that keeps its `init()`, and whose subclass does too.
@Table
class Plain {
    @PrimaryKey var code = "c"
}

@Table(inherits: Plain.self)
class Plainer: Plain {
    var id = 5
    convenience init(id: Int) {
        self.init()
        self.id = id
    }
}

/// A class without a mapping of its own in the middle.
class Unmapped: Plain {
    var forgotten = 1
}

@Table(inherits: Unmapped.self)
final class Mapped: Unmapped {
    var kept = 2
}

/// A subclass of what another module declares.
@Table(inherits: Car.self)
final class Taxi: Car {
    var fare: Double

    init(fare: Double) {
        self.fare = fare
        super.init(name: "taxi")
    }
}

@Table(inherits: Vehicle.self)
class Bicycle: Vehicle {
    var gears = 1

    override func willSave() throws { try super.willSave() }
}

/// A hierarchy with synthesized coding.
@Table
class Document: Codable {
    var id: Int64?
    var title = ""
}

@Table(inherits: Document.self)
class Letter: Document {
    var address = ""
}
