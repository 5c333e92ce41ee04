import Holdfast

/// Lists that are empty, and pages of other queries.
extension ConformanceCase {
    static let queryLists: [ConformanceCase] = [
        ConformanceCase(
            "op-query.empty-lists", "OP-QUERY",
            "A list that is empty means nothing asked for, or is refused before anything is sent"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let ids = engineers.map(\.id)
            try await expect(.invalidValue, from: "objects that differ in nothing") {
                _ = try await all.distinct(by: []).fetch()
            }
            try await expect(.invalidValue, from: "setting nothing") { _ = try await all.update { _ in } }
            try await expect(.invalidValue, from: "selecting nothing at all") {
                _ = try await all.select { _ in }.fetch()
            }
            try await expect(.invalidValue, from: "distinct nothing") {
                _ = try await all.select { _ in }.distinct().fetch()
            }
            struct Nothing: Decodable {}
            try await expect(.invalidValue, from: "selecting nothing") {
                _ = try await all.select(as: Nothing.self) { _ in [:] }.fetch()
            }
            try await expect(.invalidValue, .conflict, .unsupported, from: "an index of nothing") {
                try await db.migrate(Schema(Team.self).indexing(Team.self, by: .index()))
            }
            try await expect(.notFound, from: "dropping an index of nothing") { try await db.dropIndex(on: Team.self) }
            try await expect(.invalidValue, from: "a key of nothing") {
                _ = try await db.find(Engineer.self, key: Key())
            }
            for query in [all.order { _ in [] }, all.order(by: []), all.including([]), all.where(.all([]))] {
                try expect(try await query.fetch().map(\.id), equals: ids, "the objects")
            }
            let none: [Int64] = []
            try expect(try await all.where { $0.in(keys: none) }.count(), equals: 0, "those with none of the keys")
            try expect(try await all.where { $0.age.in([]) }.count(), equals: 0, "those with none of the values")
            try expect(try await all.where(.any([])).count(), equals: 0, "those of no condition")
            try expect(try await db.fetch(Engineer.self, keys: none).count, equals: 0, "the objects of no keys")
            try await db.save([Engineer]())
            try await db.delete([Engineer]())
            try expect(try await all.count(), equals: ids.count, "the number of objects after all")
        },
        ConformanceCase(
            "qry-1.distinct-targets", "QRY-1", "Of those with the same target of a relation, one is given"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            var seen = Set<Int64?>()
            let expected = engineers.filter { seen.insert($0.boss?.id).inserted }.map(\.id)
            let found = try await db.query(Engineer.self).distinct { $0.boss }.fetch().map(\.id)
            try expect(found, equals: expected, "the first of each boss")
            seen = []
            let last = engineers.reversed().filter { seen.insert($0.boss?.id).inserted }.map(\.id)
            let kept = try await db.query(Engineer.self).distinct {
                $0.boss
            } keeping: {
                [$0.id.descending]
            }.fetch()
            try expect(Set(kept.map(\.id)), equals: Set(last), "the last of each boss")
        },
        ConformanceCase(
            "op-query.pages-of-others", "OP-QUERY",
            "A page begins after a cursor of the same order and table, whatever the conditions, and after no other"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try await db.save((0..<4).map { Team("\($0)") })
            let cursor = try expect(some: try await all.order(\.name).page(size: 2).next, "the next page")
            let sent = try expect(some: PageCursor(token: cursor.token), "a cursor that was sent")
            try expect(sent == cursor, "A token stands for its cursor.")
            let others: [(String, Query<Engineer>)] = [
                ("another property", all.order(\.nickname)),
                ("another direction", all.order(\.name, .descending)),
                ("nils at another end", all.order { [$0.name.ascending.nulls(.last)] }),
                ("any case", all.order { [$0.name.ascending.ignoringCase] }),
                ("what is computed", all.order { ($0.name + "!").ascending }),
                ("a relation", all.order(\.boss.name)),
                ("no order", all),
            ]
            for (name, query) in others {
                try await expect(.invalidValue, from: "a page after a cursor of another order: \(name)") {
                    _ = try await query.page(size: 2, after: sent)
                }
            }
            let computed = try await all.order { ($0.age + 1).ascending }.page(size: 2)
            try await expect(.invalidValue, from: "a page by another constant") {
                _ = try await all.order { ($0.age + 2).ascending }.page(size: 2, after: computed.next)
            }
            try await expect(.invalidValue, from: "a page of another type") {
                _ = try await db.query(Team.self).order(\.name).page(size: 2, after: sent)
            }
            let some = all.order(\.name).where { $0.age > 0 }
            let rest = try await some.page(size: 100, after: sent).objects.map(\.id)
            let after = try await all.order(\.name).page(size: 100, after: sent).objects.filter { $0.age > 0 }.map(\.id)
            try expect(rest, equals: after, "a page with another condition")
            // Those of earlier versions began with the number of their values.
            try expect(PageCursor(token: "AQIAAAAAAwAAAAAAAAA") == nil, "A token of an earlier version is taken.")
        },
    ]
}
