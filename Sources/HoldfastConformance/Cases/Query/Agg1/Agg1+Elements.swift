import Foundation
import Holdfast

/// Groups by the elements of an array of values.
extension ConformanceCase {
    static let agg1Elements: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.by-elements", "AGG-1", "Objects are grouped by the elements of an array of values"
        ) { environment in try await groupByElements(environment) },
        ConformanceCase(
            "agg-1.elements-of-others", "AGG-1",
            "Groups are those of elements and of other values, and of an array that a relation leads to"
        ) { environment in try await groupByElementsAndOthers(environment) },
        ConformanceCase(
            "agg-1.elements-refused", "AGG-1", "Elements are refused where nothing is grouped by them"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try await expect(.unsupported, from: "a condition on objects") {
                _ = try await all.where { $0.tags.element == "x" }.fetch()
            }
            try await expect(.unsupported, from: "a condition on objects that are grouped") {
                _ = try await all.where { $0.tags.element == "x" }.group { $0.tags.element }
                    .select { $0.tags.element }.fetch()
            }
            try await expect(.unsupported, from: "values without groups") {
                _ = try await all.select { ($0.name, $0.tags.element) }.fetch()
            }
            try await expect(.unsupported, from: "an aggregate without groups") {
                _ = try await all.select { $0.tags.element.max }.fetch()
            }
            try await expect(.unsupported, from: "an order of objects") {
                _ = try await all.order { $0.tags.element.ascending }.fetch()
            }
            try await expect(.unsupported, from: "two arrays") {
                _ = try await all.group { ($0.tags.element, $0.scores.element) }.select { $0.rowCount }.fetch()
            }
            try await expect(.unsupported, from: "the first of each") {
                _ = try await all.first(1, ofEach: { $0.tags.element }, order: { [$0.id.ascending] }).fetch()
            }
            try await expect(.invalidValue, from: "a value of another relation than that of the groups") {
                _ = try await all.group { $0.boss.name }.select { ($0.boss.name, $0.team.name) }.fetch()
            }
            try await expect(.unsupported, from: "an update") {
                _ = try await all.update { engineer, row in engineer.name.set(row.tags.element) }
            }
        },
    ]
    private static func groupByElements(_ environment: ConformanceEnvironment) async throws {
        let (db, engineers) = try await openSample(environment)
        let tagged = engineers.flatMap { engineer in engineer.tags.map { (tag: $0, engineer: engineer) } }
        let tags = Set(tagged.map(\.tag)).sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        func all(_ tag: String) -> [Engineer] { tagged.filter { $0.tag == tag }.map(\.engineer) }
        let rows = try await db.query(Engineer.self).group { $0.tags.element }
            .select { ($0.tags.element, $0.rowCount, $0.id.distinctCount, $0.age.sum, $0.shoe.max) }.fetch()
        try expect(rows.map(\.0), equals: tags, "the groups, in the order of their texts")
        try expect(rows.map(\.1), equals: tags.map { all($0).count }, "the numbers of elements")
        try expect(
            rows.map(\.2), equals: tags.map { Set(all($0).map(\.id)).count }, "the numbers of objects")
        try expect(rows.map(\.3), equals: tags.map { all($0).reduce(0) { $0 + Int64($1.age) } }, "sums")
        try expect(rows.map(\.4), equals: tags.map { all($0).compactMap(\.shoe).max() }, "nil among the values")
        let some = try await db.query(Engineer.self).where { $0.age > 0 && $0.tags.contains("y") }
            .group { $0.tags.element }
            .having { $0.rowCount > 2 && $0.tags.element != "z" }
            .order { [$0.id.distinctCount.descending, $0.tags.element.descending] }
            .limit(2)
            .select { ($0.tags.element.uppercased(), $0.rowCount) }.fetch()
        let expected = tags.map { tag in
            (tag, all(tag).filter { $0.age > 0 && $0.tags.contains("y") })
        }.filter { $0.1.count > 2 && $0.0 != "z" }.map { ($0.0, $0.1.count, Set($0.1.map(\.id)).count) }
            .sorted { ($0.2, $0.0) > ($1.2, $1.0) }.prefix(2)
        try expect(
            some.map { "\($0.0) \($0.1)" }, equals: expected.map { "\($0.0.uppercased()) \($0.1)" },
            "conditions before and after, an order and a limit")
    }

    private static func groupByElementsAndOthers(_ environment: ConformanceEnvironment) async throws {
        let (db, engineers) = try await openSample(environment)
        var byScore: [String: Int] = [:]
        for engineer in engineers {
            for score in engineer.scores ?? [] { byScore["\(score % 3) \(engineer.isActive)", default: 0] += 1 }
        }
        let scores = try await db.query(Engineer.self).group { ($0.scores.element % 3, $0.isActive) }
            .select { ($0.scores.element % 3, $0.isActive, $0.rowCount, $0.scores.element.sum) }.fetch()
        try expect(
            Dictionary(uniqueKeysWithValues: scores.map { ("\($0.0) \($0.1)", $0.2) }), equals: byScore,
            "computed elements of an optional array, and truth values")
        let total = scores.reduce(Int64(0)) { $0 + ($1.3 ?? 0) }
        try expect(total, equals: Int64(engineers.flatMap { $0.scores ?? [] }.reduce(0, +)), "sums of elements")
        var ofBosses: [String: Int] = [:]
        for engineer in engineers { for tag in engineer.boss?.tags ?? [] { ofBosses[tag, default: 0] += 1 } }
        let bosses = try await db.query(Engineer.self).group { $0.boss.tags.element }
            .select { ($0.boss.tags.element, $0.rowCount) }.fetch()
        try expect(
            Dictionary(uniqueKeysWithValues: bosses.map { ($0.0, $0.1) }), equals: ofBosses, "arrays of others")
        let distinct = try await db.query(Engineer.self).select { $0.tags.element }.distinct().fetch()
        try expect(Set(distinct), equals: Set(engineers.flatMap(\.tags)), "each element once")
        try expect(distinct.count, equals: Set(distinct).count, "No element comes twice.")
        let most = try await db.query(Team.self).order(\.id).select { team in
            Query(Engineer.self).where { $0.team.id == team.id }.group { $0.tags.element }
                .order { [$0.rowCount.descending, $0.tags.element.ascending] }.select { $0.tags.element }.value
        }.fetch()
        let teams = try await db.query(Team.self).order(\.id).fetch()
        try expect(
            most,
            equals: teams.map { team in
                let tags = engineers.filter { $0.team?.id == team.id }.flatMap(\.tags)
                return Set(tags).min { one, other in
                    let (first, second) = (tags.filter { $0 == one }.count, tags.filter { $0 == other }.count)
                    return first != second ? first > second : one < other
                }
            }, "a query inside of one")
    }
}
