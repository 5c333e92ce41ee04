import Foundation
import Holdfast

/// What the tests ask about.
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
    @Timestamp(.modified) var modifiedAt: Date?

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
    var age = 0
    var spouse: Person?
    @Relation(inverse: \Project.lead, loading: .eager) var projects: [Project] = []

    init(lastName: String) { self.lastName = lastName }
}

@Table
class Shelf {
    var id: Int64?
    var title = ""

    init() {}
}

@Table(inherits: Shelf.self)
final class SortedShelf: Shelf {
    override class var defaultOrder: [Ordering] { [.descending("title")] }
}

@Table
final class Page {
    var id: Int64?
    @OmitIfMissing var title: String?
    @OmitIfMissing var paragraphs: [String] = []
    var previous: Page?
    @Version var version = 0

    init(title: String) { self.title = title }
}

@Table
final class Link {
    var id: Int64?
    var page: Page?

    init(page: Page) { self.page = page }
}
