import Foundation
import Holdfast

/// Types over tables in the layout of another program, and those that their objects become.
enum Imported {
    @Table("old_person")
    final class OldPerson {
        @PrimaryKey let id: Int64
        var firstName: String
        @Column(storage: .secondsSince2001) var born: Date?
        var mentor: OldPerson?
        var tags: [String] = []
        @Column(storage: .secondsSince2001) var changed: Date?
        var shoeSize: Int?

        init(id: Int64, _ name: String) { (self.id, firstName) = (id, name) }
    }

    @Table("old_company")
    final class OldCompany {
        @PrimaryKey let number: Int64
        var title: String
        @Relation(loading: .onDemand) var staff: [OldPerson] = []
        var boss: OldPerson?
        var owner: Reference<OldPerson>?

        init(number: Int64, _ title: String) { (self.number, self.title) = (number, title) }
    }

    @Table("new_person")
    final class Person {
        var id: Int64?
        var name: String
        var born: Date?
        var mentor: Person?
        var tags: [String] = []
        @Timestamp(.modified) var changed: Date?
        @Timestamp(.created) var created: Date?
        @Relation(inverse: \Company.staff, loading: .eager) var companies: [Company] = []

        init(_ name: String) { self.name = name }
    }

    @Table("new_company")
    final class Company {
        @PrimaryKey let id: Int64
        var title: String
        var staff: [Person] = []
        @Required var boss: Person?
        var owner: Reference<Person>?

        init(id: Int64, _ title: String) { (self.id, self.title) = (id, title) }
    }

    /// A company without what it leads to.
    @Table("new_firm")
    struct Firm: Equatable {
        @PrimaryKey let code: String
        var title: String
        var length: Int8
    }

    /// Two companies, and so many people that each has another one as mentor, who can come later.
    static func makeOld(_ db: Database, count: Int64) async throws {
        try await db.migrate(OldCompany.self)
        let people = (1...count).map { OldPerson(id: $0, "P\($0)") }
        for (index, person) in people.enumerated() {
            person.mentor = index == 0 ? nil : people[(index + 3) % people.count]
            person.tags = index == 1 ? ["b", "a", "b"] : []
            person.born = Date(timeIntervalSinceReferenceDate: Double(index) + 0.25)
            person.changed = index == 2 ? nil : Date(timeIntervalSinceReferenceDate: 700_000_000)
        }
        let (one, two) = (OldCompany(number: 7, "One"), OldCompany(number: 9, "Two"))
        (one.staff, one.boss) = ([people[4], people[1], people[4]], people[1])
        (two.boss, two.owner) = (people[2], Reference(people[0]))
        try await db.save(people)
        try await db.save([one, two])
    }
}
