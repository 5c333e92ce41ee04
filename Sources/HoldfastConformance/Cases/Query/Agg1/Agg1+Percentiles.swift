import Foundation
import Holdfast

extension ConformanceCase {
    static let agg1Percentiles: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.percentiles", "AGG-1", "Percentiles of numbers are between two of them, and those of dates are dates"
        ) { environment in
            let (db, people) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let none = all.where { $0.age > 1_000 }
            let ages = people.map { Double($0.age) }
            for fraction: Double in [0, 0.1, 0.25, 0.5, 0.9, 1] {
                let numbers = try await all.select { $0.age.percentile(fraction) }.fetch()
                try expect(numbers, equals: [percentile(fraction, ages)], "integers at \(fraction)")
                let dates = try await all.select { $0.born.percentile(fraction) }.fetch()
                try expect(dates, equals: [discrete(fraction, people.compactMap(\.born))], "dates at \(fraction)")
            }
            let medians = try await all.select {
                ($0.height.median, $0.shoe.median, $0.salary.median, $0.rate.median)
            }.fetch()
            let shoes = people.compactMap { $0.shoe.map { Double($0) } }
            let salaries = people.compactMap { Double("\($0.salary)") }
            let rates = people.compactMap { Double("\($0.rate)") }
            let (height, shoe, salary, rate) = try expect(some: medians.first, "a row of medians")
            try expect(height, equals: percentile(0.5, people.compactMap(\.height)), "the median of doubles")
            try expect(shoe, equals: percentile(0.5, shoes), "that of integers without nil")
            try expect(salary, equals: percentile(0.5, salaries), "that of decimals")
            try expect(rate, equals: percentile(0.5, rates), "that of scaled decimals")
            let joined = try await all.select { $0.joined.median }.fetch()
            try expect(
                joined, equals: [discrete(0.5, people.compactMap(\.joined))], "the median of dates that are texts")
            let active = people.filter(\.isActive).map { Double($0.age) }
            let some = try await all.select { $0.age.median(where: $0.isActive) }.fetch()
            try expect(some, equals: [percentile(0.5, active)], "one with a condition")
            let (noAge, noDate) = try expect(
                some: try await none.select { ($0.age.median, $0.born.median) }.fetch().first, "a row of nothing")
            try expect(noAge == nil && noDate == nil, "The medians of nothing are nil.")
            let groups = try await all.group { $0.grade }
                .select { ($0.grade, $0.age.percentile(0.9)) }.fetch()
            func agesOf(_ grade: Engineer.Grade) -> [Double] {
                people.filter { $0.grade == grade }.map { Double($0.age) }
            }
            let isOwn = groups.allSatisfy { grade, value in value == percentile(0.9, agesOf(grade)) }
            try expect(isOwn && !groups.isEmpty, "Groups have their own.")
            let asked = try await all.group { $0.grade }.having { $0.age.median > 20 }.select { $0.grade }.fetch()
            let old = Set(people.map(\.grade)).filter { (percentile(0.5, agesOf($0)) ?? 0) > 20 }
            try expect(Set(asked), equals: old, "groups that are asked for them")
            for fraction: Double in [-0.1, 1.1, .nan, .infinity] {
                try await expect(.invalidValue, from: "a percentile at \(fraction)") {
                    _ = try await all.select { $0.age.percentile(fraction) }.first()
                }
            }
            try await expect(.unsupported, from: "a percentile over a window") {
                _ = try await all.select { $0.age.median.over() }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.random-percentiles", "AGG-1", "Percentiles of random numbers are those that Swift computes"
        ) { environment in
            let db = try await environment.open(Engineer.self, Team.self, Review.self)
            var random = SplitMix64(state: 7)
            var people: [Engineer] = []
            for index in 0..<120 {
                let engineer = Engineer("\(index)", age: Int.random(in: -50...50, using: &random))
                engineer.height = Bool.random(using: &random) ? Double.random(in: -1e9...1e9, using: &random) : nil
                engineer.salary = Decimal(Int.random(in: -9_999...9_999, using: &random)) / 100
                engineer.born = Date(timeIntervalSince1970: Double(Int.random(in: -9_999...9_999, using: &random)))
                people.append(engineer)
            }
            try await db.save(people)
            for _ in 0..<25 {
                let fraction = Double.random(in: 0...1, using: &random)
                let least = Int.random(in: -60...50, using: &random)
                let rows = people.filter { $0.age >= least }
                let found = try await db.query(Engineer.self).where { $0.age >= least }
                    .select {
                        (
                            $0.height.percentile(fraction), $0.salary.percentile(fraction),
                            $0.born.percentile(fraction)
                        )
                    }.fetch().first
                let (height, salary, born) = try expect(some: found, "a row")
                try expect(height, equals: percentile(fraction, rows.compactMap(\.height)), "numbers at \(fraction)")
                try expect(
                    salary,
                    equals: percentile(fraction, rows.compactMap { Double("\($0.salary)") }), "decimals at \(fraction)")
                try expect(born, equals: discrete(fraction, rows.compactMap(\.born)), "dates at \(fraction)")
            }
        },
    ]

    /// The number at a fraction of some, or between two of them.
    private static func percentile(_ fraction: Double, _ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let (sorted, place) = (values.sorted(), fraction * Double(values.count - 1))
        let (low, high) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
        return low == high ? low : low + (place - place.rounded(.down)) * (high - low)
    }

    /// The first date that a fraction of some are not after.
    private static func discrete(_ fraction: Double, _ dates: [Date]) -> Date? {
        guard !dates.isEmpty else { return nil }
        return dates.sorted()[max(Int((fraction * Double(dates.count)).rounded(.up)), 1) - 1]
    }
}
