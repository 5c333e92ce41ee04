import Foundation
import Holdfast

/// Pairs of objects.
extension ConformanceCase {
    static let join1: [ConformanceCase] = [
        ConformanceCase(
            "join-1.pairs", "JOIN-1", "Pairs of objects are found by any condition on both, also of one type"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, reviews) = (sample.engineers, sample.reviews)
            let older = sample.all.joined(to: Review.self) { e, r in r.points > e.age && e.isActive }
            let expected = engineers.flatMap { e in
                reviews.filter { $0.points > e.age && e.isActive }.map { [e.id, $0.id] }
            }
            let found = try await older.fetch()
            try expect(found.map { [$0.id, $1.id] }, equals: expected, "the pairs")
            try expect(try await older.count(), equals: expected.count, "the count")
            let instances = Dictionary(grouping: found) { $0.0.id }.values.allSatisfy { pairs in
                pairs.allSatisfy { $0.0 === pairs[0].0 }
            }
            try expect(instances, "An object in several pairs is one instance.")
            try expect(
                found.map { $0.1.author?.name }.map { $0.map { Array($0.utf8) } },
                equals: found.map { pair in
                    reviews.first { $0.id == pair.1.id }?.author?.name
                }.map { $0.map { Array($0.utf8) } }, "what the objects lead to")
            let cut = older.where { e, r in r.author.age > 0 || e.boss == nil }
                .order { e, r in [r.points.descending, e.name.ascending] }.offset(3).limit(5)
            let cutExpected = engineers.flatMap { e in
                reviews.filter { $0.points > e.age && e.isActive && (($0.author?.age ?? 0) > 0 || e.boss == nil) }
                    .map { (e, $0) }
            }.sorted { left, right in
                if left.1.points != right.1.points { return left.1.points > right.1.points }
                let (first, second) = (left.0.name.unicodeScalars, right.0.name.unicodeScalars)
                if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
                return (left.0.id ?? 0, left.1.id ?? 0) < (right.0.id ?? 0, right.1.id ?? 0)
            }.dropFirst(3).prefix(5).map { [$0.0.id, $0.1.id] }
            try expect(
                try await cut.fetch().map { [$0.id, $1.id] }, equals: Array(cutExpected), "an order and a limit")
            let same = sample.all.joined(to: Engineer.self) { $0.grade == $1.grade && $0.age < $1.age }
            let pairs = try await same.fetch()
            try expect(
                pairs.map { [$0.id, $1.id] },
                equals: engineers.flatMap { e in
                    engineers.filter { $0.grade == e.grade && e.age < $0.age }.map { [e.id, $0.id] }
                }, "two rows of one table")
            let all = Dictionary(grouping: pairs.flatMap { [$0, $1] }, by: \.id).values
            try expect(all.allSatisfy { $0.allSatisfy { [first = $0[0]] in $0 === first } }, "one row is one instance")
            try expect(try await sample.all.joined(to: Team.self) { _, _ in .never }.fetch().isEmpty, "no pairs")
        },
        ConformanceCase(
            "join-1.outer", "JOIN-1", "An object without a partner is given with nil, whose properties are nil"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, reviews) = (sample.engineers, sample.reviews)
            let joined = sample.all.leftJoined(to: Review.self) { e, r in r.author == e && r.points > 30 }
            func partners(_ e: Engineer) -> [Review?] {
                let own = reviews.filter { $0.author?.id == e.id && $0.points > 30 }
                return own.isEmpty ? [nil] : own
            }
            let expected = engineers.flatMap { e in partners(e).map { [e.id, $0?.id] } }
            try expect(try await joined.fetch().map { [$0.id, $1?.id] }, equals: expected, "the pairs")
            let none = try await joined.where { $1.points == nil || $1.words == nil }.fetch()
            try expect(
                none.map { [$0.id, $1?.id] },
                equals: engineers.flatMap { e in partners(e).filter { $0?.words == nil }.map { [e.id, $0?.id] } },
                "properties that are nil")
            let differing = try await joined.where { $1.points != 40 }.count()
            try expect(
                differing, equals: engineers.flatMap(partners).count { $0?.points != 40 }, "a negated comparison")
            let rows = try await joined.order { e, r in [r.points.ascending] }.select { e, r in
                (e.id, r.points.optional, r.author.team.name.optional)
            }.fetch()
            let values = engineers.flatMap { e in partners(e).map { (e, $0) } }.sorted { left, right in
                func rank(_ pair: (Engineer, Review?)) -> (Int, Int64, Int64) {
                    (pair.1?.points ?? .min, pair.0.id ?? 0, pair.1?.id ?? 0)
                }
                return rank(left) < rank(right)
            }
            try expect(rows.map(\.0), equals: values.map(\.0.id), "the selected keys")
            try expect(rows.map(\.1), equals: values.map { $0.1?.points }, "the selected values")
            try expect(rows.map(\.2), equals: values.map { $0.1?.author?.team?.name }, "values behind relations")
            try expect(
                try await joined.first().map { [$0.0.id, $0.1?.id] }, equals: expected.first, "the first pair")
        },
        ConformanceCase(
            "join-1.values", "JOIN-1", "Values of both are selected, grouped, and combined with queries inside"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, teams) = (sample.engineers, sample.teams)
            let joined = sample.all.joined(to: Team.self) { e, t in e.team == t }
            let groups = try await joined.group { e, t in t.name }.having { e, t in e.rowCount > 5 }
                .select { e, t in (t.name, e.rowCount, e.salary.sum) }.fetch()
            let expected = teams.filter { t in engineers.count { $0.team?.id == t.id } > 5 }.sorted {
                $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
            }
            try expect(groups.map(\.0), equals: expected.map(\.name), "the groups")
            try expect(
                groups.map(\.2),
                equals: expected.map { t in
                    engineers.filter { $0.team?.id == t.id }.reduce(Decimal(0)) { $0 + $1.salary }
                }, "sums of groups")
            let inner = try await joined.where { e, t in .exists(Review.self) { $0.author == e && t.city != nil } }
                .select { e, t in e.id }.fetch()
            try expect(
                inner,
                equals: engineers.filter { e in
                    e.team?.city != nil && sample.reviews.contains { $0.author?.id == e.id }
                }.map(\.id), "a query inside that names both")
            try await sample.check("values of pairs in a list") { e in
                e.id.in(
                    sample.all.joined(to: Review.self) { $1.author == $0 && $1.points > e.age }.select { e, _ in e.id })
            } means: { e in
                sample.reviews.contains { $0.author?.id == e.id && $0.points > e.age }
            }
            try await expect(.invalidValue, from: "a value of no group") {
                _ = try await joined.group { e, t in t.name }.select { e, t in (t.name, e.name) }.fetch()
            }
            try await expect(.unsupported, from: "a query that is cut") {
                _ = try await sample.all.limit(3).joined(to: Team.self) { e, t in e.team == t }.fetch()
            }
        },
        ConformanceCase("join-1.expired", "JOIN-1", "What has expired is in no pair") { environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self, Loan.self) { clock.attach(to: &$0) }
            let soon = clock.now.addingTimeInterval(10)
            try await db.save([Visit("a", rank: 1, until: soon), Visit("b", rank: 2)])
            _ = try await db.save(["a", "b"].map { Loan(name: "of \($0)", holder: $0) })
            let inner = db.query(Loan.self).joined(to: Visit.self) { $0.holder == $1.token }
            let outer = db.query(Loan.self).leftJoined(to: Visit.self) { $0.holder == $1.token }
            try expect(try await inner.fetch().map(\.1.token), equals: ["a", "b"], "before")
            clock.now = soon
            try expect(try await inner.fetch().map(\.1.token), equals: ["b"], "after")
            try expect(try await outer.fetch().map { $0.1?.token }, equals: [nil, "b"], "after, with nil")
            try expect(
                try await outer.select { ($0.name, $1.rank.optional) }.fetch().map(\.1), equals: [nil, 2], "values")
        },
    ]
}
