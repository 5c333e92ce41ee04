// A condition of twelve terms is checked in well under a second.
// flags: -Xfrontend -warn-long-expression-type-checking=500

import Foundation
import Holdfast

@Table
final class Citizen {
    var id: Int64?
    var firstName: String
    var lastName: String
    var age = 0
    var height: Double?
    var wealth: Decimal = 0
    var born: Date?
    var tags: [String] = []
    var spouse: Citizen?
    var friends: [Citizen] = []

    init(firstName: String, lastName: String) {
        self.firstName = firstName
        self.lastName = lastName
    }
}

func twelve(_ query: Query<Citizen>, _ born: Date) -> Query<Citizen> {
    query.where {
        $0.age >= 18 && ($0.lastName.hasPrefix("Sm") || $0.spouse == nil) && $0.height > 1.5 && $0.wealth < 1_000
            && ($0.born > born || $0.born == nil) && $0.tags.contains("x") && !$0.friends.isEmpty && $0.age + 1 < 90
            && $0.spouse.lastName != "Sm" && $0.friends.contains { $0.age > 3 && $0.firstName.like("a%") }
    }
}

func run(_ database: Database) async throws {
    let adults = database.query(Citizen.self).where { $0.age >= 18 }
    let names: [(String, Int)] = try await adults.select { ($0.lastName, $0.rowCount) }.fetch()
    let oldest: Int? = try await adults.max { $0.age }
    let tallest: Double? = try await adults.max { $0.height }
    let sum: Int64 = try await adults.sum { $0.age }
    try await adults.update {
        $0.age += 1; $0.spouse.set(nil)
    }
    print(names, oldest as Any, tallest as Any, sum)
}
