import Foundation
import Holdfast

extension ConformanceCase {
    static let agg1Random: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.random", "AGG-1",
            "Random groups by elements, choices, dates and bits are those that Swift computes"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            var random = SplitMix64(state: environment.seed)
            for round in 0..<150 {
                let groups = RandomGroups(using: &random)
                let query = db.query(Engineer.self).where(groups.condition).group(by: groups.key)
                let (key, bonus) = (groups.key, groups.bonus)
                let rows = try await query.select {
                    (key($0), $0.rowCount, $0.id.distinctCount, bonus($0).sum, $0.born.seconds(until: $0.joined).max)
                }.fetch()
                let expected = groups.rows(of: engineers)
                try expect(
                    rows.map { "\(String(describing: $0)) \($1) \($2) \($3 ?? 0) \($4 ?? -1)" },
                    equalsEach: expected.map(\.text),
                    "round \(round), \(groups.title)")
                let least = Int.random(in: 1..<5, using: &random)
                let large = try await query.having { $0.rowCount >= least }
                    .order { [$0.rowCount.descending, key($0).descending] }.limit(3).select(key).fetch()
                let ordered = expected.filter { $0.count >= least }.reversed().enumerated()
                    .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.prefix(3)
                try expect(large, equals: ordered.map(\.element.key), "round \(round), the largest, \(groups.title)")
            }
        }
    ]
}

/// Random groups in two forms: as a query has them, and what they are in Swift.
private struct RandomGroups {
    struct Group {
        let key: String?
        let count: Int
        let text: String
    }

    private(set) var title = ""
    private(set) var key: @Sendable (Columns<Engineer>) -> QueryExpression<String?> = { $0.nickname }
    private(set) var bonus: @Sendable (Columns<Engineer>) -> QueryExpression<Int> = { $0.age }
    private(set) var condition: Condition = .all([])
    private var keys: (Engineer) -> [String?] = { _ in [] }
    private var bonusMeaning: (Engineer) -> Int = { $0.age }
    private var meaning: (Engineer) -> Bool = { _ in true }

    init(using random: inout some RandomNumberGenerator) {
        let number = Int.random(in: -10..<40, using: &random)
        chooseKey(Int.random(in: 0..<9, using: &random), number, Int.random(in: 2..<5, using: &random))
        chooseCondition(Int.random(in: 0..<5, using: &random), Int.random(in: -10..<40, using: &random))
        bonus = { .if($0.age > number, then: $0.age, else: 1) }
        bonusMeaning = { $0.age > number ? $0.age : 1 }
    }

    private mutating func chooseKey(_ kind: Int, _ number: Int, _ small: Int) {
        title = "key \(kind) with \(number) and \(small)"
        switch kind {
        case 0: (key, keys) = ({ $0.tags.element.optional }, { $0.tags })
        case 1: (key, keys) = ({ $0.tags.element.uppercased().optional }, { $0.tags.map { $0.uppercased() } })
        case 2:
            key = { ($0.scores.element % small).asText }
            keys = { ($0.scores ?? []).map { "\($0 % small)" } }
        case 3:
            key = {
                QueryExpression<String>.if($0.tags.element == "x", then: "a").elseIf($0.age > number, then: "b").orNil
            }
            keys = { engineer in engineer.tags.map { $0 == "x" ? "a" : engineer.age > number ? "b" : nil } }
        case 4:
            let shoe = Int16(number)
            key = {
                QueryExpression<String>.if($0.age > number, then: "a").elseIf($0.shoe > shoe, then: "b").else("c")
                    .optional
            }
            keys = { [$0.age > number ? "a" : $0.shoe ?? .min > shoe ? "b" : "c"] }
        case 5: (key, keys) = ({ $0.born.part(.weekday).asText }, { [$0.born.map { "\((Self.day($0) + 3) % 7 + 1)" }] })
        case 6: (key, keys) = ({ $0.boss.tags.element.optional }, { $0.boss?.tags ?? [] })
        case 7:
            key = { $0.joined.adding(.seconds(Int64(number) * 3_600)).part(.hour).asText }
            keys = { [$0.joined.map { "\((Int($0.timeIntervalSince1970) / 3_600 + number) % 24)" }] }
        default: (key, keys) = ({ $0.age.bitAnd(6).asText }, { ["\($0.age & 6)"] })
        }
    }

    private mutating func chooseCondition(_ kind: Int, _ number: Int) {
        let columns = Columns<Engineer>()
        let shoe = Int16(number)
        switch kind {
        case 0: break
        case 1: (condition, meaning) = (columns.tags.contains("y"), { $0.tags.contains("y") })
        case 2:
            condition = QueryExpression.if(columns.isActive, then: columns.shoe, else: 12).optional > shoe
            meaning = { $0.isActive ? $0.shoe ?? .min > shoe : 12 > shoe }
        case 3:
            condition = columns.born.adding(.seconds(Int64(number) * 7_200)) > columns.boss.born
            meaning = { engineer in
                guard let born = engineer.born, let other = engineer.boss?.born else { return false }
                return born + Double(number * 7_200) > other
            }
        default:
            condition = "CASE WHEN age & 1 = 1 THEN age ELSE -age END > \(number)"
            meaning = { ($0.age & 1 == 1 ? $0.age : -$0.age) > number }
        }
    }

    /// The days since 1970.
    private static func day(_ date: Date) -> Int { Int(date.timeIntervalSince1970) / 86_400 }

    /// The groups in the order of their keys.
    func rows(of engineers: [Engineer]) -> [Group] {
        let rows = engineers.filter(meaning).flatMap { engineer in keys(engineer).map { (key: $0, engineer: engineer) }
        }
        let groups = Dictionary(grouping: rows, by: \.key).sorted { left, right in
            guard let first = left.key, let second = right.key else { return left.key == nil && right.key != nil }
            return first.unicodeScalars.lexicographicallyPrecedes(second.unicodeScalars)
        }
        return groups.map { key, members in
            let objects = members.map(\.engineer)
            let sum = objects.reduce(0) { $0 + bonusMeaning($1) }
            let times = objects.compactMap { engineer in
                engineer.born.flatMap { born in engineer.joined.map { $0.timeIntervalSince(born) } }
            }
            let ids = Set(objects.map(\.id)).count
            return Group(
                key: key, count: objects.count,
                text: "\(key as String?) \(objects.count) \(ids) \(sum) \(times.max() ?? -1)")
        }
    }
}
