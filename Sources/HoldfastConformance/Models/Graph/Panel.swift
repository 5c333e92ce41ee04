import Holdfast

/// Arrays of all kinds: of values, of objects, and of objects that can be nil.
@Table
final class Panel {
    var id: Int64?
    var name: String
    var words: [String] = []
    var members: [Employee] = []
    var deputies: [Employee]?

    init(_ name: String) { self.name = name }
}

/// Something that one employee has at most one of.
@Table
final class Locker {
    var id: Int64?
    @Unique var owner: Employee?

    init(_ owner: Employee? = nil) { self.owner = owner }
}

/// Something that no object can be made of without an employee.
@Table
final class Badge {
    var id: Int64?
    var holder: Employee
    var isValid = true

    init(_ holder: Employee) { self.holder = holder }
}

/// Something that may be somebody's, and that nothing refers to.
@Table
final class Card {
    var id: Int64?
    var text: String
    var holder: Employee?

    init(_ text: String, _ holder: Employee? = nil) {
        self.text = text
        self.holder = holder
    }
}

/// References to keys of all kinds.
@Table
final class Pass {
    var id: Int64?
    var vertex: Vertex?
    var branch: Branch?
    var seat: Seat?
    var basket: Basket?
    var receipt: Receipt?
}

/// One half of a cycle that can't be opened.
@Table
final class Hen {
    var id: Int64?
    @Required var egg: Egg?
}

/// The other half.
@Table
final class Egg {
    var id: Int64?
    @Required var hen: Hen?
    var owner: Employee?
}
