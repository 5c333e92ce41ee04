import Foundation
import Holdfast

/// Values of several queries together.
extension ConformanceCase {
    static let set1Values: [ConformanceCase] = [
        ConformanceCase(
            "set-1.values", "SET-1", "Values of several types are combined, each once, in their order"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            let teams = db.query(Team.self)
            let names = try await all.select(\.nickname).union(teams.select { $0.name.optional }).fetch()
            try expect(names, equals: [nil, "a", "b", "c", "x", "y"], "names of both")
            let kept = try await all.select(\.nickname)
                .union(teams.select { $0.name.optional }, keepingDuplicates: true).fetch()
            try expect(kept.count, equals: engineers.count + 3, "the number of all")
            let active = all.where { $0.isActive && $0.age < 100 }.select(\.age)
            let passive = all.where { !$0.isActive && $0.age > -1 }.select(\.age)
            let (one, two) = (
                Set(engineers.filter(\.isActive).map(\.age)), Set(engineers.filter { !$0.isActive }.map(\.age))
            )
            try expect(try await active.union(passive).fetch(), equals: one.union(two).sorted(), "in one of both")
            try expect(
                try await active.intersection(passive).fetch(), equals: one.intersection(two).sorted(), "in both")
            try expect(
                try await active.subtracting(passive).fetch(), equals: one.subtracting(two).sorted(), "in the first")
            let even = all.where { $0.age.in([0, 2, 4, 6, 8]) }.select(\.age)
            try expect(
                try await active.union(passive).intersection(even).fetch(),
                equals: one.union(two).filter { $0 % 2 == 0 }.sorted(), "from left to right")
            try expect(
                try await even.subtracting(active).union(passive).fetch(),
                equals: Set([0, 2, 4, 6, 8]).intersection(one.union(two)).subtracting(one).union(two).sorted(),
                "from left to right, with what is taken away first")
            let pairs = try await all.where { $0.isActive }.select { ($0.grade, $0.salary) }
                .union(all.where { $0.age > 4 }.select { ($0.grade, $0.salary) }).fetch()
            let expected = Set(engineers.filter { $0.isActive || $0.age > 4 }.map { "\($0.grade) \($0.salary)" })
            try expect(Set(pairs.map { "\($0.0) \($0.1)" }), equals: expected, "pairs of values")
            try expect(pairs.count, equals: expected.count, "the number of pairs, each once")
            let oldest = all.order { [$0.age.descending] }.limit(3).select(\.age)
            let youngest = all.order { [$0.age.ascending] }.offset(1).limit(2).select(\.age)
            let ages = engineers.map(\.age).sorted()
            try expect(
                try await oldest.union(youngest, keepingDuplicates: true).fetch(),
                equals: (ages.suffix(3) + ages[1...2]).sorted(), "of queries that are cut")
            let sizes = try await all.group { $0.grade }.select { ($0.grade.optional, $0.rowCount) }
                .union(all.select { (QueryExpression.if($0.age < -1, then: .junior, else: $0.grade).optional, $0.age) })
                .fetch()
            try expect(sizes.count >= 3, "Groups are combined with others.")
        },
        ConformanceCase("set-1.values-refused", "SET-1", "Values that differ in how they are stored are not combined") {
            environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try await expect(.unsupported, from: "two storages") {
                _ = try await all.select(\.salary).union(all.select(\.rate)).fetch()
            }
            try await expect(.unsupported, from: "two storages of dates") {
                _ = try await all.select(\.born).union(all.select(\.joined)).fetch()
            }
            try await expect(.unsupported, from: "a lock") {
                _ = try await db.transaction { transaction in
                    let all = transaction.query(Engineer.self)
                    return try await all.select(\.age).union(all.locked().select(\.age)).fetch()
                }
            }
        },
    ]
}
