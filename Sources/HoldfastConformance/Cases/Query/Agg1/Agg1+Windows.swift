import Foundation
import Holdfast

extension ConformanceCase {
    static let agg1Windows: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.windows", "AGG-1", "Rows have numbers and ranks, in parts and in an order"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            let found = try await all.select {
                (
                    $0.rowNumber(partition: [$0.team], order: [$0.age.descending]),
                    $0.rowRank(partition: [$0.team, $0.isActive], order: [$0.age.descending]),
                    $0.denseRowRank(order: [$0.age.ascending]), $0.rowNumber(), $0.rowNumber(partition: [$0.nickname])
                )
            }.fetch()
            let byAge = engineers.sorted { ($1.age, $0.id ?? 0) < ($0.age, $1.id ?? 0) }
            for (index, (engineer, row)) in zip(engineers, found).enumerated() {
                let team = byAge.filter { $0.team?.id == engineer.team?.id }
                try expect(
                    row.0, equals: (team.firstIndex { $0.id == engineer.id } ?? -1) + 1, "the number in the team")
                let part = team.filter { $0.isActive == engineer.isActive }
                try expect(row.1, equals: part.count { $0.age > engineer.age } + 1, "the rank among a part")
                let younger = Set(engineers.map(\.age).filter { $0 < engineer.age })
                try expect(row.2, equals: younger.count + 1, "the rank without gaps")
                try expect(row.3, equals: index + 1, "the number in the order of keys")
                let same = engineers[...index].count { $0.nickname == engineer.nickname }
                try expect(row.4, equals: same, "the number among those with the same nickname, or with none")
            }
            let ordered = try await all.order {
                [$0.rowNumber(partition: [$0.team], order: [$0.age.descending]).ascending]
            }
            .limit(5).fetch()
            let numbers = Dictionary(uniqueKeysWithValues: zip(engineers.map(\.id), found.map(\.0)))
            let expected = engineers.sorted {
                (numbers[$0.id] ?? 0, $0.id ?? 0) < (numbers[$1.id] ?? 0, $1.id ?? 0)
            }.prefix(5)
            try expect(ordered.map(\.id), equals: expected.map(\.id), "objects in the order of a number")
        },
        ConformanceCase(
            "agg-1.window-sums", "AGG-1", "Aggregates over a window run from row to row, also over equal ones"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            let found = try await all.order { [$0.age.ascending] }.select {
                (
                    $0.shoe.sum.over(partition: [$0.team], order: [$0.age.ascending]),
                    $0.salary.sum.over(order: [$0.age.ascending]), $0.rowCount.over(partition: [$0.team]),
                    $0.salary.max.over(partition: [$0.isActive], order: [$0.age.ascending]),
                    $0.rate.average.over(partition: [$0.team], order: [$0.age.ascending]),
                    $0.rowCount(where: $0.isActive).over(order: [$0.age.ascending])
                )
            }.fetch()
            let ordered = engineers.sorted { ($0.age, $0.id ?? 0) < ($1.age, $1.id ?? 0) }
            for (index, row) in found.enumerated() {
                let (own, before) = (ordered[index], ordered[...index])
                let team = before.filter { $0.team?.id == own.team?.id }
                let shoes = team.compactMap(\.shoe)
                try expect(
                    row.0, equals: shoes.isEmpty ? nil : shoes.reduce(0) { $0 + Int64($1) }, "a running sum in a part")
                try expect(row.1, equals: before.reduce(0) { $0 + $1.salary }, "a running sum of decimals")
                try expect(row.2, equals: engineers.count { $0.team?.id == own.team?.id }, "the count of a whole part")
                let salaries = before.filter { $0.isActive == own.isActive }.map(\.salary)
                try expect(row.3, equals: salaries.max(), "the greatest so far")
                let average = team.reduce(Decimal(0)) { $0 + $1.rate } / Decimal(team.count)
                try expect(
                    abs((row.4 ?? -1) - average) < Decimal(sign: .plus, exponent: -18, significand: 1),
                    "The average so far is right.")
                try expect(row.5, equals: before.count(where: \.isActive), "the count so far under a condition")
            }
        },
        ConformanceCase(
            "agg-1.window-values", "AGG-1", "A row sees the values of rows before and after it, and of the first one"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            let found = try await all.order { [$0.age.ascending] }.select {
                (
                    $0.age.lag(order: [$0.age.ascending]), $0.shoe.lead(2, partition: [], order: [$0.age.ascending]),
                    $0.name.first(partition: [$0.team], order: [$0.age.descending]),
                    $0.rate.lag(0, order: [$0.age.ascending]), $0.joined.lag(order: [$0.age.ascending])
                )
            }.fetch()
            let ordered = engineers.sorted { ($0.age, $0.id ?? 0) < ($1.age, $1.id ?? 0) }
            let byAge = engineers.sorted { ($1.age, $0.id ?? 0) < ($0.age, $1.id ?? 0) }
            for (index, row) in found.enumerated() {
                try expect(row.0, equals: index > 0 ? ordered[index - 1].age : nil, "the value before")
                try expect(
                    row.1, equals: index + 2 < ordered.count ? ordered[index + 2].shoe : nil, "the value two rows later"
                )
                let first = byAge.first { $0.team?.id == ordered[index].team?.id }
                try expect(row.2, equals: first?.name ?? "", "the value of the first in the part")
                try expect(row.3, equals: ordered[index].rate, "the own value, as it is stored")
                try expect(row.4, equals: index > 0 ? ordered[index - 1].joined : nil, "the date before, which is text")
            }
        },
        ConformanceCase(
            "agg-1.window-limits", "AGG-1", "A window is refused where there are no rows yet"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try await expect(.unsupported, from: "a condition on it") {
                _ = try await all.where { $0.rowNumber() < 3 }.fetch()
            }
            try await expect(.invalidValue, from: "one of all rows together") {
                _ = try await all.select { ($0.age.sum, $0.rowNumber()) }.fetch()
            }
            try await expect(.invalidValue, from: "one of groups, of what is not the same in them") {
                _ = try await all.group { $0.grade }.select { ($0.grade, $0.age.sum.over()) }.fetch()
            }
            try await expect(.unsupported, from: "an aggregate of it") {
                _ = try await all.select { $0.rowNumber().sum }.fetch()
            }
            try await expect(.invalidValue, from: "an order by an aggregate") {
                _ = try await all.select { $0.rowNumber(order: [$0.age.sum.descending]) }.fetch()
            }
            try await expect(.invalidValue, from: "an aggregate of an aggregate") {
                _ = try await all.select { $0.age.sum.max }.fetch()
            }
            try await expect(.unsupported, from: "one in another") {
                _ = try await all.select { $0.age.sum.over(order: [$0.rowNumber().ascending]) }.fetch()
            }
            try await expect(.unsupported, from: "different values over it") {
                _ = try await all.select { $0.age.distinctCount.over() }.fetch()
            }
            try await expect(.unsupported, from: "joined texts over it") {
                _ = try await all.select { $0.name.stringJoined(by: ",").over() }.fetch()
            }
            try await expect(.invalidValue, from: "a window of what is no aggregate") {
                _ = try await all.select { $0.age.over() }.fetch()
            }
            try await expect(.invalidValue, from: "a row in the other direction") {
                _ = try await all.select { $0.age.lag(-1, order: []) }.fetch()
            }
            try await expect(.unsupported, from: "a page in its order") {
                _ = try await all.order { [$0.rowNumber().ascending] }.page(size: 3)
            }
            try await expect(.unsupported, from: "a change in its order") {
                _ = try await all.order { [$0.rowNumber().ascending] }.limit(3).delete()
            }
            try await expect(.unsupported, from: "a choice by it") {
                _ = try await all.first(1, ofEach: { $0.grade }, order: { [$0.rowNumber().ascending] }).fetch()
            }
            let sums = try await all.limit(1).select { $0.rowCount.over() }.fetch()
            try expect(sums, equals: [24], "the count of all rows, before a limit")
        },
    ]

    /// Opens a database with engineers of whom many have the same age, in teams and without one.
    static func openRandom(_ environment: ConformanceEnvironment) async throws -> (Database, [Engineer]) {
        var random = SplitMix64(state: 17)
        let db = try await environment.open(Engineer.self, Team.self, Review.self)
        let teams = ["a", "b", "c"].map { Team($0) }
        let engineers = (0..<50).map { index in
            let engineer = Engineer("n\(index)", age: Int.random(in: 0..<9, using: &random))
            engineer.nickname = ["x", "y", nil].randomElement(using: &random) ?? nil
            engineer.shoe = Bool.random(using: &random) ? Int16.random(in: -99...99, using: &random) : nil
            engineer.salary = Decimal(Int.random(in: -9_999...9_999, using: &random)) / 8
            engineer.rate = Decimal(Int.random(in: 0...9_999, using: &random)) / 100
            engineer.isActive = Bool.random(using: &random)
            engineer.joined = Bool.random(using: &random) ? Date(timeIntervalSince1970: Double(index) * 1_000) : nil
            engineer.grade = [.junior, .senior, .principal].randomElement(using: &random) ?? .junior
            engineer.team = Int.random(in: 0..<4, using: &random) == 0 ? nil : teams.randomElement(using: &random)
            return engineer
        }
        try await db.save(engineers)
        return (db, try await db.fetch(Engineer.self))
    }
}
