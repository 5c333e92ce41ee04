import Foundation
import Holdfast

extension ConformanceCase {
    static let agg1Groups: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.groups-of-counts", "AGG-1",
            "Groups are by what is counted or computed of arrays, and by other types",
            level: .graph
        ) { environment in
            let (db, engineers) = try await openReviewed(environment)
            let all = db.query(Engineer.self)
            let counts = try await all.group { $0.reviews.count }.select { ($0.reviews.count, $0.rowCount) }.fetch()
            try expect(
                counts.map { "\($0.0): \($0.1)" },
                equals: tally(engineers) { $0.reviews.count }.map { "\($0.0): \($0.1)" }, "groups by a count")
            let unselected = try await all.group { $0.reviews.count }.select { $0.rowCount }.fetch()
            try expect(unselected, equals: counts.map(\.1), "the groups, in the order of what is not selected")
            let descending = try await all.group { $0.reviews.count }.order { $0.reviews.count.descending }
                .select { ($0.rowCount, $0.age.max, $0.reviews.count) }.fetch()
            try expect(descending.map(\.2), equals: counts.map(\.0).reversed(), "the groups in another order")
            let two = try await all.group { ($0.grade, $0.reviews.sum { $0.points }) }
                .select { ($0.grade, $0.reviews.sum { $0.points }, $0.rowCount) }.fetch()
            let expected = tally(engineers) { engineer in
                let points = engineer.reviews.reduce(0) { $0 + $1.points }
                return "\(engineer.grade) \(points)"
            }
            try expect(
                Set(two.map { "\($0.0) \($0.1) \($0.2)" }), equals: Set(expected.map { "\($0.0) \($0.1)" }),
                "groups by a value and a sum")
            let words = try await all.group { $0.reviews.max { $0.words } }
                .select { ($0.reviews.max { $0.words }, $0.rowCount) }.fetch()
            let last = engineers.map { $0.reviews.compactMap(\.words).max() }
            try expect(
                words.map(\.0), equals: [nil, "B", "a", "b"].filter { last.contains($0) }, "groups by a text, in order")
            let reviewed = try await all.group { $0.reviews.contains { $0.points > 2 }.asBool }
                .select { ($0.reviews.contains { $0.points > 2 }.asBool, $0.rowCount) }.fetch()
            let hasMany = engineers.filter { $0.reviews.contains { $0.points > 2 } }.count
            try expect(
                reviewed.map { "\($0.0) \($0.1)" },
                equals: ["false \(engineers.count - hasMany)", "true \(hasMany)"], "groups by a condition")
            let distinct = try await all.select { $0.reviews.count }.distinct().fetch()
            try expect(distinct, equals: counts.map(\.0), "different counts")
            let top = try await all.group { $0.reviews.count }.having { $0.rowCount > 1 }.limit(1).select {
                $0.reviews.count
            }.fetch()
            try expect(top, equals: Array(counts.filter { $0.1 > 1 }.map(\.0).prefix(1)), "the first of them")
            let numbered = try await all.group { ($0.grade, $0.reviews.count) }.select {
                ($0.grade, $0.reviews.count, $0.rowNumber(order: [$0.rowCount.descending]))
            }.fetch()
            try expect(numbered.map(\.2).sorted(), equals: Array(1...numbered.count), "numbers of the groups")
            let text = try await all.group { _ in Condition(parsing: "COUNT(reviews) > 1").asBool }
                .select { $0.rowCount }.fetch()
            let many = engineers.count { $0.reviews.count > 1 }
            try expect(text, equals: [engineers.count - many, many], "groups by a condition as text")
            try await expect(.unsupported, from: "a part of what is grouped by") {
                _ = try await all.group { $0.reviews.count }.select { ($0.reviews.count + 1, $0.rowCount) }.fetch()
            }
            try await expect(.unsupported, from: "another count") {
                _ = try await all.group { $0.reviews.count }.select { ($0.tags.count, $0.rowCount) }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.groups-refused", "AGG-1", "What is not the value of a group is refused, however alike it is"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try await expect(.unsupported, from: "a count with another list") {
                _ = try await all.group { $0.tags.contains { $0.in(["a", "b"]) }.asBool }
                    .select { ($0.tags.contains { $0.in(["a", "c"]) }.asBool, $0.rowCount) }.fetch()
            }
            try await expect(.invalidValue, from: "a condition with another list") {
                _ = try await all.group { $0.age.in([1, 2]).asBool }
                    .select { ($0.age.in([1, 3]).asBool, $0.rowCount) }.fetch()
            }
            try await expect(.invalidValue, from: "groups by an aggregate") {
                _ = try await all.group { $0.age.sum }.select { $0.rowCount }.fetch()
            }
            try await expect(.unsupported, from: "different values of groups") {
                _ = try await all.group { ($0.age, $0.grade) }.select { $0.age }.distinct().fetch()
            }
            try await expect(.invalidValue, from: "a condition on an aggregate, over a window") {
                _ = try await all.group { $0.age }
                    .select { $0.age.sum.sum(where: $0.rowCount > 3).over() }.fetch()
            }
            try await expect(.unsupported, from: "a lock of rows that a window is over") {
                _ = try await db.transaction { transaction in
                    try await transaction.query(Engineer.self).locked().select { $0.age.sum.over() }.fetch()
                }
            }
            try await expect(.unsupported, from: "a deviation that moves along") {
                _ = try await all.select { $0.age.standardDeviation.over(order: [$0.age.ascending], rows: -2...0) }
                    .fetch()
            }
        },
        ConformanceCase(
            "agg-1.windows-of-groups", "AGG-1", "Groups have ranks, running sums, and the values of groups before them"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            let found = try await all.group { $0.age }.select {
                (
                    $0.age, $0.salary.sum, $0.salary.sum.sum.over(order: [$0.age.ascending]),
                    $0.rowRank(order: [$0.rowCount.descending]), $0.rowCount.lag(order: [$0.age.ascending]),
                    $0.rowCount.sum.over(), $0.rowNumber(order: [$0.salary.sum.descending]),
                    ($0.rowCount.lag(order: [$0.age.ascending]) ?? 0) + 1,
                    QueryExpression.if($0.rowRank(order: [$0.salary.sum.descending]) == 1, then: "best", else: "other")
                )
            }.fetch()
            let groups = Dictionary(grouping: engineers, by: \.age).sorted { $0.key < $1.key }
            let sums = groups.map { $0.value.reduce(Decimal(0)) { $0 + $1.salary } }
            try expect(found.map(\.0), equals: groups.map(\.key), "the groups")
            for (index, row) in found.enumerated() {
                try expect(row.1, equals: sums[index], "the sum")
                try expect(row.2, equals: sums[...index].reduce(0, +), "the running sum")
                let size = groups[index].value.count
                try expect(row.3, equals: groups.count { $0.value.count > size } + 1, "the rank by size")
                try expect(row.4, equals: index > 0 ? groups[index - 1].value.count : nil, "the size before")
                try expect(row.5, equals: Int64(engineers.count), "the sum of all sizes")
                try expect(row.6, equals: sums.count { $0 > sums[index] } + 1, "the number by sum")
                try expect(row.7, equals: (index > 0 ? groups[index - 1].value.count : 0) + 1, "computed with it")
                try expect(row.8, equals: sums[index] == sums.max() ? "best" : "other", "a choice by a rank")
            }
            let ranked = try await all.group { $0.grade }
                .order { [$0.rowRank(order: [$0.rowCount.descending]).ascending] }.select { $0.rowCount }.fetch()
            try expect(ranked, equals: ranked.sorted(by: >), "groups in the order of a rank")
            let parts = try await all.group { ($0.grade, $0.isActive) }.select {
                ($0.grade, $0.isActive, $0.rowCount, $0.rowCount.sum.over(partition: [$0.grade]))
            }.fetch()
            for row in parts {
                try expect(
                    row.3, equals: Int64(engineers.count { $0.grade == row.0 }), "the sum of a part of the groups")
            }
            try await expect(.invalidValue, from: "a sum of what is not grouped by") {
                _ = try await all.group { $0.age }.select { $0.salary.sum.over(order: [$0.age.ascending]) }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.window-frames", "AGG-1", "Aggregates move along with a row, and what left them leaves nothing behind"
        ) { environment in
            let (db, _) = try await openRandom(environment)
            let heights: [Double?] = [1, 0.1, 1e300, nil, 0.25, .infinity, 0.5, -1e300, 0.125, 3]
            for (index, height) in heights.enumerated() {
                let engineer = Engineer("tall", age: 100 + index)
                (engineer.height, engineer.salary) = (height, Decimal(index) / 4)
                try await db.save(engineer)
            }
            let tall = db.query(Engineer.self).where { $0.name == "tall" }
            let found = try await tall.select {
                (
                    $0.height.sum.over(order: [$0.age.ascending], rows: -1...0),
                    $0.salary.average.over(order: [$0.age.ascending], rows: -1...1),
                    $0.age.min.over(order: [$0.age.ascending], rows: 1...),
                    $0.rowCount.over(order: [$0.age.ascending], rows: ...(-2)),
                    $0.age.sum.over(order: [$0.age.descending], rows: 0...2)
                )
            }.fetch()
            func near(_ index: Int, _ low: Int, _ high: Int) -> Range<Int> {
                let start = min(max(index + low, 0), heights.count)
                return start..<max(start, min(index + high + 1, heights.count))
            }
            for (index, row) in found.enumerated() {
                let two = heights[near(index, -1, 0)].compactMap(\.self)
                try expect(row.0, equals: two.isEmpty ? nil : two.reduce(0, +), "the moving sum at \(index)")
                let around = near(index, -1, 1).map { Decimal($0) / 4 }
                let average = around.reduce(0, +) / Decimal(around.count)
                try expect(
                    abs((row.1 ?? -1) - average) < Decimal(sign: .plus, exponent: -18, significand: 1),
                    "The moving average is right.")
                try expect(row.2, equals: index + 1 < heights.count ? 101 + index : nil, "the least of the later ones")
                try expect(row.3, equals: max(index - 1, 0), "the count of those two rows before and more")
                let later = (max(index - 2, 0)...index).reduce(0) { $0 + 100 + $1 }
                try expect(row.4, equals: Int64(later), "the sum in the other direction")
            }
            try await expect(.invalidValue, from: "a distance that is too great") {
                _ = try await tall.select { $0.age.sum.over(order: [], rows: 0...Int.max) }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.window-shares", "AGG-1", "Rows fall into buckets, have ranks as fractions, and see the last row"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            let found = try await all.order { [$0.age.ascending] }.select {
                (
                    $0.rowBucket(of: 4, order: [$0.age.ascending]), $0.relativeRowRank(order: [$0.age.ascending]),
                    $0.cumulativeRowShare(order: [$0.age.ascending]),
                    $0.name.last(partition: [$0.grade], order: [$0.age.ascending]),
                    $0.shoe.last(order: [$0.age.ascending])
                )
            }.fetch()
            let ordered = engineers.sorted { ($0.age, $0.id ?? 0) < ($1.age, $1.id ?? 0) }
            let (size, larger) = (engineers.count / 4, engineers.count % 4)
            let buckets = (0..<4).flatMap { bucket in
                Array(repeating: bucket + 1, count: size + (bucket < larger ? 1 : 0))
            }
            for (index, row) in found.enumerated() {
                let own = ordered[index]
                try expect(row.0, equals: buckets[index], "the bucket")
                let rank = Double(ordered.count { $0.age < own.age }) / Double(ordered.count - 1)
                try expect(abs(row.1 - rank) < 1e-12, "The rank as a fraction is right.")
                let share = Double(ordered.count { $0.age <= own.age }) / Double(ordered.count)
                try expect(abs(row.2 - share) < 1e-12, "The share is right.")
                try expect(row.3, equals: ordered.last { $0.grade == own.grade }?.name ?? "", "the last of the part")
                try expect(row.4, equals: ordered.last?.shoe, "the value of the last, which can be nil")
            }
            try await expect(.invalidValue, from: "no buckets") {
                _ = try await all.select { $0.rowBucket(of: 0, order: [$0.age.ascending]) }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.objects-with-values", "AGG-1", "Objects come together with values that are computed for them",
            level: .graph
        ) { environment in
            let (db, engineers) = try await openReviewed(environment)
            let all = db.query(Engineer.self)
            let rows = try await all.order { [$0.reviews.count.descending] }.select {
                ($0, $0.reviews.count, $0.reviews.contains { $0.points > 2 }.asBool, $0.team.name.optional)
            }.fetch()
            let expected = engineers.sorted {
                ($1.reviews.count, $0.id ?? 0) < ($0.reviews.count, $1.id ?? 0)
            }
            try expect(rows.map(\.0.id), equals: expected.map(\.id), "the objects in their order")
            for row in rows {
                try expect(row.1, equals: row.0.reviews.count, "the count, and the array that was loaded with it")
                try expect(row.2, equals: row.0.reviews.contains { $0.points > 2 }, "the condition")
                try expect(row.3, equals: row.0.team?.name, "a value of a relation")
            }
            let some = try await all.properties(\.name, \.age).where { $0.age > 4 }.limit(3)
                .select { ($0, $0.age * 2) }.fetch()
            try expect(some.map(\.1), equals: some.map { $0.0.age * 2 }, "objects with some of their properties")
            let first = try await all.order { [$0.age.descending] }.select { ($0, $0.rowNumber()) }.first()
            try expect(first?.0.age, equals: engineers.map(\.age).max(), "the first object")
            let none = try await all.where { $0.age < 0 }.select { ($0, $0.age) }.first()
            try expect(none == nil, "There is none.")
            try await expect(.invalidValue, from: "an aggregate of all rows") {
                _ = try await all.select { ($0, $0.age.sum) }.fetch()
            }
            try await expect(.invalidValue, from: "the object that a relation leads to") {
                _ = try await all.select { ($0.boss, $0.age) }.fetch()
            }
            try await expect(.unsupported, from: "objects of groups") {
                _ = try await all.group { $0.age }.select { ($0, $0.age) }.fetch()
            }
        },
        ConformanceCase("agg-1.conditions-as-values", "AGG-1", "Conditions are values, and never nil") { environment in
            let (db, engineers) = try await openSample(environment)
            let found = try await db.query(Engineer.self).select {
                ($0.nickname, ($0.nickname == "B").asBool, ($0.shoe > 7).asBool, (!($0.shoe > 7)).asBool)
            }.fetch()
            for (row, engineer) in zip(found, engineers) {
                try expect(row.1, equals: engineer.nickname.map { Array($0.utf8) == Array("B".utf8) } ?? false, "equal")
                let isGreater = engineer.shoe.map { $0 > 7 } ?? false
                try expect(row.2, equals: isGreater, "greater")
                try expect(row.3, equals: !isGreater, "the opposite")
            }
            struct Named: Decodable {
                var name: String
                var isOld: Bool
            }
            let named = try await db.query(Engineer.self)
                .select(as: Named.self) { ["name": $0.name, "isOld": $0.age > 20] }.fetch()
            try expect(named.map(\.isOld), equals: engineers.map { $0.age > 20 }, "conditions by name")
        },
    ]

    /// Engineers of whom some have reviews.
    private static func openReviewed(_ environment: ConformanceEnvironment) async throws -> (Database, [Engineer]) {
        let (db, engineers) = try await openRandom(environment)
        for (index, engineer) in engineers.enumerated() {
            engineer.reviews = (0..<index % 4).map { number in
                let review = Review((index * 7 + number) % 5)
                review.words = [nil, "a", "b", "B"][(index + number) % 4]
                return review
            }
        }
        try await db.save(engineers)
        return (db, try await db.fetch(Engineer.self))
    }

    /// The values of objects, with the number of objects of each, in the order of the values.
    private static func tally<Value: Hashable & Comparable>(
        _ engineers: [Engineer], _ value: (Engineer) -> Value
    ) -> [(Value, Int)] {
        Dictionary(grouping: engineers, by: value).map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 }
    }
}
