import Foundation
import Holdfast

/// An employer, with everybody who works there: the other side of a reference.
@Table
final class Company {
    var id: Int64?
    var name: String
    @Relation(inverse: \Employee.company, loading: .eager) var staff: [Employee] = []

    init(_ name: String) { self.name = name }
}

/// A person with references of all kinds: to another table, to the same one, and weakly.
@Table
final class Employee {
    var id: Int64?
    var name: String
    var company: Company?
    var spouse: Employee?
    weak var mentor: Employee?
    var siblings: [Employee] = []
    @Timestamp(.modified) var modifiedAt: Date?

    init(_ name: String) { self.name = name }
}

/// A meeting whose participants are in an order, and may come twice.
@Table
final class Gathering {
    var id: Int64?
    var topic: String
    var minutes = 30
    var participants: [Employee] = []

    init(_ topic: String) { self.topic = topic }
}
