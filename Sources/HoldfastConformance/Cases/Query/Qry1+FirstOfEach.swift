import Holdfast

extension ConformanceCase {
    static let qry1FirstOfEach: [ConformanceCase] = [
        ConformanceCase(
            "qry-1.first-of-each", "QRY-1", "A query gives the first few objects of each group"
        ) { environment in
            let (db, engineers) = try await openRandom(environment)
            let all = db.query(Engineer.self)
            func firsts<Group: Hashable>(
                _ count: Int, _ objects: [Engineer], _ group: (Engineer) -> Group
            ) -> [Int64?] {
                let chosen = Dictionary(grouping: objects, by: group).values.flatMap { members in
                    members.sorted { ($1.age, $0.id ?? 0) < ($0.age, $1.id ?? 0) }.prefix(count)
                }
                return chosen.map(\.id).sorted { ($0 ?? 0) < ($1 ?? 0) }
            }
            let teams = try await all.first(1, ofEach: { $0.team }, order: { [$0.age.descending] }).fetch()
            try expect(teams.map(\.id), equals: firsts(1, engineers) { $0.team?.id }, "the oldest of each team")
            let grades = all.first(3, ofEach: { $0.grade }, order: { [$0.age.descending] })
            let three = firsts(3, engineers) { $0.grade }
            try expect(try await grades.fetch().map(\.id), equals: three, "three of each grade")
            try expect(try await grades.count(), equals: three.count, "their number")
            try expect(
                try await grades.where { $0.isActive }.fetch().map(\.id),
                equals: firsts(3, engineers.filter(\.isActive)) { $0.grade }, "three of those that meet a condition")
            try expect(
                try await grades.order { [$0.id.descending] }.limit(4).fetch().map(\.id),
                equals: Array(three.reversed().prefix(4)), "the last four of them")
            let both = try await all.first(2, ofEach: { [$0.grade, $0.team] }, order: { [$0.age.descending] }).fetch()
            try expect(
                both.map(\.id), equals: firsts(2, engineers) { [$0.grade.rawValue, "\($0.team?.id ?? 0)"] },
                "two of each grade in each team")
            try expect(
                try await all.first(1, ofEach: { $0.nickname }).fetch().map(\.id),
                equals: try await all.distinct { $0.nickname }.fetch().map(\.id), "one of each is as distinct")
            let none = try await all.first(0, ofEach: { $0.grade }).fetch()
            try expect(none.count, equals: 0, "the number of none of each")
            let names = try await grades.select { $0.id }.fetch()
            try expect(names, equals: three, "values of them")
            try expect(
                try await grades.distinct { $0.team }.count(), equals: Set(engineers.map { $0.team?.id }).count,
                "the number of one of each team, which replaces them")
            for query in [grades, grades.order { [$0.name.descending] }] {
                var (paged, cursor): ([Int64?], PageCursor?) = ([], nil)
                repeat {
                    let page = try await query.page(size: 2, after: cursor)
                    paged += page.objects.map(\.id)
                    cursor = page.next
                } while cursor != nil
                try expect(paged, equals: try await query.fetch().map(\.id), "the pages of them")
            }
            let first = try await all.distinct { $0.grade }.page(size: 2)
            let rest = try await all.distinct { $0.grade }.page(size: 2, after: first.next)
            let distinct = try await all.distinct { $0.grade }.fetch()
            try expect(
                (first.objects + rest.objects).map(\.id), equals: distinct.map(\.id), "the pages of distinct objects")
            try await expect(.invalidValue, from: "fewer than none of each") {
                _ = try await all.first(-1, ofEach: { $0.grade }).fetch()
            }
            _ = try await grades.delete()
            try expect(try await all.count(), equals: engineers.count - three.count, "the number of those left")
        }
    ]
}
