import Foundation
import Holdfast

/// Queries inside of queries.
extension ConformanceCase {
    static let sub1: [ConformanceCase] = [
        ConformanceCase(
            "sub-1.exists", "SUB-1",
            "A condition asks whether there is an object of any type, beside the one asked about"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, reviews, teams) = (sample.engineers, sample.reviews, sample.teams)
            try await sample.check("of another type") { e in
                .exists(Review.self) { $0.author == e && $0.points > e.age }
            } means: { e in
                reviews.contains { $0.author?.id == e.id && $0.points > e.age }
            }
            try await sample.check("of the same type") { e in
                .exists(Engineer.self) { $0.boss == e && $0.age > e.age }
            } means: { e in
                engineers.contains { $0.boss?.id == e.id && $0.age > e.age }
            }
            try await sample.check("two in each other") { e in
                .exists(Engineer.self) { b in
                    b.boss == e && .exists(Review.self) { $0.author == b && $0.points > e.age + 20 }
                }
            } means: { e in
                engineers.contains { b in
                    b.boss?.id == e.id && reviews.contains { $0.author?.id == b.id && $0.points > e.age + 20 }
                }
            }
            try await sample.check("of none") { _ in
                .exists(Team.self) { $0.name == "none" }
            } means: { _ in
                false
            }
            try await sample.check("through relations of both") { e in
                .exists(Team.self) { $0.lead.nickname == e.boss.nickname && $0.name != "Red" }
            } means: { e in
                teams.contains { $0.lead?.nickname == e.boss?.nickname && $0.name != "Red" }
            }
            try await sample.check("with an array of the outer one") { e in
                .exists(Team.self) { t in e.tags.contains { $0 == t.name } && t.members.count > 0 }
            } means: { e in
                teams.contains { t in e.tags.contains(t.name) && !t.members.isEmpty }
            }
            try await sample.check("of a query with a text, an order and an offset") { e in
                .exists(
                    Query(Review.self).where("points >= \(20)").where { $0.author == e }.order(\.points).offset(1))
            } means: { e in
                reviews.filter { $0.author?.id == e.id && $0.points >= 20 }.count > 1
            }
            let bosses = sample.all.where { e in .exists(sample.all.where { $0.boss == e }) }
            try expect(
                try await bosses.keys(), equals: sample.keys { e in engineers.contains { $0.boss?.id == e.id } },
                "a query with itself inside")
        },
        ConformanceCase(
            "sub-1.lists", "SUB-1", "A condition asks whether a value is one of those of a query, nil among them or not"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, reviews) = (sample.engineers, sample.reviews)
            let people = Query(Engineer.self)
            try await sample.check("keys behind a relation") { e in
                e.id.in(Query(Review.self).where { $0.points > 50 }.select { $0.author.id })
            } means: { e in
                reviews.contains { $0.points > 50 && $0.author?.id == e.id }
            }
            try await sample.check("texts that can be nil") {
                $0.nickname.in(people.select(\.nickname))
            } means: { _ in
                true
            }
            try await sample.check("texts without nil") {
                $0.nickname.in(people.where { $0.nickname != nil && $0.age > 10 }.select(\.nickname))
            } means: { e in
                e.nickname != nil && engineers.contains { $0.age > 10 && same($0.nickname, e.nickname) }
            }
            try await sample.check("texts that are never nil") {
                $0.nickname.in(people.where { $0.isActive }.select(\.name))
            } means: { e in
                engineers.contains { $0.isActive && same($0.name, e.nickname) }
            }
            try await sample.check("texts among those that can be nil") {
                $0.name.in(people.where { $0.age > 0 }.select(\.nickname))
            } means: { e in
                engineers.contains { $0.age > 0 && same($0.nickname, e.name) }
            }
            try await sample.check("decimals, dates and others") {
                $0.bonus.in(people.where { $0.age < 30 }.select(\.bonus))
                    && $0.rate.in(people.where { $0.age < 30 }.select(\.rate))
                    && $0.joined.in(people.select(\.joined)) && $0.badge.in(people.select(\.badge))
                    && $0.grade.in(people.where { $0.age < 10 }.select(\.grade))
            } means: { e in
                engineers.contains { $0.age < 30 && $0.bonus == e.bonus } && e.age < 30
                    && engineers.contains { $0.age < 10 && $0.grade == e.grade }
            }
            try await sample.check("the first of an order") {
                $0.age.in(people.order { $0.age.descending }.limit(3).select(\.age))
            } means: { e in
                engineers.map(\.age).sorted(by: >).prefix(3).contains(e.age)
            }
            try await sample.check("what depends on the outer one") { e in
                e.age.in(Query(Review.self).where { $0.author == e }.select { $0.points - 1 })
            } means: { e in
                reviews.contains { $0.author?.id == e.id && $0.points - 1 == e.age }
            }
            try await sample.check("values of groups") {
                $0.team.id.in(people.group { $0.team.id }.having { $0.rowCount > 5 }.select { $0.team.id })
            } means: { e in
                engineers.count { $0.team?.id == e.team?.id } > 5
            }
            try await sample.check("a value of all rows") {
                $0.shoe.in(people.select { $0.shoe.max })
            } means: { e in
                e.shoe == engineers.compactMap(\.shoe).max()
            }
            try await sample.check("targets of a relation") {
                $0.team.in(Query(Team.self).where { $0.city != nil })
            } means: {
                $0.team?.city != nil
            }
            try await sample.check("objects themselves") {
                $0.in(people.order(\.name).limit(7))
            } means: { e in
                engineers.sorted { scalars($0.name).lexicographicallyPrecedes(scalars($1.name)) }.prefix(7)
                    .contains { $0.id == e.id }
            }
        },
        ConformanceCase(
            "sub-1.values", "SUB-1", "The value of a query is selected, compared, computed with and ordered by"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, reviews) = (sample.engineers, sample.reviews)
            func own(_ e: Engineer) -> [Review] { reviews.filter { $0.author?.id == e.id } }
            func sum(_ e: Engineer) -> Int64? {
                own(e).isEmpty ? nil : Int64(own(e).reduce(0) { $0 + $1.points })
            }
            let rows = try await sample.all.select { e in
                (
                    e.id, Query(Review.self).where { $0.author == e }.select { $0.points.sum }.value,
                    Query(Engineer.self).where { $0.boss == e }.rowCount,
                    Query(Engineer.self).where { $0.boss == e }.select { $0.salary.max }.value
                )
            }.fetch()
            try expect(rows.map(\.0), equals: engineers.map(\.id), "the keys")
            try expect(rows.map(\.1), equals: engineers.map(sum), "sums")
            try expect(
                rows.map(\.2), equals: engineers.map { e in engineers.count { $0.boss?.id == e.id } }, "counts")
            try expect(
                rows.map(\.3),
                equals: engineers.map { e in engineers.filter { $0.boss?.id == e.id }.map(\.salary).max() }, "maxima")
            let total = try await sample.all.select { e in
                Query(Review.self).where { $0.author == e }.rowCount.sum
            }.first()
            try expect(total, equals: Int64(engineers.reduce(0) { $0 + own($1).count }), "the sum of counts")
            let words = try await sample.all.select { e in
                Query(Review.self).where { $0.author == e }.order { $0.points.descending }.select(\.words).value
            }.fetch()
            try expect(
                words, equals: engineers.map { own($0).max { $0.points < $1.points }?.words ?? nil },
                "the first in an order")
            try await sample.check("a sum that is compared") { e in
                (Query(Review.self).where { $0.author == e }.select { $0.points.sum }.value ?? 0) + 1 > 60
            } means: {
                (sum($0) ?? 0) + 1 > 60
            }
            try await sample.check("none") { e in
                Query(Review.self).where { $0.author == e }.select(\.points).value == nil
            } means: {
                own($0).isEmpty
            }
            try await sample.check("texts that are the same") { e in
                Query(Engineer.self).where { $0.id == e.boss.id }.select(\.nickname).value == e.boss.nickname
            } means: { _ in
                true
            }
            let ordered = sample.all.order { e in
                [
                    Query(Engineer.self).where { $0.boss == e }.rowCount.descending,
                    Query(Review.self).where { $0.author == e }.select { $0.points.sum }.value.ascending,
                ]
            }
            let expected = engineers.sorted { left, right in
                func rank(_ e: Engineer) -> (Int, Int64, Int64) {
                    (-engineers.count { $0.boss?.id == e.id }, sum(e) ?? .min, e.id ?? 0)
                }
                return rank(left) < rank(right)
            }.map(\.id)
            try expect(try await ordered.fetch().map(\.id), equals: expected, "an order")
            var (paged, cursor): ([Int64?], PageCursor?) = ([], nil)
            repeat {
                let page = try await ordered.page(size: 7, after: cursor)
                paged += page.objects.map(\.id)
                cursor = page.next
            } while cursor != nil
            try expect(paged, equals: expected, "pages")
        },
        ConformanceCase(
            "sub-1.changes", "SUB-1", "Bulk updates and deletions have queries inside"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (engineers, reviews) = (sample.engineers, sample.reviews)
            try await sample.db.query(Team.self).update { team in
                let id = team.id.current
                team.city.set(Query(Engineer.self).where { $0.team.id == id }.order(\.name).select { $0.name }.value)
            }
            let cities = try await sample.db.query(Team.self).select { $0.city }.fetch()
            try expect(
                cities.map { $0.map { Array($0.utf8) } },
                equals: sample.teams.map { team in
                    engineers.filter { $0.team?.id == team.id }.map(\.name)
                        .min { scalars($0).lexicographicallyPrecedes(scalars($1)) }.map { Array($0.utf8) }
                }, "what is computed of other rows")
            let count = try await sample.all.where { e in !.exists(Review.self) { $0.author == e } }.update {
                $0.shoe.set(-9)
            }
            let without = sample.keys { e in !reviews.contains { $0.author?.id == e.id } }
            try expect(count, equals: without.count, "the number of updated rows")
            try expect(try await sample.all.where { $0.shoe == -9 }.keys(), equals: without, "the updated rows")
            let gone = try await sample.db.query(Review.self).where { r in
                .exists(Engineer.self) { $0 == r.author && $0.age > 20 }
            }.delete()
            try expect(gone, equals: reviews.count { ($0.author?.age ?? 0) > 20 }, "the number of deleted objects")
        },
        ConformanceCase(
            "sub-1.observed", "SUB-1", "An observed query has another result when what is read inside of it changes",
            level: .graph
        ) { environment in
            let db = try await environment.open(Visit.self, Loan.self)
            _ = try await db.save([Loan(name: "of a", holder: "a"), Loan(name: "of b", holder: "b")])
            try await db.save(Visit("b", rank: 1))
            var others = db.query(Loan.self).where { loan in .exists(Visit.self) { $0.token == loan.holder } }.observe()
                .makeAsyncIterator()
            var loans = try expect(some: try await others.next(), "the first result").objects
            try expect(loans.map(\.name), equals: ["of b"], "before another row of the other type")
            try await db.save(Visit("a", rank: 5))
            loans = try expect(some: try await others.next(), "the result after it").objects
            try expect(loans.map(\.name), equals: ["of a", "of b"], "after it")
            var same = db.query(Visit.self).where { v in
                v.token == "a" && !.exists(Visit.self) { $0.rank > v.rank }
            }.observe().makeAsyncIterator()
            var visits = try expect(some: try await same.next(), "the first result of one type").objects
            try expect(visits.map(\.token), equals: ["a"], "before another row of the same type")
            try await db.save(Visit("c", rank: 9))
            visits = try expect(some: try await same.next(), "the result of one type after it").objects
            try expect(visits.map(\.token), equals: [], "after another row of the same type")
        },
        ConformanceCase(
            "sub-1.refused", "SUB-1", "What would mean something else in a query inside of a query throws"
        ) { environment in
            let sample = try await InnerSample(environment)
            let all = sample.all
            let columns = Columns<Engineer>()
            try await expect(.invalidValue, from: "columns that don't say whose they are") {
                _ = try await all.where(.exists(Review.self) { $0.points > columns.age }).fetch()
            }
            try expect(
                try await all.where(columns.age > 20).keys(), equals: sample.keys { $0.age > 20 },
                "such columns of the query itself")
            try await expect(.unsupported, from: "an aggregate of another query's values") {
                _ = try await all.select { e in Query(Review.self).select { _ in e.age.sum }.value }.fetch()
            }
            try await expect(.unsupported, from: "what depends on each row of a group") {
                _ = try await all.group { $0.grade }.select { e in
                    (e.grade, Query(Review.self).where { $0.points > e.age }.rowCount)
                }.fetch()
            }
            let counts = try await all.select { e in Query(Review.self).where { $0.author == e }.rowCount }.distinct()
                .fetch()
            let own = sample.engineers.map { e in sample.reviews.count { $0.author?.id == e.id } }
            try expect(counts, equals: Set(own).sorted(), "different values of what depends on each row")
            let groups = try await all.group { $0.grade }.select { ($0.grade, Query(Review.self).rowCount) }.fetch()
            try expect(groups.map(\.1), equals: [Int](repeating: sample.reviews.count, count: 3), "what does not")
            try await expect(.unsupported, from: "objects of groups") {
                _ = try await all.where(.exists(Query(Review.self).group { $0.points })).fetch()
            }
            try await expect(.syntax, from: "an unknown name") {
                _ = try await all.where(.exists(Query(Review.self).where("nothing > 3"))).fetch()
            }
            try await expect(.invalidValue, from: "a limit below 0") {
                _ = try await all.where(.exists(Query(Review.self).limit(-1))).fetch()
            }
            try expect(
                try await all.where(.exists(Query(Review.self).limit(0))).count(), equals: 0, "a limit of 0")
            var nested = Query(Engineer.self)
            for _ in 0..<1_200 { nested = Query(Engineer.self).where(.exists(nested)) }
            try await expect(.invalidValue, from: "too many in each other") {
                _ = try await nested.on(sample.db).fetch()
            }
        },
        ConformanceCase(
            "sub-1.left-out", "SUB-1",
            "Queries inside find what they find by themselves: not what is left out or expired"
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self, Loan.self, Writer.self) { clock.attach(to: &$0) }
            let soon = clock.now.addingTimeInterval(10)
            try await db.save([Visit("a", rank: 1, until: soon), Visit("b", rank: 2), Visit("c", rank: 4, until: soon)])
            _ = try await db.save(
                ["a", "b", "z"].map { Loan(name: "of \($0)", holder: $0, until: $0 == "z" ? soon : nil) })
            let held = db.query(Loan.self).where { loan in .exists(Visit.self) { $0.token == loan.holder } }
            let listed = db.query(Loan.self).where { !$0.holder.in(Query(Visit.self).select(\.token)) }
            let sums = db.query(Loan.self).select { loan in
                (loan.name, Query(Visit.self).where { $0.rank > 0 && $0.token >= loan.holder }.select(\.rank.sum).value)
            }
            try expect(try await held.fetch().map(\.holder), equals: ["a", "b"], "before it expires")
            try expect(try await sums.fetch().map(\.1), equals: [7, 6, nil], "sums, before")
            clock.now = soon
            try expect(try await held.fetch().map(\.holder), equals: ["b"], "after it has expired")
            try expect(try await listed.fetch().map(\.holder), equals: ["a"], "what is not in the list")
            try expect(try await sums.fetch().map(\.1), equals: [2, 2], "sums, after")
            try await db.save([Writer("Ann", rank: 1), Writer(nil, rank: 2)])
            func isThere(_ rank: Int) async throws -> Bool {
                try await db.query(Loan.self).where(.exists(Writer.self) { $0.rank == rank }).exists()
            }
            try expect(try await isThere(1), "What is complete is there.")
            try expect(try await !isThere(2), "What is left out is not there.")
            let count = try await db.query(Loan.self).select { _ in Query(Writer.self).rowCount }.first()
            try expect(count, equals: try await db.query(Writer.self).count(), "the count of what is given")
        },
    ]
}

/// Texts by their code points, which Swift calls equal in other forms, too.
private func same(_ left: String?, _ right: String?) -> Bool {
    left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
}

private func scalars(_ text: String) -> String.UnicodeScalarView { text.unicodeScalars }

/// The sample of engineers, with what queries inside of queries find.
struct InnerSample {
    let db: Database
    let engineers: [Engineer]
    let reviews: [Review]
    let teams: [Team]

    init(_ environment: ConformanceEnvironment) async throws {
        (db, engineers) = try await ConformanceCase.openSample(environment)
        reviews = try await db.fetch(Review.self)
        teams = try await db.fetch(Team.self)
    }

    var all: Query<Engineer> { db.query(Engineer.self) }

    func keys(_ meaning: (Engineer) -> Bool) -> [Key] {
        engineers.filter(meaning).compactMap { $0.id.map { Key($0) } }
    }

    /// Asks for a condition and its negation.
    func check(
        _ what: String, _ condition: (Columns<Engineer>) -> Condition, means meaning: (Engineer) -> Bool
    ) async throws {
        try expect(try await all.where(condition).keys(), equals: keys(meaning), "\(what)")
        let others = try await all.where { !condition($0) }.keys()
        try expect(others, equals: keys { !meaning($0) }, "the negation: \(what)")
    }
}
