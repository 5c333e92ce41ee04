import Foundation
import Holdfast

/// Somebody to ask about: values of every type, nil among them, and relations of every kind.
@Table
final class Engineer {
    enum Grade: String, Storable { case junior, senior, principal }

    struct Address: Codable, Equatable {
        var city: String
    }

    var id: Int64?
    var name: String
    var nickname: String?
    var age: Int
    var shoe: Int16?
    var height: Double?
    var ratio: Float = 0
    var salary: Decimal = 0
    var bonus: Decimal?
    @Column(storage: .scaled(2)) var rate: Decimal = 0
    var isActive = true
    var isRemote: Bool?
    var born: Date?
    @Column(storage: .iso8601) var joined: Date?
    var badge: UUID?
    var grade: Grade = .junior
    var photo: Data?
    var address: Address?
    var tags: [String] = []
    var scores: [Int]?
    var boss: Engineer?
    var team: Team?
    var reviews: [Review] = []
    var mentor: Reference<Engineer>?

    init(_ name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

/// A team of engineers: the inverse side of their reference.
@Table
final class Team {
    var id: Int64?
    var name: String
    var city: String?
    var lead: Engineer?
    @Relation(inverse: \Engineer.team, loading: .eager) var members: [Engineer] = []

    init(_ name: String) { self.name = name }
}

/// Something in an array of objects.
@Table
final class Review {
    var id: Int64?
    var points: Int
    var words: String?
    var author: Engineer?

    init(_ points: Int) { self.points = points }
}
