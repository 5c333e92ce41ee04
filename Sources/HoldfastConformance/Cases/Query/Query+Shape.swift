import Foundation
import Holdfast

/// In what order, how many, and how much of what a query finds.
extension ConformanceCase {
    static let queryShape: [ConformanceCase] = [
        ConformanceCase(
            "ord-1.query", "ORD-1",
            "A query orders by any number of properties, each with its own direction, also along relations"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            func check(
                _ what: String, _ orders: @Sendable (Columns<Engineer>) -> [Ordering],
                _ comes: (Engineer, Engineer) -> Bool?
            ) async throws {
                let found = try await db.query(Engineer.self).order(orders).keys()
                let expected = engineers.sorted { comes($0, $1) ?? (($0.id ?? 0) < ($1.id ?? 0)) }
                try expect(found, equals: expected.compactMap { $0.id.map { Key($0) } }, "the order by \(what)")
            }
            func scalars(_ left: String, _ right: String) -> Bool? {
                Array(left.utf8) == Array(right.utf8)
                    ? nil : left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
            }
            try await check("text", { [$0.name.ascending] }) { scalars($0.name, $1.name) }
            try await check("text, downwards", { [$0.name.descending] }) { scalars($1.name, $0.name) }
            try await check("text, any case", { [$0.name.ascending.ignoringCase] }) {
                scalars(folded($0.name), folded($1.name))
            }
            try await check("two", { [$0.grade.ascending, $0.age.descending] }) {
                $0.grade == $1.grade
                    ? ($0.age == $1.age ? nil : $0.age > $1.age) : $0.grade.rawValue < $1.grade.rawValue
            }
            try await check("decimals", { [$0.salary.descending] }) {
                $0.salary == $1.salary ? nil : $0.salary > $1.salary
            }
            try await check("scaled decimals", { [$0.rate.descending] }) {
                $0.rate == $1.rate ? nil : $0.rate > $1.rate
            }
            try await check("what is computed", { [($0.age % 7).ascending] }) {
                $0.age % 7 == $1.age % 7 ? nil : $0.age % 7 < $1.age % 7
            }
            try await check("a count", { [$0.tags.count.descending] }) {
                $0.tags.count == $1.tags.count ? nil : $0.tags.count > $1.tags.count
            }
            try await check("a relation's property", { [$0.boss.age.ascending] }) {
                optional($0.boss?.age, $1.boss?.age, <)
            }
            try await check("a relation", { [$0.boss.descending] }) { optional($1.boss?.id, $0.boss?.id, <) }
            let named = try await db.query(Engineer.self).order(by: [.descending("boss.age"), .ascending("name")])
                .keys()
            let typed = try await db.query(Engineer.self).order { [$0.boss.age.descending, $0.name.ascending] }.keys()
            try expect(named, equals: typed, "the order by names")
        },
        ConformanceCase(
            "ord-2.query", "ORD-2", "Nil comes first ascending, last descending, or where a query says"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let nils = Set(engineers.filter { $0.shoe == nil }.compactMap { $0.id.map { Key($0) } })
            func check(_ order: @Sendable (Columns<Engineer>) -> Ordering, nilsFirst: Bool) async throws {
                let keys = try await db.query(Engineer.self).order(order).keys()
                let found = Set(nilsFirst ? keys.prefix(nils.count) : keys.suffix(nils.count))
                try expect(found, equals: nils, "those without a value, \(nilsFirst ? "first" : "last")")
            }
            try await check({ $0.shoe.ascending }, nilsFirst: true)
            try await check({ $0.shoe.descending }, nilsFirst: false)
            try await check({ $0.shoe.ascending.nulls(.last) }, nilsFirst: false)
            try await check({ $0.shoe.descending.nulls(.first) }, nilsFirst: true)
        },
        ConformanceCase(
            "ord-3.query", "ORD-3", "Limit and offset cut what a query finds, in its order; without one by primary key"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let ids = engineers.compactMap(\.id)
            let all = db.query(Engineer.self)
            try expect(try await all.limit(3).fetch().compactMap(\.id), equals: Array(ids.prefix(3)), "the first three")
            try expect(
                try await all.offset(20).fetch().compactMap(\.id), equals: Array(ids.dropFirst(20)), "without twenty")
            try expect(
                try await all.limit(3).offset(2).fetch().compactMap(\.id), equals: Array(ids.dropFirst(2).prefix(3)),
                "three after two")
            try expect(try await all.limit(0).fetch().count, equals: 0, "none")
            try expect(try await all.limit(3).offset(2).count(), equals: 3, "the count of three after two")
            try expect(try await all.limit(300).offset(20).count(), equals: ids.count - 20, "the count of the rest")
            try expect(try await all.limit(0).exists(), equals: false, "whether one of none exists")
            try expect(try await all.offset(ids.count).exists(), equals: false, "whether one exists after all")
            try expect(try await all.first()?.id, equals: ids.first, "the first")
            try await expect(.invalidValue, from: "a limit below 0") { _ = try await all.limit(-1).fetch() }
            try await expect(.invalidValue, from: "an offset below 0") { _ = try await all.offset(-1).fetch() }
            let ada = all.where { $0.name == "Ada" }
            try expect(try await ada.one().name, equals: "Ada", "the one")
            try await expect(.notFound, from: "one of none") { _ = try await ada.where { $0.age > 1_000 }.one() }
            try await expect(.conflict, from: "one of several") { _ = try await all.one() }
            try expect(try await ada.where { $0.age > 1_000 }.first() == nil, "There is no first of none.")
        },
        ConformanceCase(
            "op-query.pages", "OP-QUERY",
            "Pages neither repeat nor pass over an object, in any order, whatever comes and goes between them"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let orders: [@Sendable (Columns<Engineer>) -> [Ordering]] = [
                { _ in [] },
                { [$0.name.ascending.ignoringCase] },
                { [$0.shoe.ascending, $0.height.descending] },
                { [$0.shoe.descending.nulls(.first), $0.salary.descending] },
                { [$0.boss.ascending.nulls(.last), $0.joined.descending] },
                { [$0.isRemote.ascending, $0.born.descending, $0.badge.ascending] },
                { [$0.ratio.descending, $0.bonus.ascending] },
            ]
            for (index, order) in orders.enumerated() {
                let query = db.query(Engineer.self).where { $0.age > -55 }.order(order)
                let expected = try await query.keys()
                var found: [Int64?] = []
                var cursor: PageCursor?
                var pages = 0
                repeat {
                    let page = try await query.page(size: 5, after: cursor)
                    found += page.objects.map(\.id)
                    pages += 1
                    cursor = page.next.flatMap { PageCursor(token: $0.token) }
                    try expect(cursor == page.next, "A token stands for its cursor.")
                } while cursor != nil
                try expect(
                    found.compactMap { $0.map { Key($0) } }, equals: expected,
                    "the objects of all pages in order \(index)")
                try expect(pages, equals: (expected.count + 4) / 5, "the number of pages in order \(index)")
            }
            let query = db.query(Engineer.self).order { $0.name.ascending }
            let first = try await query.page(size: 5)
            try await db.delete(try expect(some: first.objects.last, "the last of the page"))
            try await db.save(Engineer("", age: 0))
            let second = try await query.page(size: 5, after: first.next)
            let names = engineers.map(\.name).sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
            try expect(
                second.objects.map(\.name), equals: Array(names[5..<10]), "the second page, after changes before it")
            try await expect(.invalidValue, from: "a cursor of another order") {
                _ = try await db.query(Engineer.self).page(size: 5, after: first.next)
            }
            try await expect(.invalidValue, from: "a page of none") { _ = try await query.page(size: 0) }
            for token in ["", "x", "AAAA", "_w", String(repeating: "A", count: 99)] {
                guard let cursor = PageCursor(token: token) else { continue }
                try await expect(.invalidValue, from: "a cursor of nobody's") {
                    _ = try await query.page(size: 5, after: cursor)
                }
            }
        },
        ConformanceCase(
            "op-query.options", "OP-QUERY", "Options ask what a query does"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let options = QueryOptions(
                conditions: ["age > \(0)", "boss.name LIKE \("%a%")"],
                orderBy: [.descending("age"), .ascending("name")],
                including: ["team"], depth: 0, limit: 4, offset: 1)
            let found = try await db.fetch(Engineer.self, options)
            let expected = try await db.query(Engineer.self).where { $0.age > 0 && $0.boss.name.like("%a%") }
                .order { [$0.age.descending, $0.name.ascending] }.limit(4).offset(1).keys()
            try expect(found.compactMap { $0.id.map { Key($0) } }, equals: expected, "what options find")
            try expect(
                found.allSatisfy { $0.isLoaded(\.team) && !$0.isLoaded(\.boss) }, "Only what is named is loaded.")
            try expect(try await db.fetch(Engineer.self, QueryOptions()).count, equals: 24, "all")
            let plan = try await db.query(Engineer.self).options(options).explain()
            try expect(!plan.isEmpty, "The engine has a plan.")
            let analyzed = try await db.query(Engineer.self).options(options).explain(analyze: true)
            try expect(
                analyzed.contains("rows=4") && analyzed.contains("actual") && analyzed.contains("ms"),
                "The analyzed plan has no number of rows and no time: \(analyzed)")
            let grades = try await db.fetch(Engineer.self, QueryOptions(distinctBy: ["grade"]))
            try expect(grades.compactMap(\.id), equals: [1, 2, 3], "one of each grade")
        },
        ConformanceCase(
            "qry-1.distinct", "QRY-1",
            "Of objects that are the same in some properties a query gives one, the one with the lowest key"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            func firsts(_ objects: [Engineer], _ group: (Engineer) -> String) -> [Int64] {
                var seen: Set<String> = []
                return objects.filter { seen.insert(group($0)).inserted }.compactMap(\.id).sorted()
            }
            let all = db.query(Engineer.self)
            try expect(
                try await all.distinct { $0.grade }.fetch().compactMap(\.id),
                equals: firsts(engineers) { $0.grade.rawValue },
                "one of each grade")
            try expect(
                try await all.distinct { ($0.grade, $0.isActive) }.fetch().compactMap(\.id),
                equals: firsts(engineers) { "\($0.grade) \($0.isActive)" }, "one of each grade, active and not")
            try expect(
                try await all.where { $0.age > 20 }.distinct { $0.shoe }.count(),
                equals: firsts(engineers.filter { $0.age > 20 }) { "\($0.shoe as Int16?)" }.count,
                "the count of those that differ in what can be nil, under a condition")
            let oldest = try await all.distinct(by: ["grade"], keeping: [.descending("age")]).fetch()
            let expected = [Engineer.Grade.junior, .senior, .principal].map { grade in
                engineers.filter { $0.grade == grade }.max { $0.age < $1.age }?.age
            }
            try expect(Set(oldest.map(\.age)), equals: Set(expected.compactMap { $0 }), "the oldest of each grade")
            let cut = try await all.where { $0.age > 0 }.distinct { $0.grade }.order { $0.name.descending }.limit(2)
                .fetch()
            try expect(cut.count, equals: 2, "two of the grades")
        },
        ConformanceCase(
            "rel-4.query", "REL-4",
            "What a query finds comes with what it leads to, as much of it as asked for, in a statement for each relation"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let found = try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.fetch()
            try expect(found.count, equals: engineers.filter { $0.boss?.name == "Ada" }.count, "the number found")
            for engineer in found {
                let same = try expect(some: engineers.first { $0.id == engineer.id }, "the engineer")
                try expect(engineer.boss?.name, equals: "Ada", "the boss")
                try expect(engineer.boss === found.first?.boss, "One row is one instance.")
                try expect(engineer.tags, equals: same.tags, "the tags")
                try expect(engineer.reviews.map(\.points), equals: same.reviews.map(\.points), "the reviews")
                try expect(engineer.team?.members.count, equals: same.team?.members.count, "the members of the team")
            }
            let shallow = try expect(
                some: try await db.query(Engineer.self).where { $0.boss != nil }.depth(0).first(), "one with a boss")
            try expect(!shallow.isLoaded(\.boss), "A relation is not loaded at depth 0.")
            let wider = try expect(
                some: try await db.query(Engineer.self).where { $0.boss != nil }.depth(0).including(["boss"]).first(),
                "one with a boss")
            try expect(wider.boss != nil, "A relation that is named is loaded.")
        },
    ]

    static let queryAggregates: [ConformanceCase] = [
        ConformanceCase(
            "agg-1.values", "AGG-1",
            "Counts, sums, averages, minima and maxima have types that do not depend on the engine"
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
            try expect(try await all.min { $0.age }, equals: ages.min(), "the least integer")
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
            try await db.save([Engineer("large", age: .max), Engineer("large", age: .max)])
            try await expect(.invalidValue, from: "a sum that overflows") { _ = try await all.sum { $0.age } }
        },
        ConformanceCase(
            "agg-1.groups", "AGG-1", "Values of objects and of groups come as tuples"
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
    ]
}

/// Nil first.
private func optional<Value: Comparable>(_ left: Value?, _ right: Value?, _ comes: (Value, Value) -> Bool) -> Bool? {
    switch (left, right) {
    case (nil, nil): nil
    case (nil, _): true
    case (_, nil): false
    case (let left?, let right?): left == right ? nil : comes(left, right)
    }
}

/// With ASCII letters in lower case.
private func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        folded.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
    }
    return String(folded)
}
