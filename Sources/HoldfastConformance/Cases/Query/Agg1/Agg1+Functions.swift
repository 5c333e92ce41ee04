import Foundation
import Holdfast

extension ConformanceCase {
    static let agg1Functions: [ConformanceCase] = [
        ConformanceCase("agg-1.lists", "AGG-1", "Groups are by a choice that compares with a list of values") {
            environment in
            let (db, engineers) = try await openSample(environment)
            let ages = Array(Set(engineers.map(\.age)).sorted().prefix(2))
            func band(_ engineer: Columns<Engineer>) -> QueryExpression<String> {
                .if(engineer.age.in(ages) || engineer.name.in(["nobody", "none"]), then: "young", else: "old")
            }
            let found = try await db.query(Engineer.self).group { band($0) }.select { (band($0), $0.rowCount) }.fetch()
            let young = engineers.filter { ages.contains($0.age) }.count
            try expect(
                found.map { "\($0.0) \($0.1)" }, equals: ["old \(engineers.count - young)", "young \(young)"],
                "the groups")
        },
        ConformanceCase("agg-1.cut", "AGG-1", "No aggregate is computed of a part of what meets a query") {
            environment in
            let (db, engineers) = try await openSample(environment)
            let first = db.query(Engineer.self).order(\.id).limit(2)
            try await expect(.unsupported, from: "aggregates of the first two") {
                _ = try await first.select { ($0.age.sum, $0.rowCount) }.fetch()
            }
            try await expect(.unsupported, from: "one of all but the first") {
                _ = try await db.query(Engineer.self).offset(1).select { $0.age.sum }.fetch()
            }
            try await expect(.unsupported, from: "one inside of another query") {
                _ = try await db.query(Engineer.self).select { ($0.id, first.select { $0.age.sum }.value) }.fetch()
            }
            let sums = try await db.query(Engineer.self).where { $0.id.in(first.select(\.id)) }.select { $0.age.sum }
                .fetch()
            try expect(sums, equals: [engineers.prefix(2).reduce(0) { $0 + Int64($1.age) }], "the sum of the first two")
        },
        ConformanceCase("agg-1.literals", "AGG-1", "A value is on the left of an operator, as on the right") {
            environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try expect(
                try await all.sum { 100 - $0.age }, equals: engineers.reduce(0) { $0 + 100 - Int64($1.age) },
                "a difference")
            try expect(
                try await all.sum { $0.salary * (1 - $0.salary) },
                equals: engineers.reduce(0) { $0 + $1.salary * (1 - $1.salary) }, "a product of a difference")
            try expect(
                try await all.where { 2 * $0.age + 1 > 1 + $0.age * 2 }.count(), equals: 0, "both sides of a comparison"
            )
            try expect(
                try await all.where { 1_000 / $0.age > 10 }.count(),
                equals: engineers.filter { $0.age != 0 && 1_000 / $0.age > 10 }.count, "a quotient")
        },
        ConformanceCase(
            "agg-1.conditions", "AGG-1", "An aggregate with a condition is that of the rows that meet it"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let active = engineers.filter(\.isActive)
            let someRow = try await all.select {
                (
                    $0.rowCount, $0.rowCount(where: $0.isActive), $0.age.sum(where: $0.isActive),
                    $0.shoe.count(where: $0.isActive), $0.grade.distinctCount(where: $0.age > 20)
                )
            }.first()
            let some = try expect(some: someRow, "one row")
            try expect(some.0, equals: engineers.count, "the number of all rows")
            let sum = active.reduce(0) { $0 + Int64($1.age) }
            try expect(
                [Int64(some.1), some.2 ?? 0], equals: [Int64(active.count), sum], "the number and the sum of some")
            try expect(some.3, equals: active.compactMap(\.shoe).count, "the number of values of those")
            try expect(
                some.4, equals: Set(engineers.filter { $0.age > 20 }.map(\.grade)).count, "the different values")
            let extremesRow = try await all.order { $0.name.ascending }.select {
                (
                    $0.salary.sum(where: $0.isRemote == true), $0.salary.max(where: $0.shoe == nil),
                    $0.born.min(where: $0.isActive), $0.age.average(where: $0.age > 1_000),
                    $0.salary.average(where: $0.team.name == "Red")
                )
            }.first()
            let extremes = try expect(some: extremesRow, "one row of a query with an order")
            let remote = engineers.filter { $0.isRemote == true }.reduce(Decimal(0)) { $0 + $1.salary }
            try expect(extremes.0, equals: remote, "the sum of decimals")
            try expect(
                extremes.1, equals: engineers.filter { $0.shoe == nil }.map(\.salary).max(), "the greatest decimal")
            try expect(extremes.2, equals: active.compactMap(\.born).min(), "the first date")
            try expect(extremes.3 == nil, "The average of none is nil.")
            let red = engineers.filter { $0.team?.name == "Red" }.map(\.salary)
            let average = try expect(some: extremes.4, "the average of decimals")
            try expect(
                abs(average - red.reduce(0, +) / Decimal(red.count))
                    < Decimal(sign: .plus, exponent: -19, significand: 1),
                "The average of decimals by a condition on a relation is exact.")
            let grades = try await all.group { $0.grade }.having { $0.rowCount(where: $0.isActive) > 4 }
                .order { $0.age.sum(where: $0.age > 0).descending }
                .select { ($0.grade, $0.age.sum(where: $0.age > 0)) }.fetch()
            let expected = Dictionary(grouping: engineers, by: \.grade)
                .filter { $0.value.count(where: \.isActive) > 4 }
                .mapValues { $0.reduce(Int64(0)) { $0 + max(0, Int64($1.age)) } }
            try expect(grades.map(\.1), equals: expected.values.sorted(by: >), "the sums of groups, in their order")
            try expect(Dictionary(uniqueKeysWithValues: grades), equals: expected.mapValues { $0 }, "their groups")
            try await expect(.invalidValue, from: "an aggregate as a condition of a row") {
                _ = try await all.where { $0.age.sum(where: $0.isActive) > 3 }.count()
            }
        },
        ConformanceCase(
            "agg-1.deviation", "AGG-1", "The standard deviation is that of a sample, and nil of fewer than two values"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            func deviation(_ values: [Double]) -> Double? {
                guard values.count > 1 else { return nil }
                let mean = values.reduce(0, +) / Double(values.count)
                return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
            }
            func isNear(_ value: Double?, _ expected: Double?) -> Bool {
                guard let value, let expected else { return value == nil && expected == nil }
                return abs(value - expected) <= 1e-9 * max(1, abs(expected))
            }
            let foundRow = try await all.select {
                (
                    $0.age.standardDeviation, $0.height.standardDeviation, $0.salary.standardDeviation,
                    $0.rate.standardDeviation, $0.shoe.standardDeviation(where: $0.isActive)
                )
            }.first()
            let found = try expect(some: foundRow, "one row")
            try expect(isNear(found.0, deviation(engineers.map { Double($0.age) })), "That of integers is right.")
            try expect(isNear(found.1, deviation(engineers.compactMap(\.height))), "That of doubles is right.")
            func double(_ decimal: Decimal) -> Double { NSDecimalNumber(decimal: decimal).doubleValue }
            try expect(
                isNear(found.2, deviation(engineers.map { double($0.salary) })), "That of decimals is right.")
            try expect(
                isNear(found.3, deviation(engineers.map { double($0.rate) })), "That of scaled decimals is right.")
            try expect(
                isNear(found.4, deviation(engineers.filter(\.isActive).compactMap { $0.shoe.map(Double.init) })),
                "That under a condition is right.")
            let name = engineers[0].name
            let one = try await all.where { $0.name == name }.select { $0.age.standardDeviation }.fetch()
            try expect(one, equals: [nil], "that of one value")
            let none = try await all.where { $0.age > 1_000 }.select { $0.age.standardDeviation }.fetch()
            try expect(none, equals: [nil], "that of none")
            let same = [Engineer("same", age: 7), Engineer("same", age: 7)]
            try await db.save(same)
            let equal = try await all.where { $0.name == "same" }.select { $0.age.standardDeviation }.fetch()
            try expect(equal, equals: [0], "that of equal values")
        },
        ConformanceCase(
            "agg-1.joined", "AGG-1", "Texts are joined in an order that does not depend on the engine"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            func isBefore(_ left: String, _ right: String) -> Bool {
                left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
            }
            let joined = try await all.select { $0.name.stringJoined(by: "|") }.first() ?? nil
            try expect(
                joined, isExactly: engineers.map(\.name).sorted(by: isBefore).joined(separator: "|"), "all names")
            let nicknames = try await all.group { $0.grade }
                .select { ($0.grade, $0.nickname.stringJoined(by: ", ")) }.fetch()
            for (grade, names) in nicknames {
                let expected = engineers.filter { $0.grade == grade }.compactMap(\.nickname).sorted(by: isBefore)
                let text = expected.isEmpty ? nil : expected.joined(separator: ", ")
                try expect(names, isExactly: text, "what can be nil, of \(grade)")
            }
            let byPay = engineers.sorted { ($1.salary, $0.name) < ($0.salary, $1.name) }.map(\.name)
            let pay =
                try await all.select {
                    $0.name.stringJoined(by: "", order: [$0.salary.descending])
                }.first() ?? nil
            try expect(pay, isExactly: byPay.joined(), "in the order of decimals")
            let byShoe = engineers.sorted { left, right in
                switch (left.shoe, right.shoe) {
                case (nil, nil): isBefore(left.name, right.name)
                case (nil, _): false
                case (_, nil): true
                case (let one?, let other?): one == other ? isBefore(left.name, right.name) : one > other
                }
            }
            let shoes =
                try await all.select {
                    $0.name.stringJoined(by: ";", order: [$0.shoe.descending])
                }.first() ?? nil
            try expect(shoes, isExactly: byShoe.map(\.name).joined(separator: ";"), "in an order with nil at the end")
            let bosses =
                try await all.select {
                    $0.name.stringJoined(
                        by: ";", order: [$0.boss.name.ascending, $0.id.descending], where: $0.age > 10)
                }.first() ?? nil
            let byBoss = engineers.filter { $0.age > 10 }.sorted { left, right in
                switch (left.boss?.name, right.boss?.name) {
                case (nil, _?): true
                case (_?, nil): false
                case (let one?, let other?) where one != other: isBefore(one, other)
                default: (left.id ?? 0) > (right.id ?? 0)
                }
            }
            try expect(
                bosses, isExactly: byBoss.map(\.name).joined(separator: ";"), "by a relation, under a condition")
            let none = try await all.where { $0.age > 1_000 }.select { $0.name.stringJoined(by: ",") }.fetch()
            try expect(none, equals: [nil], "of no rows")
            let empty = try await all.where { $0.name == "" }.select { $0.name.stringJoined(by: ",") }.fetch()
            try expect(empty, equals: [""], "of one empty text")
        },
        ConformanceCase(
            "agg-1.own-sql", "AGG-1", "An aggregate in SQL of the caller's is one value of all rows, or of each group"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let ages = engineers.map(\.age)
            let total = try await all.order { $0.name.ascending }.select {
                (QueryExpression<Int?>.aggregate(sql: "max(\($0.age) + \(1))"), $0.rowCount)
            }.fetch()
            try expect(total.map(\.0), equals: [ages.max().map { $0 + 1 }], "that of all rows, which is one")
            try expect(total.map(\.1), equals: [engineers.count], "the number of rows")
            let alone = try await all.select { QueryExpression<Int>.aggregate(sql: "min(\($0.age))") }.fetch()
            try expect(alone, equals: [ages.min() ?? 0], "that alone")
            let groups = try await all.group { $0.grade }
                .having { QueryExpression<Int>.aggregate(sql: "max(\($0.age))") > 40 }
                .select { ($0.grade, QueryExpression<Int>.aggregate(sql: "max(\($0.age))")) }.fetch()
            let expected = Dictionary(grouping: engineers, by: \.grade).compactMapValues { $0.map(\.age).max() }
                .filter { $0.value > 40 }
            try expect(Dictionary(uniqueKeysWithValues: groups), equals: expected, "those of groups")
            try await expect(.invalidValue, from: "one as a condition of a row") {
                _ = try await all.where { QueryExpression<Int>.aggregate(sql: "max(\($0.age))") > 40 }.count()
            }
        },
        ConformanceCase(
            "agg-1.scaled", "AGG-1", "Decimals that are stored as integers are summed and averaged exactly"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let rates = engineers.map(\.rate)
            let sum: Decimal = rates.reduce(0, +)
            try expect(try await all.sum { $0.rate }, equals: sum, "the sum")
            try expect(try await all.where { $0.age > 1_000 }.sum { $0.rate }, equals: 0, "the sum of none")
            try expect(try await all.max { $0.rate }, equals: rates.max(), "the greatest")
            let average = try expect(some: try await all.average { $0.rate }, "the average")
            try expect(
                abs(average - sum / Decimal(rates.count)) < Decimal(sign: .plus, exponent: -19, significand: 1),
                "The average is exact to 20 digits.")
            let groups = try await all.group { $0.grade }.having { $0.rate.sum > 20 }
                .order { $0.rate.sum.descending }
                .select { ($0.grade, $0.rate.sum, $0.rate.average, $0.rate.sum(where: $0.isActive)) }.fetch()
            let expected = Dictionary(grouping: engineers, by: \.grade)
                .filter { $0.value.reduce(Decimal(0)) { $0 + $1.rate } > 20 }
            try expect(groups.count, equals: expected.count, "the number of groups")
            for (grade, total, mean, active) in groups {
                let members = expected[grade] ?? []
                let own = members.reduce(Decimal(0)) { $0 + $1.rate }
                try expect(total, equals: own, "the sum of \(grade)")
                let exact = own / Decimal(max(1, members.count))
                try expect(
                    abs((mean ?? 0) - exact) < Decimal(sign: .plus, exponent: -19, significand: 1),
                    "The average of \(grade) is exact.")
                let some = members.filter(\.isActive).reduce(Decimal(0)) { $0 + $1.rate }
                try expect(active ?? 0, equals: some, "the sum of the active of \(grade)")
            }
        },
        ConformanceCase(
            "agg-1.group-targets", "AGG-1", "Objects are grouped by the target of a relation"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let teams = try await all.group { $0.team }.select { ($0.team.id, $0.rowCount, $0.age.max) }.fetch()
            let expected = Dictionary(grouping: engineers) { $0.team?.id }
            let sorted = expected.keys.sorted { left, right in
                guard let left, let right else { return left == nil && right != nil }
                return left < right
            }
            try expect(teams.map(\.0), equals: sorted, "the keys of the targets, and nil")
            for (team, count, oldest) in teams {
                try expect(count, equals: expected[team]?.count ?? 0, "the number of those of a team")
                try expect(oldest, equals: expected[team]?.map(\.age).max(), "the oldest of a team")
            }
            let bosses = try await all.where { $0.boss != nil }.group(by: \.boss).having { $0.rowCount > 1 }
                .select { $0.boss.id }.fetch()
            let several = Dictionary(grouping: engineers.compactMap { $0.boss?.id }) { $0 }.filter {
                $0.value.count > 1
            }
            try expect(bosses, equals: several.keys.sorted().map(Optional.some), "those who lead several")
            try await expect(.invalidValue, from: "another property of the target") {
                _ = try await all.group { $0.team }.select { ($0.team.name.optional, $0.rowCount) }.fetch()
            }
        },
        ConformanceCase(
            "agg-1.elements", "AGG-1", "The elements of an array have a sum, an average and extremes for each object"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let found = try await all.select {
                (
                    $0.reviews.sum { $0.points }, $0.reviews.max { $0.points }, $0.reviews.average { $0.points },
                    $0.reviews.min { $0.words },
                    $0.reviews.sum {
                        $0.points
                    } where: {
                        $0.words != nil
                    }
                )
            }.fetch()
            for (engineer, row) in zip(engineers, found) {
                let points = engineer.reviews.map(\.points)
                try expect(row.0, equals: Int64(points.reduce(0, +)), "the sum, 0 of none")
                try expect(row.1, equals: points.max(), "the greatest, nil of none")
                let average = points.isEmpty ? nil : Double(points.reduce(0, +)) / Double(points.count)
                try expect(row.2, equals: average, "the average, nil of none")
                let words = engineer.reviews.compactMap(\.words)
                try expect(
                    row.3, isExactly: words.min { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) },
                    "the first text")
                let some = engineer.reviews.filter { $0.words != nil }.reduce(0) { $0 + $1.points }
                try expect(row.4, equals: Int64(some), "the sum of those that meet a condition")
            }
            let rich = try await all.where { $0.reviews.sum { $0.points } > 60 }
                .order { $0.reviews.sum { $0.points }.descending }.fetch()
            func total(_ engineer: Engineer) -> Int { engineer.reviews.reduce(0) { $0 + $1.points } }
            let expected = engineers.filter { total($0) > 60 }.sorted {
                (total($1), $0.id ?? 0) < (total($0), $1.id ?? 0)
            }
            try expect(rich.map(\.id), equals: expected.map(\.id), "those with a great sum, in its order")
            let members = try await db.query(Team.self).select {
                ($0.members.sum { $0.salary }, $0.members.max { $0.rate }, $0.members.sum { $0.rate })
            }.fetch()
            let teams = try await db.query(Team.self).fetch()
            for (team, row) in zip(teams, members) {
                let own = engineers.filter { $0.team?.id == team.id }
                try expect(row.0, equals: own.reduce(0) { $0 + $1.salary }, "the sum of decimals of the other side")
                try expect(row.1, equals: own.map(\.rate).max(), "the greatest scaled decimal")
                try expect(row.2, equals: own.reduce(0) { $0 + $1.rate }, "the sum of scaled decimals")
            }
        },
        ConformanceCase(
            "agg-1.element-values", "AGG-1", "Values in an array have a sum, an average and extremes for each object"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let found = try await all.select {
                ($0.scores.sum, $0.scores.average, $0.scores.min, $0.tags.max)
            }.fetch()
            for (engineer, row) in zip(engineers, found) {
                let scores = engineer.scores ?? []
                try expect(row.0, equals: Int64(scores.reduce(0, +)), "the sum")
                let average = scores.isEmpty ? nil : Double(scores.reduce(0, +)) / Double(scores.count)
                try expect(row.1, equals: average, "the average")
                try expect(row.2, equals: scores.min(), "the least")
                try expect(
                    row.3,
                    isExactly: engineer.tags.max { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) },
                    "the last text")
            }
            let most = try await all.select { $0.scores.sum.max }.first() ?? nil
            try expect(
                most, equals: engineers.map { Int64(($0.scores ?? []).reduce(0, +)) }.max(), "the greatest of the sums")
            try await expect(.unsupported, from: "a group's elements") {
                _ = try await all.group { $0.grade }.select { $0.scores.sum }.fetch()
            }
            try await expect(.unsupported, from: "the greatest truth value") {
                _ = try await db.query(Team.self).select { $0.members.max { $0.isActive } }.fetch()
            }
            let boss = try await all.where { $0.boss.scores.sum == 0 }.fetch()
            let expected = engineers.filter { ($0.boss?.scores ?? []).reduce(0, +) == 0 }
            try expect(boss.map(\.id), equals: expected.map(\.id), "those whose boss has none, or who have no boss")
        },
    ]
}
