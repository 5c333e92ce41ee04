import Foundation
import Holdfast

/// What writes do to rows that are marked as deleted.
extension ConformanceCase {
    static let del2: [ConformanceCase] = [
        ConformanceCase("del-2.delete", "DEL-2", "A deletion marks rows once, and counts up their versions") {
            environment in
            let (db, drafts) = try await openDrafts(environment)
            let all = db.query(Draft.self)
            let first = try await db.query(Draft.self).onlyDeleted().order(\.id).fetch()[0]
            try expect(first.version, equals: 1, "the version of what was deleted")
            try expect(first.deletedAt, equals: drafts[0].deletedAt, "the time in the object, and in the row")
            try expect(try await db.delete(drafts[0]), equals: 0, "a second deletion")
            try expect(try await db.delete([drafts[1], drafts[5]]), equals: 1, "a deletion of one that is there")
            try expect(try await all.where { $0.rank < 4 }.delete(), equals: 1, "a deletion by a query")
            try expect(
                try await all.includingDeleted().where { $0.rank < 2 }.delete(), equals: 0, "one of what is gone")
            try await expect(.unsupported, from: "a second deletion by a query") {
                _ = try await all.onlyDeleted().delete()
            }
            try expect(
                try await db.query(Draft.self).onlyDeleted().order(\.id).fetch()[0].deletedAt, equals: first.deletedAt,
                "the time of the first deletion")
            try expect(try await all.order(\.rank, .descending).limit(1).delete(), equals: 1, "a deletion of the last")
            try expect(try await db.deleteAll(Draft.self), equals: 0, "a deletion of all")
            try expect(try await db.number("SELECT count(*) FROM draft"), equals: 6, "the rows that stay")
        },
        ConformanceCase("del-2.stale", "DEL-2", "A deletion of an old version is refused") { environment in
            let (db, drafts) = try await openDrafts(environment)
            let other = try await environment.open()
            let copy = try expect(some: try await other.find(Draft.self, key: try key(drafts[3])), "a draft")
            copy.rank = 30
            try await other.save(copy)
            try await expect(.staleVersion, from: "a deletion of what has changed") { try await db.delete(drafts[3]) }
            try expect(drafts[3].deletedAt == nil, "An object was marked by a deletion that failed.")
            try await other.delete(copy)
            drafts[3].rank = 31
            try await expect(.staleVersion, .notFound, from: "a save of what another has deleted") {
                try await db.save(drafts[3])
            }
            try expect(try await other.restore(copy), equals: 1, "a restoration")
            copy.rank = 32
            try await other.save(copy)
            try await db.reload(drafts[3])
            try expect(drafts[3].rank, equals: 32, "what was saved after the restoration")
            try expect(drafts[3].version, equals: 4, "the version, counted by two saves and by what came between")
        },
        ConformanceCase("del-2.restore", "DEL-2", "What is restored is as it was") { environment in
            let (db, drafts) = try await openDrafts(environment)
            try expect(try await db.restore(drafts[0]), equals: 1, "a restoration")
            try expect(drafts[0].deletedAt == nil, "The object has the time of a deletion that is undone.")
            drafts[0].rank = 9
            try await db.save(drafts[0])
            let found = try expect(some: try await db.find(Draft.self, key: try key(drafts[0])), "what was restored")
            try expect(found.rank, equals: 9, "what was saved then")
            try expect(found.tags, equals: ["t"], "its array")
            try expect(found.version, equals: 3, "its version")
            try expect(try await db.restore([drafts[0], drafts[1]]), equals: 1, "a restoration of one that is deleted")
            try expect(try await db.query(Draft.self).where { $0.rank > 0 }.restore(), equals: 1, "one by a query")
            try expect(try await db.count(Draft.self), equals: 6, "what is there in the end")
            try expect(try await db.restore(Draft("never saved").tagged(id: 99)), equals: 0, "one of no row")
            try await expect(.unsupported, from: "a restoration of what is never marked") {
                try await db.restore(Rack("r"))
            }
            try await db.delete(drafts[1])
            try await db.save(Draft("1"))
            try await expect(.uniqueViolation, from: "a restoration of a title that is taken") {
                try await db.restore(drafts[1])
            }
            try expect(drafts[1].deletedAt != nil, "A restoration that failed has changed the object.")
        },
        ConformanceCase("del-2.rollback", "DEL-2", "A rollback undoes deletions and restorations in objects, too") {
            environment in
            let (db, drafts) = try await openDrafts(environment)
            struct Stop: Error {}
            do {
                try await db.transaction { transaction in
                    try await transaction.delete(drafts[3])
                    try expect(drafts[3].deletedAt != nil, "The object does not know of the deletion.")
                    try expect(try await transaction.count(Draft.self), equals: 2, "what is there meanwhile")
                    try await transaction.restore(drafts[0])
                    throw Stop()
                }
            } catch is Stop {}
            try expect(drafts[3].deletedAt == nil, "The object counts as deleted.")
            try expect(drafts[0].deletedAt != nil, "The object counts as restored.")
            drafts[3].rank = 33
            try await db.save(drafts[3])
            try expect(try await db.query(Draft.self).where { $0.rank == 33 }.count(), equals: 1, "a save afterwards")
            try expect(try await db.count(Draft.self), equals: 3, "what is there")
        },
        ConformanceCase("del-2.permanent", "DEL-2", "A permanent deletion deletes rows, marked or not") {
            environment in
            let (db, drafts) = try await openDrafts(environment)
            let all = db.query(Draft.self)
            try expect(try await db.delete(drafts[0], permanently: true), equals: 1, "of a marked row")
            try expect(try await db.delete(drafts[3], permanently: true), equals: 1, "of one that is not")
            try expect(try await all.where { $0.rank < 3 }.delete(permanently: true), equals: 0, "by a query of others")
            try expect(
                try await all.onlyDeleted().where { $0.rank == 1 }.delete(permanently: true), equals: 1,
                "by a query of the marked")
            try expect(try await all.includingDeleted().count(), equals: 3, "the rows that are left")
            let gone = try await all.includingDeleted().where { $0.rank == 2 }.deleteReturning(permanently: true)
            try expect(gone.map(\.rank), equals: [2], "what is returned")
            drafts[0].deletedAt = nil
            try await db.save(drafts[0])
            try expect(try await db.deleteAll(Draft.self), equals: 3, "a deletion of all")
            try expect(try await db.deleteAll(Draft.self, permanently: true), equals: 3, "of all, marked or not")
            try expect(try await db.number("SELECT count(*) FROM draft"), equals: 0, "the rows in the end")
        },
        ConformanceCase("del-2.returning", "DEL-2", "Deletions that return something mark rows as others do") {
            environment in
            let (db, _) = try await openDrafts(environment)
            let gone = try await db.query(Draft.self).where { $0.rank == 3 }.deleteReturning()
            try expect(gone.map(\.rank), equals: [3], "the objects")
            try expect(gone.map(\.tags), equals: [["t"]], "their arrays")
            try expect(
                try await db.query(Draft.self).where { $0.rank == 4 }.delete(returning: { $0.title }), equals: ["4"],
                "a value")
            let pairs = try await db.query(Draft.self).delete(returning: { ($0.title, $0.rank) })
            try expect(pairs.map(\.0), equals: ["5"], "values")
            try expect(try await db.query(Draft.self).onlyDeleted().count(), equals: 6, "what is marked")
            let stubs = try await environment.open(Stub.self)
            _ = try await stubs.save([Stub(code: "a", rank: 1), Stub(code: "b", rank: 2)])
            let stub = try await stubs.query(Stub.self).where { $0.rank == 1 }.deleteReturning()
            try expect(stub.map(\.code), equals: ["a"], "a struct")
            try expect(stub.allSatisfy { $0.deletedAt != nil }, "It is returned as it was before.")
            let restored = try await stubs.query(Stub.self).includingDeleted().updateReturning { $0.rank += 10 }
            try expect(restored.map(\.rank).sorted(), equals: [11, 12], "an update of what is deleted, too")
        },
        ConformanceCase("del-2.saves", "DEL-2", "A save of what is deleted brings nothing back, but an upsert does") {
            environment in
            let (db, drafts) = try await openDrafts(environment)
            let copy = try await db.query(Draft.self).onlyDeleted().order(\.id).fetch()[0]
            copy.title = "changed"
            try await expect(.notFound, .staleVersion, from: "a save of what is deleted") { try await db.save(copy) }
            try await expect(.uniqueViolation, from: "a save of what was deleted here") { try await db.save(drafts[0]) }
            try expect(try await db.query(Draft.self).update { $0.rank += 10 }, equals: 3, "a bulk update")
            try expect(
                try await db.query(Draft.self).onlyDeleted().update { $0.rank += 20 }, equals: 3,
                "a bulk update of what is deleted")
            // A title is free once its draft is deleted.
            try await db.save(Draft("0"))
            try expect(try await db.count(Draft.self), equals: 4, "what is there")

            let stubs = try await environment.open(Stub.self)
            let stub = Stub(code: "a", rank: 1)
            _ = try await stubs.save(stub)
            try await stubs.delete(stub)
            try expect(try await stubs.insertOrIgnore(Stub(code: "a", rank: 2)), equals: nil, "an insertion")
            try await expect(.uniqueViolation, from: "a second insertion") { _ = try await stubs.insert(stub) }
            _ = try await stubs.upsert(Stub(code: "a", rank: 3))
            try expect(try await stubs.fetch(Stub.self).map(\.rank), equals: [3], "what an upsert leaves")
            try await stubs.deleteAll(Stub.self)
            try await stubs.upsertWithoutReturning([Stub(code: "a", rank: 4)])
            try expect(try await stubs.fetch(Stub.self).map(\.rank), equals: [4], "what an upsert leaves silently")
            try await stubs.delete(stub)
            _ = try await stubs.save(Stub(code: "a", rank: 5))
            try expect(try await stubs.fetch(Stub.self).map(\.rank), equals: [5], "what a save of a struct leaves")
        },
        ConformanceCase("del-2.expiry", "DEL-2", "What expires can be marked, and is swept all the same") {
            environment in
            let clock = SetClock()
            let db = try await environment.open(Pledge.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            _ = try await db.save([
                Pledge(code: "a", until: date), Pledge(code: "b"), Pledge(code: "c", until: date), Pledge(code: "d"),
            ])
            try expect(try await db.query(Pledge.self).where { $0.code <= "b" }.delete(), equals: 2, "a deletion")
            try expect(try await db.delete(Pledge(code: "c")), equals: 1, "a deletion of one")
            try expect(try await db.fetch(Pledge.self).map(\.code), equals: ["d"], "what is there")
            try expect(try await db.restore(Pledge(code: "c")), equals: 1, "a restoration")
            try expect(try await db.query(Pledge.self).where { $0.code == "a" }.restore(), equals: 1, "one by a query")
            clock.now = date
            try expect(try await db.fetch(Pledge.self).map(\.code), equals: ["d"], "what has not expired")
            try expect(
                try await db.query(Pledge.self).includingDeleted().fetch().map(\.code), equals: ["b", "d"],
                "the same with what is deleted")
            try expect(try await db.delete(Pledge(code: "c")), equals: 0, "a deletion of what has expired")
            try expect(try await db.sweepExpired(Pledge.self), equals: 2, "what is swept")
            try expect(try await db.number("SELECT count(*) FROM pledge"), equals: 2, "the rows that are left")
        },
        ConformanceCase("del-2.hooks", "DEL-2", "Hooks of deletions are called where rows are marked") { environment in
            let db = try await environment.open(Hint.self)
            let log = HookLog()
            let hints = (0..<3).map { Hint("\($0)", log: log) }
            try await db.save(hints)
            try await db.delete(hints[0])
            try expect(log.take(), equals: ["willDelete 0", "didDelete 0"], "the hooks")
            try await db.restore(hints[0])
            try expect(log.take(), equals: [], "the hooks of a restoration")
            try await db.delete([hints[0], hints[2]])
            try expect(
                log.take(), equals: ["willDelete 0", "willDelete 2", "didDelete 0", "didDelete 2"],
                "the hooks of a deletion of several")
            try expect(try await db.query(Hint.self).delete(), equals: 1, "a deletion by a query")
            try expect(try await db.query(Hint.self).onlyDeleted().count(), equals: 3, "what is marked")
            try await db.delete(hints[1], permanently: true)
            try expect(log.take(), equals: ["willDelete 1", "didDelete 1"], "the hooks of a permanent one")
        },
        ConformanceCase(
            "del-2.concurrent", "DEL-2", "Deletions and restorations of one row by several happen one after the other"
        ) { environment in
            let (db, drafts) = try await openDrafts(environment)
            let other = try await environment.open()
            let id = try key(drafts[5])
            var (deleted, restored) = (0, 0)
            for _ in 0..<10 {
                async let first = db.query(Draft.self).where { $0.hasKey(id) }.delete()
                async let second = other.query(Draft.self).where { $0.hasKey(id) }.delete()
                async let third = other.query(Draft.self).where { $0.hasKey(id) }.restore()
                deleted += try await first + second
                restored += try await third
            }
            let isThere = try await db.query(Draft.self).where { $0.hasKey(id) }.exists()
            try expect(deleted - restored, equals: isThere ? 0 : 1, "deletions that were not undone")
            let row = try await db.query(Draft.self).includingDeleted().where { $0.hasKey(id) }.one()
            try expect(row.version, equals: deleted + restored, "the version")
        },
    ]
}

extension Draft {
    /// The draft with a key.
    fileprivate func tagged(id: Int64) -> Draft {
        self.id = id
        return self
    }
}
