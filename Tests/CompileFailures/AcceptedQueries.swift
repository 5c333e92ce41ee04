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
    var isMember = false
    var isGuest = false
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

// Conditions of every kind stand on both sides of an operator.
func mixed(_ query: Query<Citizen>) -> Query<Citizen> {
    query.where { .sql("length(\($0.lastName)) > 3") && $0.isMember }
        .where { $0.isMember && $0.isGuest || !$0.isMember && $0.age > 3 }
        .where { "age > 3" && $0.isMember == true || $0.isGuest && $0.age < 3 }
        .where(.isNil("born") && !.isNil("spouse") || "age > 3" && .sql("age > 3"))
        .where { .all([$0.age > 3 || $0.spouse == nil]) && $0.isMember && !.isNil("born") }
        .where { _ in .sql("age > 3") }
        .where { $0.spouse == nil && $0.tags != nil && $0.height == nil && $0.born != $0.spouse.born }
}

// Queries inside of others, and pairs.
func inner(_ query: Query<Citizen>) -> Query<Citizen> {
    query.where { c in !.exists(Citizen.self) { $0.spouse == c && $0.age > c.age } && c.isMember }
        .where { $0.lastName.in(Query(Citizen.self).where { $0.age > 3 }.select(\.firstName)) || !$0.isGuest }
        .where { c in (Query(Citizen.self).where { $0.spouse == c }.select { $0.wealth.sum }.value ?? 0) > c.wealth + 1
        }
        .where { $0.spouse.in(query.limit(3)) && !$0.isDescendant(ofKey: 7, via: \.spouse) }
        .order { c in [query.where { $0.spouse == c }.rowCount.descending, c.age.ascending] }
        .descendants(of: Citizen(firstName: "a", lastName: "b"), via: \.spouse, depth: 2)
}

func pairs(_ query: Query<Citizen>) async throws {
    let joined = query.joined(to: Citizen.self) { $0.lastName == $1.lastName && $0.age < $1.age }
    let rows: [(String, Int)] = try await joined.where { $0.isMember && $1.isGuest }.select { ($0.lastName, $1.age) }
        .fetch()
    let pairs: [(Citizen, Citizen)] = try await joined.order { [$0.age.ascending, $1.age.descending] }.fetch()
    print(rows, pairs)
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

func short(_ database: Database, _ context: any DatabaseContext, _ query: Query<Citizen>) async throws {
    let oldest: Int? = try await query.select { $0.age }.fetch().max()
    let names: [String] = try await query.select(\.lastName).fetch()
    let pairs: [(String, Int)] = try await query.select { ($0.lastName, $0.age) }.fetch()
    let some =
        query
        .where { $0.height.in(1.5...1.9) && $0.age.optional.in(1...9) && $0.age.in(1..<9) && $0.age.in([1, 2]) }
        .where { $0.height.in(1.5...) || $0.height.in(..<1.9) || $0.age.in(...5) || $0.height.in([1.5, nil]) }
        .order(\.lastName).order(\.spouse.age, .descending).including(\.spouse, \.friends)
    let row = try await database.sql("SELECT 1").first()
    let one = try await database.sql("SELECT 1").one(as: Int.self)
    let kept: Int = try await context.transaction { tx in try await tx.query(Citizen.self).count() }
    let id: Int64 = try await some.keys()[0].value(as: Int64.self)
    let groups: [(String, Int)] = try await query.group { ($0.lastName, $0.age) }
        .select { ($0.lastName, $0.rowCount) }.fetch()
    let counts = try await query.group(by: \.age).select { ($0.age, $0.rowCount) }.fetch()
    let bySpouse = try await query.group(by: \.spouse).select { ($0.spouse.id.optional, $0.rowCount) }.fetch()
    let eldest = query.first(3, ofEach: { $0.spouse }, order: { [$0.born.ascending] }).first(2, ofEach: \.age)
        .first(1, ofEach: { [$0.lastName, $0.spouse, $0.age] })
    let totals = try await query.select {
        ($0.rowCount, $0.age.sum(where: $0.age >= 18), $0.age.max(where: $0.lastName == "x" && $0.age < 9), $0.age.sum)
    }.first()
    let windows = try await query.select {
        (
            $0.age.sum.over(partition: [$0.spouse, $0.lastName], order: [$0.born.ascending]), $0.age.lag(order: []),
            $0.rowNumber(partition: [$0.spouse], order: [$0.age.descending]), $0.height.lead(2, order: [])
        )
    }.fetch()
    let others = query.distinct {
        ($0.lastName, $0.age)
    } keeping: {
        [$0.born.ascending]
    }
    .distinct { $0.age }.distinct(by: \.lastName).distinct { $0.spouse }.distinct(by: \.spouse)
    _ = (oldest, names, pairs, row, one, kept, id, groups, counts, others, bySpouse, eldest, totals, windows)
}
