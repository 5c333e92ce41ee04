import Foundation
import Holdfast

/// Clubs and people, whose links have properties of their own, and links within one type.
enum Club {
    @Table("club_team")
    final class Team {
        var id: Int64?
        @Version var version = 0
        var name: String
        @Relation(inverse: \Membership.team, deleteRule: .cascade) var memberships: [Membership] = []
        @Relation(inverse: \Membership.team, through: \Membership.person) var members: [Person] = []

        init(_ name: String) { self.name = name }
    }

    @Table("club_person")
    final class Person {
        var id: Int64?
        var name: String
        var age: Int?
        @Relation(inverse: \Membership.person, through: \Membership.team) var teams: [Team] = []
        @Relation(inverse: \Follow.from, through: \Follow.to, loading: .eager) var followed: [Person] = []
        @Relation(inverse: \Follow.to, through: \Follow.from) var followers: [Person] = []

        init(_ name: String, age: Int? = nil) { (self.name, self.age) = (name, age) }
    }

    enum Role: String, Storable { case guest, player, captain }

    @Table("club_membership", indexes: [.index("team", "person")])
    final class Membership {
        var id: UUID = UUID()
        var team: Team
        @Required var person: Person?
        var role = Role.guest
        var note: String?
        @Timestamp(.created) var since: Date?
        @Version var version = 0

        init(_ team: Team, _ person: Person, _ role: Role) {
            (self.team, self.person, self.role) = (team, person, role)
        }
    }

    /// A link that is a struct, and holds the two that it links by their keys.
    @Table("club_follow", indexes: [.unique("from", "to")])
    struct Follow {
        var id: Int64?
        var from: Reference<Person>
        var to: Reference<Person>
        var weight = 1
    }

    /// A link without defaults.
    @Table("club_sponsor")
    final class Sponsor {
        var id: Int64?
        var person: Person
        var event: Event
        var amount: Int

        init(_ person: Person, _ event: Event, amount: Int) {
            (self.person, self.event, self.amount) = (person, event, amount)
        }
    }

    @Table("club_event")
    final class Event {
        var id: Int64?
        @Relation(inverse: \Sponsor.event, through: \Sponsor.person) var sponsors: [Person] = []

        init() {}
    }
}
