import Foundation
import Holdfast

extension ConformanceCase {
    static let agg1: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.values", "AGG-1",
            "Sums and averages have types that do not depend on the engine, and are 0 and nil of no rows"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let none = all.where { $0.age > 1_000 }
            let sum: Int64 = try await all.sum { $0.age }
            try expect(sum, equals: engineers.reduce(0) { $0 + Int64($1.age) }, "the sum of integers")
            let shoes: Int64 = try await all.sum { $0.shoe }
            try expect(shoes, equals: engineers.reduce(0) { $0 + Int64($1.shoe ?? 0) }, "the sum of what can be nil")
            let salaries: Decimal = try await all.sum { $0.salary }
            try expect(salaries, equals: engineers.reduce(0) { $0 + $1.salary }, "the sum of decimals")
            let heights: Double = try await all.sum { $0.height }
            try expect(
                abs(heights - engineers.reduce(0) { $0 + ($1.height ?? 0) }) < 1e-9, "The sum of doubles is right.")
            try expect(try await none.sum { $0.age }, equals: 0, "the sum of no integers")
            try expect(try await none.sum { $0.salary }, equals: 0, "the sum of no decimals")
            try expect(try await none.sum { $0.height }, equals: 0, "the sum of no doubles")
            let ages = engineers.map(\.age)
            try expect(
                try await all.average { $0.age }, equals: Double(ages.reduce(0, +)) / Double(ages.count),
                "the average of integers")
            let average = try expect(some: try await all.average { $0.salary }, "the average of decimals")
            let exact = salaries / Decimal(engineers.count)
            try expect(
                abs(average - exact) < Decimal(sign: .plus, exponent: -19, significand: 1),
                "The average of decimals is exact to 20 digits.")
            try expect(try await none.average { $0.age } == nil, "The average of none is nil.")
            try await db.save([Engineer("large", age: .max), Engineer("large", age: .max)])
            try await expect(.invalidValue, from: "a sum that overflows") { _ = try await all.sum { $0.age } }
        },
        ConformanceCase(
            "agg-1.extremes", "AGG-1", "Minima and maxima have the type of what they are of, and are nil of no rows"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let none = all.where { $0.age > 1_000 }
            try expect(try await all.min { $0.age }, equals: engineers.map(\.age).min(), "the least integer")
            try expect(
                try await all.max { $0.shoe }, equals: engineers.compactMap(\.shoe).max(),
                "the greatest of what can be nil")
            try expect(try await all.max { $0.salary }, equals: engineers.map(\.salary).max(), "the greatest decimal")
            try expect(try await all.min { $0.salary }, equals: engineers.map(\.salary).min(), "the least decimal")
            try expect(try await all.max { $0.born }, equals: engineers.compactMap(\.born).max(), "the latest instant")
            try expect(
                try await all.max { $0.joined }, equals: engineers.compactMap(\.joined).max(),
                "the latest instant, as text")
            try expect(
                try await all.max { $0.name }.map { Array($0.utf8) },
                equals: engineers.map(\.name).max { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }.map
                { Array($0.utf8) },
                "the last text")
            try expect(try await none.max { $0.age } == nil, "The greatest of none is nil.")
            try await expect(.unsupported, from: "the least truth value") { _ = try await all.min { $0.isActive } }
        },
        ConformanceCase(
            "agg-1.tuples", "AGG-1", "Values of objects come as tuples"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let pairs = try await all.where { $0.age > 20 }.order { $0.name.ascending }.select {
                ($0.id, $0.name, $0.boss.name.optional)
            }.fetch()
            let expected = engineers.filter { $0.age > 20 }
                .sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
            try expect(pairs.map(\.0), equals: expected.map(\.id), "the keys")
            try expect(pairs.map(\.1), equals: expected.map(\.name), "the names")
            try expect(pairs.map(\.2), equals: expected.map { $0.boss?.name }, "the names of their bosses")
            try await expect(.decoding, from: "a value that a relation which leads nowhere does not have") {
                _ = try await all.select { $0.boss.name }.fetch()
            }
            let names = try await all.limit(2).select { $0.name }.fetch()
            try expect(names, equals: engineers.prefix(2).map(\.name), "one column")
            let stored = try await all.select { ($0.joined, $0.rate, $0.age + 1) }.fetch()
            try expect(stored.map(\.0), equals: engineers.map(\.joined), "dates that are stored as text")
            try expect(stored.map(\.1), equals: engineers.map(\.rate), "decimals that are stored as integers")
            try expect(stored.map(\.2), equals: engineers.map { $0.age + 1 }, "what is computed")
        },
        ConformanceCase(
            "agg-1.groups", "AGG-1", "Values of groups and of all rows come as tuples"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let groups = try await all.group { $0.grade }.select { ($0.grade, $0.rowCount, $0.age.max, $0.salary.sum) }
                .fetch()
            let byGrade = Dictionary(grouping: engineers, by: \.grade)
            try expect(groups.map(\.0), equals: byGrade.keys.sorted { $0.rawValue < $1.rawValue }, "the groups")
            for (grade, count, oldest, salaries) in groups {
                let members = byGrade[grade] ?? []
                try expect(count, equals: members.count, "the count of \(grade)")
                try expect(oldest, equals: members.map(\.age).max(), "the oldest of \(grade)")
                try expect(salaries, equals: members.reduce(0) { $0 + $1.salary }, "the salaries of \(grade)")
            }
            let large = try await all.group { $0.team.name }.having { $0.rowCount > 6 }.order { $0.rowCount.descending }
                .select { ($0.team.name.optional, $0.rowCount) }.fetch()
            let byTeam = Dictionary(grouping: engineers) { $0.team?.name }.mapValues(\.count).filter { $0.value > 6 }
            try expect(large.count, equals: byTeam.count, "the number of large groups")
            for (team, count) in large { try expect(byTeam[team], equals: count, "the size of a large group") }
            let totals = try await all.select { ($0.rowCount, $0.shoe.count, $0.grade.distinctCount) }.fetch()
            try expect(totals.count, equals: 1, "the number of rows of totals")
            try expect(totals[0].0, equals: engineers.count, "the number of rows")
            try expect(totals[0].1, equals: engineers.compactMap(\.shoe).count, "the number of values")
            try expect(totals[0].2, equals: 3, "the number of different values")
            try await expect(.invalidValue, from: "a value that differs within a group") {
                _ = try await all.group { $0.grade }.select { ($0.grade, $0.name) }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.wide", "AGG-1", "A sum may go beyond its range on the way, and its end may not"
        ) { environment in
            let (db, _) = try await openSample(environment)
            try await db.save([Engineer("wide", age: .max), Engineer("wide", age: 5), Engineer("wide", age: -100)])
            let wide = db.query(Engineer.self).where { $0.name == "wide" }
            try expect(try await wide.sum { $0.age }, equals: Int64.max - 95, "the sum")
            try await wide.update { $0.height.set(1e308) }
            try await expect(.invalidValue, from: "a sum of doubles that overflows") {
                _ = try await wide.sum { $0.height }
            }
            try await wide.update { $0.height.set(1e200) }
            let average = try expect(some: try await wide.average { $0.height }, "the average")
            try expect(abs(average / 1e200 - 1) < 1e-12, "The average of large doubles is right.")
            try await wide.update { $0.salary.set(Decimal(string: "100000000000000000000") ?? 0) }
            try expect(
                try await wide.average { $0.salary }, equals: Decimal(string: "100000000000000000000"),
                "the average of large decimals")
        },
    ]
}
