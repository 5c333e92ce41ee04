import Foundation
import Holdfast

/// What reads find of rows that are marked as deleted.
extension ConformanceCase {
    static let del1: [ConformanceCase] = [
        ConformanceCase("del-1.reads", "DEL-1", "No operation reads or counts what is deleted") { environment in
            let (db, drafts) = try await openDrafts(environment)
            let all = db.query(Draft.self)
            try expect(try await db.find(Draft.self, key: try key(drafts[0])) == nil, "A find gives what is deleted.")
            try expect(try await db.fetch(Draft.self).map(\.title), equals: ["3", "4", "5"], "a fetch")
            try expect(try await db.count(Draft.self), equals: 3, "a count of the type")
            try expect(
                try await db.fetch(Draft.self, keys: drafts.map { try key($0) }).count, equals: 3, "a find of several")
            try expect(try await all.fetch().map(\.title), equals: ["3", "4", "5"], "a query")
            try expect(try await all.order { $0.rank.ascending }.limit(1).fetch().map(\.rank), equals: [3], "the first")
            try expect(try await all.where { $0.rank < 3 }.count(), equals: 0, "a count with a condition")
            try expect(try await !all.where { $0.rank == 1 }.exists(), "Something that is deleted exists.")
            try expect(try await all.keys().count, equals: 3, "the keys")
            try expect(try await all.page(size: 2).objects.map(\.title), equals: ["3", "4"], "a page")
            var streamed: [String] = []
            for try await draft in all.stream() { streamed.append(draft.title) }
            try expect(streamed, equals: ["3", "4", "5"], "a stream")
            try await expect(.notFound, from: "a reload") { try await db.reload(drafts[0]) }
            try expect(
                try await db.number("SELECT count(*) FROM draft"), equals: 6, "what SQL of one's own sees")
        },
        ConformanceCase("del-1.values", "DEL-1", "No sum, selection or condition sees what is deleted") {
            environment in
            let (db, _) = try await openDrafts(environment)
            let all = db.query(Draft.self)
            try expect(try await all.sum { $0.rank }, equals: 12, "a sum")
            try expect(try await all.min { $0.rank }, equals: 3, "a minimum")
            try expect(try await all.select { $0.rank }.fetch(), equals: [3, 4, 5], "a selection")
            try expect(try await all.where { $0.tags.contains("t") }.count(), equals: 3, "a condition about an array")
            try expect(
                try await all.distinct { $0.tags.count }.fetch().map(\.title), equals: ["3"], "one of each group")
            try expect(
                try await all.where { $0.rank.in(db.query(Draft.self).select { $0.rank }) }.count(), equals: 3,
                "a query inside")
            try expect(
                try await all.where { $0.rank < 4 }.union(all.where { $0.rank > 4 }).fetch().map(\.rank),
                equals: [3, 5], "a union")
            try expect(
                try await all.joined(to: Draft.self) { $0.tags.count == $1.tags.count }.fetch().count, equals: 9,
                "pairs")
        },
        ConformanceCase("del-1.pairs", "DEL-1", "Pairs have what is deleted on the side whose query asks for it") {
            environment in
            let (db, _) = try await openDrafts(environment)
            for (query, title) in [
                (db.query(Draft.self).includingDeleted(), "all"), (db.query(Draft.self).onlyDeleted(), "deleted ones"),
            ] {
                let lefts = try await query.order(\.rank).fetch().map(\.rank)
                let expected = lefts.flatMap { left in [3, 4, 5].map { "\(left) \($0)" } }.sorted()
                let pairs = query.joined(to: Draft.self) { $0.tags.count == $1.tags.count }
                func texts(_ found: [(Draft, Draft)]) -> [String] { found.map { "\($0.rank) \($1.rank)" }.sorted() }
                try expect(texts(try await pairs.fetch()), equals: expected, "pairs of \(title)")
                var streamed: [(Draft, Draft)] = []
                for try await pair in pairs.stream() { streamed.append(pair) }
                try expect(texts(streamed), equals: expected, "pairs of \(title) in a stream")
                let page = try await pairs.page(size: 100)
                try expect(texts(page.pairs), equals: expected, "pairs of \(title) in a page")
            }
        },
        ConformanceCase("del-1.found", "DEL-1", "Queries find what is deleted where they are asked to") {
            environment in
            let (db, drafts) = try await openDrafts(environment)
            let all = db.query(Draft.self).includingDeleted()
            let bin = db.query(Draft.self).onlyDeleted()
            try expect(try await all.fetch().map(\.rank), equals: [0, 1, 2, 3, 4, 5], "all")
            try expect(try await bin.fetch().map(\.rank), equals: [0, 1, 2], "what is deleted")
            try expect(try await bin.fetch().first?.tags, equals: ["t"], "an array of what is deleted")
            try expect(try await all.where { $0.deletedAt == nil }.count(), equals: 3, "what is not")
            try expect(
                try await bin.where { $0.deletedAt <= Date().addingTimeInterval(60) }.count(), equals: 3, "dates")
            try expect(try await bin.order { $0.rank.descending }.limit(2).keys().count, equals: 2, "keys")
            try expect(try await bin.sum { $0.rank }, equals: 3, "a sum")
            try expect(try await bin.page(size: 2).objects.map(\.rank), equals: [0, 1], "a page")
            try expect(try await all.distinct { $0.tags.count }.fetch().map(\.rank), equals: [0], "one of each group")
            try expect(
                try await db.query(Draft.self).where { $0.rank.in(bin.select { $0.rank }) }.count(), equals: 0,
                "what is there, by what is deleted")
            try expect(
                try await all.where { $0.rank.in(bin.select { $0.rank }) }.count(), equals: 3, "a query inside")
            try expect(drafts[0].deletedAt != nil, "An object does not know that it was deleted.")
            let stubs = db.query(Rack.self)
            try expect(try await stubs.includingDeleted().count(), equals: 0, "objects that are never marked")
            try await expect(.unsupported, from: "the deleted ones of a type without a time") {
                _ = try await stubs.onlyDeleted().count()
            }
        },
        ConformanceCase("del-1.sets", "DEL-1", "Sets of queries find what each of them finds") { environment in
            let (db, _) = try await openDrafts(environment)
            let (there, bin) = (db.query(Draft.self), db.query(Draft.self).onlyDeleted())
            let all = db.query(Draft.self).includingDeleted()
            func ranks(_ query: Query<Draft>) async throws -> [Int] { try await query.fetch().map(\.rank) }
            try expect(try await ranks(there.where { $0.rank > 4 }.union(bin)), equals: [0, 1, 2, 5], "both")
            try expect(try await ranks(bin.union(there.where { $0.rank > 4 })), equals: [0, 1, 2, 5], "both, turned")
            try expect(try await ranks(all.intersection(bin)), equals: [0, 1, 2], "what all has of the bin")
            try expect(try await ranks(there.intersection(bin)), equals: [], "what is there and in the bin")
            try expect(try await ranks(all.subtracting(there)), equals: [0, 1, 2], "what is not there")
            try expect(try await ranks(all.subtracting(bin)), equals: [3, 4, 5], "what is not in the bin")
            try expect(try await ranks(there.subtracting(bin)), equals: [3, 4, 5], "what is there")
            try expect(
                try await ranks(bin.order { $0.rank.descending }.limit(1).union(there.limit(1))), equals: [2, 3],
                "the firsts of both")
        },
        ConformanceCase("del-1.relations", "DEL-1", "Relations lead to nothing that is deleted", level: .graph) {
            environment in
            let (db, old) = try await openRacks(environment)
            let racks = db.query(Rack.self)
            let found = try await db.fetch(Rack.self)
            try expect(found.map { $0.main?.name }, equals: [nil, "new"], "references")
            try expect(found[0].others.map(\.name), equals: ["new", "new"], "an array")
            try expect(try await found[0].lazy?.load(from: db) == nil, "A lazy reference leads to what is deleted.")
            let shallow = try await racks.depth(0).fetch()
            try await db.loadRelation(\.main, of: shallow)
            try await db.loadRelation(\.others, of: shallow)
            try expect(shallow.map { $0.main?.name }, equals: [nil, "new"], "references that are loaded later")
            try expect(shallow[0].others.map(\.name), equals: ["new", "new"], "an array that is loaded later")
            try expect(try await db.fetch(Spine.self).map(\.text), equals: ["b"], "what can't be without a binder")
            try expect(try await db.count(Spine.self), equals: 1, "how many there are")
            // Nothing is lost: a restoration gives all of it back.
            found[0].name = "North"
            try await db.save(found[0])
            try await db.restore(old)
            let again = try await db.query(Rack.self).fetch()
            try expect(again.map { $0.main?.name }, equals: ["old", "new"], "references, after it was restored")
            try expect(again[0].others.map(\.name), equals: ["new", "old", "new"], "an array, after it was restored")
            try expect(try await db.fetch(Spine.self).map(\.text), equals: ["a", "b"], "what needs it, afterwards")
        },
        ConformanceCase(
            "del-1.relation-conditions", "DEL-1", "Conditions and counts along relations see nothing that is deleted",
            level: .graph
        ) { environment in
            let (db, old) = try await openRacks(environment)
            let racks = db.query(Rack.self)
            try expect(try await racks.where { $0.main.name == "old" }.count(), equals: 0, "a condition on a reference")
            try expect(try await racks.where { $0.main == nil }.count(), equals: 1, "racks without a binder")
            try expect(try await racks.where { $0.main != nil }.count(), equals: 1, "racks with a binder")
            try expect(try await racks.where { $0.main == old }.count(), equals: 0, "racks of the binder itself")
            try expect(
                try await racks.where { $0.others.contains { $0.name == "old" } }.count(), equals: 0,
                "a condition on an array")
            try expect(try await racks.where { $0.others.count == 2 }.count(), equals: 1, "a count of elements")
            try expect(
                try await racks.order { $0.main.name.descending }.fetch().map(\.name), equals: ["south", "north"],
                "an order by a reference")
            let binders = db.query(Binder.self)
            try expect(try await binders.where { $0.sheets.count == 0 }.count(), equals: 2, "binders without sheets")
            try expect(
                try await binders.descendants(of: old, via: \.parent).count(), equals: 0, "what is below it")
            try expect(
                try await binders.includingDeleted().where { $0.name == "old" && $0.sheets.count == 0 }.count(),
                equals: 1, "a deleted binder, whose sheets are deleted, too")
        },
    ]

    /// Opens a database with six drafts, of which the first three are deleted.
    static func openDrafts(_ environment: ConformanceEnvironment) async throws -> (Database, [Draft]) {
        let db = try await environment.open(Draft.self, Rack.self)
        let drafts = (0..<6).map { Draft("\($0)", rank: $0, tags: ["t"]) }
        try await db.save(drafts)
        try expect(try await db.delete(drafts[0]), equals: 1, "a deletion")
        try expect(try await db.delete([drafts[1], drafts[2]]), equals: 2, "a deletion of several")
        return (db, drafts)
    }

    static func key(_ draft: Draft) throws -> Int64 { try expect(some: draft.id, "the key of a draft") }

    /// Opens a database with two racks, of which the first leads to a deleted binder.
    private static func openRacks(_ environment: ConformanceEnvironment) async throws -> (Database, old: Binder) {
        let db = try await environment.open(
            Rack.self, Binder.self, Leaf.self, Clip.self, Seal.self, Spine.self)
        let (rack, other) = (Rack("north"), Rack("south"))
        let (old, new) = (Binder("old"), Binder("new"))
        let below = Binder("below", parent: old)
        (rack.main, other.main) = (old, new)
        rack.others = [new, old, new]
        old.sheets = [Leaf("1")]
        try await db.save([rack, other])
        try await db.save(below)
        try await db.save([Spine("a", of: old), Spine("b", of: new)])
        rack.lazy = Reference(old)
        try await db.save(rack)
        try expect(try await db.query(Rack.self).where { $0.main.name == "old" }.count(), equals: 1, "racks at first")
        try await db.delete(try await db.query(Binder.self).where { $0.name == "old" }.one())
        return (db, old)
    }
}
