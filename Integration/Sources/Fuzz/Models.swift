import Foundation
import Holdfast

@Table
final class Project {
    enum Status: String, Storable { case planned, done }

    var id: Int64?
    var name: String
    var budget: Decimal = 0
    var hours: Int?
    var size: Int16 = 0
    var status = Status.planned
    var start: Date?
    var tags: [String] = []
    var meetings: [Meeting] = []
    var lead: Person?

    init(name: String) { self.name = name }
}

@Table
final class Meeting {
    var id: Int64?
    var minutes = 0

    init() {}
}

@Table
final class Person {
    var id: Int64?
    var lastName: String
    @Relation(inverse: \Project.lead, loading: .eager) var projects: [Project] = []

    init(lastName: String) { self.lastName = lastName }
}
