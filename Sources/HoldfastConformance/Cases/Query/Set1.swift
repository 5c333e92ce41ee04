import Foundation
import Holdfast

/// Queries of one type that are combined.
extension ConformanceCase {
    static let set1: [ConformanceCase] = [
        ConformanceCase(
            "set-1.sets", "SET-1", "Queries of one type are united, intersected and subtracted, cut or not"
        ) { environment in
            let sample = try await InnerSample(environment)
            let all = sample.all
            let old = all.where { $0.age > 20 }
            let first = all.order { $0.age.descending }.limit(5)
            let firstIDs = Set(
                sample.engineers.sorted { ($1.age, $0.id ?? 0) < ($0.age, $1.id ?? 0) }.prefix(5).map(\.id))
            let active = all.where { $0.isActive }.where { $0.nickname != nil }
            func isActive(_ e: Engineer) -> Bool { e.isActive && e.nickname != nil }
            try expect(
                try await old.union(active).keys(), equals: sample.keys { $0.age > 20 || isActive($0) }, "a union")
            try expect(
                try await old.intersection(active).keys(), equals: sample.keys { $0.age > 20 && isActive($0) },
                "an intersection")
            try expect(
                try await old.subtracting(active).keys(), equals: sample.keys { $0.age > 20 && !isActive($0) },
                "a difference")
            try expect(
                try await active.union(first).keys(), equals: sample.keys { isActive($0) || firstIDs.contains($0.id) },
                "a union with one that is cut")
            try expect(
                try await first.intersection(active).keys(),
                equals: sample.keys { isActive($0) && firstIDs.contains($0.id) }, "an intersection of one that is cut")
            try expect(
                try await all.subtracting(first).keys(), equals: sample.keys { !firstIDs.contains($0.id) },
                "all but the first")
            let grades = all.distinct { $0.grade }
            let ones = Set(
                Dictionary(grouping: sample.engineers, by: \.grade).values.compactMap { $0.map { $0.id ?? 0 }.min() })
            try expect(
                try await grades.subtracting(old).keys(),
                equals: sample.keys { ones.contains($0.id ?? 0) && !($0.age > 20) }, "one of each group")
            let cut = old.union(active).order(\.age, .descending).offset(2).limit(4)
            let expected = sample.engineers.filter { $0.age > 20 || isActive($0) }
                .sorted { ($1.age, $0.id ?? 0) < ($0.age, $1.id ?? 0) }.dropFirst(2).prefix(4).map(\.id)
            try expect(try await cut.fetch().map(\.id), equals: Array(expected), "the order and the limit of a union")
            try expect(try await all.union(first).count(), equals: sample.engineers.count, "all and some")
            try expect(try await all.where(.never).union(first).count(), equals: 5, "none and some")
            try await expect(.unsupported, from: "groups") {
                _ = try await all.union(all.group { $0.grade }).fetch()
            }
            let many = (0..<300).reduce(all.where(.never)) { found, age in found.union(all.where { $0.age == Int(age) })
            }
            try expect(try await many.keys(), equals: sample.keys { $0.age >= 0 }, "a long chain")
            try expect(
                try await first.union(active).update { $0.shoe.set(-3) },
                equals: sample.keys { isActive($0) || firstIDs.contains($0.id) }.count, "a bulk update")
        },
        ConformanceCase(
            "set-1.random", "SET-1", "Random sets of random queries, with others inside, are what they are in Swift"
        ) { environment in
            let sample = try await InnerSample(environment)
            var random = SplitMix64(state: environment.seed)
            for round in 0..<80 {
                let (query, keys) = made(depth: 3, sample, &random)
                try expect(try await query.keys(), equals: keys.sorted().map { Key($0) }, "round \(round)")
                try expect(try await query.count(), equals: keys.count, "the count of round \(round)")
            }
        },
    ]

    /// A random query, with the keys that it finds.
    private static func made(
        depth: Int, _ sample: InnerSample, _ random: inout SplitMix64
    ) -> (Query<Engineer>, Set<Int64>) {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return atom(sample, &random) }
        let (left, leftKeys) = made(depth: depth - 1, sample, &random)
        let (right, rightKeys) = made(depth: depth - 1, sample, &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (left.union(right), leftKeys.union(rightKeys))
        case 1: return (left.intersection(right), leftKeys.intersection(rightKeys))
        case 2: return (left.subtracting(right), leftKeys.subtracting(rightKeys))
        case 3:
            let count = Int.random(in: 0..<9, using: &random)
            return (left.limit(count).union(right), Set(leftKeys.sorted().prefix(count)).union(rightKeys))
        default:
            let bosses = Set(sample.engineers.filter { rightKeys.contains($0.id ?? 0) }.compactMap { $0.boss?.id })
            let query = left.where { e in .exists(right.where { $0.boss == e }) }
            return (query, leftKeys.intersection(bosses))
        }
    }

    private static func atom(_ sample: InnerSample, _ random: inout SplitMix64) -> (Query<Engineer>, Set<Int64>) {
        let age = Int.random(in: -60..<60, using: &random)
        func keys(_ meaning: (Engineer) -> Bool) -> Set<Int64> {
            Set(sample.engineers.filter(meaning).compactMap(\.id))
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return (sample.all.where { $0.age > age }, keys { $0.age > age })
        case 1:
            return (
                sample.all.where { e in .exists(Review.self) { $0.author == e && $0.points > age } },
                keys { e in sample.reviews.contains { $0.author?.id == e.id && $0.points > age } }
            )
        case 2:
            return (
                sample.all.where { !$0.shoe.in(Query(Engineer.self).where { $0.age > age }.select(\.shoe)) },
                keys { e in !sample.engineers.contains { $0.age > age && $0.shoe == e.shoe } }
            )
        default:
            return (
                sample.all.where { e in
                    (Query(Engineer.self).where { $0.boss == e }.select { $0.age.max }.value ?? -100) < age
                },
                keys { e in
                    (sample.engineers.filter { $0.boss?.id == e.id }.map(\.age).max() ?? -100) < age
                }
            )
        }
    }
}
