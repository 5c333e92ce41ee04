import Foundation
import Holdfast

/// What is deleted with an object whose row is only marked.
extension ConformanceCase {
    static let del3: [ConformanceCase] = [
        ConformanceCase(
            "del-3.owned", "DEL-3", "What an object owns is marked with it, and restored with it", level: .graph
        ) { environment in
            let (db, binder) = try await openBinder(environment)
            // One that was deleted before stays so.
            try await db.delete(binder.sheets[0])
            try expect(try await db.delete(binder), equals: 1, "a deletion")
            try expect(try await db.count(Leaf.self), equals: 0, "sheets")
            try expect(binder.sheets[1].removedAt, equals: binder.deletedAt, "the time in what it owns")
            try expect(try await db.count(Clip.self), equals: 2, "what has no time of deletion")
            try expect(
                try await db.numbers("SELECT count(*) FROM clip WHERE binder_id IS NOT NULL"), equals: [2],
                "what still leads to the binder")
            try expect(try await db.restore(binder), equals: 1, "a restoration")
            try expect(binder.sheets[1].removedAt == nil, "What came back does not know of it.")
            binder.sheets[1].text = "second"
            try await db.save(binder.sheets[1])
            let found = try await db.query(Binder.self).one()
            try expect(found.sheets.map(\.text), equals: ["second", "3"], "the sheets that came back")
            try expect(found.clips.map(\.size).sorted(), equals: [1, 2], "the clips")
            try expect(found.sheets.map(\.version), equals: [3, 2], "versions")
            try expect(try await db.query(Leaf.self).restore(), equals: 1, "the sheet that was deleted by itself")
        },
        ConformanceCase(
            "del-3.queries", "DEL-3", "Queries mark and restore what objects own with them", level: .graph
        ) { environment in
            let (db, _) = try await openBinder(environment)
            try expect(try await db.query(Binder.self).delete(), equals: 1, "a deletion by a query")
            try expect(try await db.query(Leaf.self).onlyDeleted().count(), equals: 3, "the sheets that went with it")
            try expect(try await db.query(Binder.self).restore(), equals: 1, "a restoration by a query")
            try expect(try await db.count(Leaf.self), equals: 3, "the sheets that came back with it")
        },
        ConformanceCase("del-3.choice", "DEL-3", "A caller chooses what is marked with an object", level: .graph) {
            environment in
            let (db, binder) = try await openBinder(environment)
            try await db.delete(binder, keeping: [\.sheets])
            try expect(try await db.count(Leaf.self), equals: 3, "sheets that were kept")
            try await db.restore(binder)
            try expect(try await db.query(Binder.self).one().sheets.count, equals: 3, "the sheets that it has again")
            try await expect(.unsupported, from: "a deletion that includes what can't be marked") {
                try await db.delete(binder, including: ["clips"])
            }
            try expect(try await db.count(Binder.self), equals: 1, "binders after what was refused")
            try await db.delete(binder, including: ["clips"], permanently: true)
            try expect(try await db.number("SELECT count(*) FROM leaf"), equals: 0, "sheets")
            try expect(try await db.number("SELECT count(*) FROM clip"), equals: 0, "clips")
        },
        ConformanceCase(
            "del-3.refused", "DEL-3", "Types that would lose what is only marked, or never restore it, are refused",
            level: .graph
        ) { environment in
            let error = try await expect(.conflict, from: "a struct that would forget a reference") {
                _ = try await environment.open(RefusedMarks.Forgetful.self)
            }
            try expect(error.message.contains("Reference<Binder>"), "What helps? \(error)")
            try await expect(.conflict, from: "times that are stored in two ways") {
                _ = try await environment.open(RefusedMarks.Crate.self)
            }
            try await expect(.conflict, from: "links that are only marked") {
                _ = try await environment.open(RefusedMarks.Patron.self)
            }
        },
        ConformanceCase(
            "del-3.hooks", "DEL-3", "The hooks of what an object owns are called by a mark, and when the row goes",
            level: .graph
        ) { environment in
            let db = try await environment.open(Folio.self, Note.self)
            let folio = Folio()
            folio.plates = [Plate("p")]
            try await db.save(folio)
            folio.plates[0].folio = nil
            for (count, isPermanent) in [(1, false), (2, true)] {
                let query = isPermanent ? db.query(Folio.self).onlyDeleted() : db.query(Folio.self)
                try expect(try await query.delete(permanently: isPermanent), equals: 1, "a deletion")
                try expect(
                    try await db.texts("SELECT title FROM note"),
                    equals: Array(repeating: "will delete p", count: count), "the hooks")
            }
            try expect(try await db.number("SELECT count(*) FROM plate"), equals: 0, "what it owned")
        },
        ConformanceCase("del-3.denied", "DEL-3", "What denies a deletion denies it also by a mark", level: .graph) {
            environment in
            let (db, binder) = try await openBinder(environment)
            let seal = Seal()
            seal.binder = binder
            try await db.save(seal)
            try await expect(.foreignKeyViolation, from: "a deletion that is denied") { try await db.delete(binder) }
            try await expect(.foreignKeyViolation, from: "one by a query") {
                _ = try await db.query(Binder.self).delete()
            }
            try expect(try await db.count(Leaf.self), equals: 3, "sheets")
            try expect(binder.deletedAt == nil, "An object was marked by a deletion that failed.")
            try await db.delete(seal)
            try expect(try await db.delete(binder), equals: 1, "a deletion once what denied it is deleted")
            try expect(try await db.count(Binder.self), equals: 0, "binders")
        },
        ConformanceCase("del-3.permanent", "DEL-3", "A permanent deletion takes marked rows along", level: .graph) {
            environment in
            let (db, binder) = try await openBinder(environment)
            try await db.delete(binder.sheets[0])
            try await db.delete(binder)
            try expect(
                try await db.query(Binder.self).onlyDeleted().delete(permanently: true), equals: 1, "a deletion")
            try expect(try await db.number("SELECT count(*) FROM binder"), equals: 0, "binders")
            try expect(try await db.number("SELECT count(*) FROM leaf"), equals: 0, "sheets")
            try expect(try await db.number("SELECT count(*) FROM clip"), equals: 0, "clips")
        },
    ]

    /// Opens a database with a binder of three sheets and two clips.
    private static func openBinder(_ environment: ConformanceEnvironment) async throws -> (Database, Binder) {
        let db = try await environment.open(Binder.self, Leaf.self, Clip.self, Seal.self)
        let binder = Binder("a")
        binder.sheets = [Leaf("1"), Leaf("2"), Leaf("3")]
        binder.clips = [Clip(1), Clip(2)]
        try await db.save(binder)
        return (db, binder)
    }
}
