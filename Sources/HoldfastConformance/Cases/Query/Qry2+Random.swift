import Foundation
import Holdfast

extension ConformanceCase {
    static let qry2Random: [ConformanceCase] = [
        ConformanceCase(
            "qry-2.random", "QRY-2",
            "Random conditions find what they mean in Swift, typed and as text, and their negations the rest"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            var random = SplitMix64(state: environment.seed)
            for round in 0..<120 {
                let condition = RandomCondition.make(Columns(), depth: 4, using: &random)
                let expected = engineers.filter(condition.meaning).compactMap { $0.id.map { Key($0) } }
                let rest = engineers.filter { !condition.meaning($0) }.compactMap { $0.id.map { Key($0) } }
                let typed = db.query(Engineer.self).where(condition.typed)
                try expect(try await typed.keys(), equals: expected, "round \(round), typed")
                let text = db.query(Engineer.self).where(condition.text)
                try expect(try await text.keys(), equals: expected, "round \(round), as text")
                try expect(
                    try await db.query(Engineer.self).where(!condition.text).keys(), equals: rest,
                    "round \(round), negated")
            }
        }
    ]
}

/// A random condition in three forms: typed, as text, and what it means in Swift.
private struct RandomCondition {
    let typed: Condition
    let text: Condition
    let meaning: (Engineer) -> Bool

    /// Conditions joined and negated at random, up to some levels.
    static func make(
        _ columns: Columns<Engineer>, depth: Int, using random: inout some RandomNumberGenerator
    ) -> RandomCondition {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return atom(columns, using: &random) }
        let left = make(columns, depth: depth - 1, using: &random)
        let right = make(columns, depth: depth - 1, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return RandomCondition(typed: !left.typed, text: "NOT \(left.text)") { !left.meaning($0) }
        case 1, 2:
            return RandomCondition(typed: left.typed && right.typed, text: "\(left.text) AND \(right.text)") {
                left.meaning($0) && right.meaning($0)
            }
        case 3:
            return RandomCondition(typed: .any([left.typed, right.typed]), text: [left.text, "OR", right.text]) {
                left.meaning($0) || right.meaning($0)
            }
        default:
            return RandomCondition(typed: left.typed || right.typed, text: "\(left.text) OR \(right.text)") {
                left.meaning($0) || right.meaning($0)
            }
        }
    }

    private init(typed: Condition, text: Condition, _ meaning: @escaping (Engineer) -> Bool) {
        self.typed = typed
        self.text = text
        self.meaning = meaning
    }

    private static func atom(
        _ columns: Columns<Engineer>, using random: inout some RandomNumberGenerator
    ) -> RandomCondition {
        let number = Int.random(in: -20..<40, using: &random)
        let small = Int16(number)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .init(typed: columns.age > number, text: "age > \(number)") { $0.age > number }
        case 1:
            return .init(typed: columns.shoe < small, text: "shoe < \(small)") { $0.shoe.map { $0 < small } ?? false }
        case 2: return .init(typed: columns.shoe != small, text: "shoe <> \(number)") { $0.shoe != small }
        case 3: return .init(typed: columns.shoe == nil, text: "shoe IS NULL") { $0.shoe == nil }
        case 4: return .init(typed: columns.isActive.condition, text: "isActive") { $0.isActive }
        case 5: return .init(typed: columns.isRemote != true, text: "NOT isRemote = TRUE") { $0.isRemote != true }
        case 6:
            return .init(typed: columns.boss.age <= number, text: "boss.age <= \(number)") { engineer in
                engineer.boss.map { $0.age <= number } ?? false
            }
        case 7: return .init(typed: columns.boss == nil, text: "boss IS NULL") { $0.boss == nil }
        case 8: return .init(typed: columns.tags.contains("z"), text: "tags CONTAINS 'z'") { $0.tags.contains("z") }
        case 9:
            return .init(typed: columns.tags.count * 10 > number, text: "count(tags) * 10 > \(number)") {
                $0.tags.count * 10 > number
            }
        case 10:
            return .init(typed: columns.reviews.contains { $0.points > number }, text: "reviews.points > \(number)") {
                $0.reviews.contains { $0.points > number }
            }
        case 11:
            return .init(typed: columns.reviews.contains { $0.words == nil }, text: "reviews.words IS NULL") {
                $0.reviews.contains { $0.words == nil }
            }
        case 12:
            return .init(typed: columns.scores.contains { $0 >= 4 }, text: "scores >= 4") {
                $0.scores?.contains { $0 >= 4 } ?? false
            }
        default:
            return .init(
                typed: columns.age.in([number, number + 1, 14]), text: "age IN (\(number), \(number) + 1, 14)"
            ) {
                [number, number + 1, 14].contains($0.age)
            }
        }
    }
}
