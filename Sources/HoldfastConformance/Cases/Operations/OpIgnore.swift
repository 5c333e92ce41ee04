import Foundation
import Holdfast

/// Objects that are inserted unless a row is in the way.
extension ConformanceCase {
    static let opIgnore: [ConformanceCase] = [
        ConformanceCase(
            "op-ignore.one", "OP-IGNORE",
            "An object is inserted unless a row has one of its unique keys; what is ignored stays new"
        ) { environment in
            try await ignoreOne(environment)
        },
        ConformanceCase(
            "op-ignore.many", "OP-IGNORE",
            "Of many objects those are inserted for which no row is in the way, and of those in each other's way the first"
        ) { environment in
            try await ignoreMany(environment)
        },
        ConformanceCase(
            "op-ignore.errors", "OP-IGNORE",
            "Nothing but a unique key is ignored, and what would be lost with an ignored object is refused"
        ) { environment in
            try await refuseToIgnore(environment)
        },
        ConformanceCase(
            "op-ignore.hooks", "OP-IGNORE", "Of what is ignored `willSave` is called, and no other hook"
        ) { environment in
            try await ignoreWithHooks(environment)
        },
    ]

    @SuiteActor
    private static func ignoreOne(_ environment: ConformanceEnvironment) async throws {
        let db = try await environment.open(Member.self, Numbered.self)
        let first = Member("a@x", visits: 1)
        first.labels = ["x"]
        try expect(try await db.insertOrIgnore(first), "A new object was ignored.")
        try expect(first.id != nil && first.createdAt != nil && !first.isDirty, "It does not know of its row.")
        try expect(try await db.query(Member.self).one().labels, equals: ["x"], "its labels")
        let second = Member("a@x", login: "other", visits: 2)
        second.labels = ["y"]
        try expect(try await !db.insertOrIgnore(second), "A row with its email did not count.")
        try expect(second.id == nil && second.createdAt == nil && second.isDirty, "It counts as saved.")
        let third = Member("b@x", login: first.login, visits: 3)
        try expect(try await !db.insertOrIgnore(third), "A row with its realm and login did not count.")
        let fourth = Member("c@x")
        fourth.id = first.id
        try expect(try await !db.insertOrIgnore(fourth), "A row with its primary key did not count.")
        let stored = try await db.query(Member.self).one()
        try expect(stored.visits, equals: 1, "the visits that are stored")
        try expect(stored.labels, equals: ["x"], "the labels that are stored")
        second.email = "d@x"
        try await db.save(second)
        try expect(try await db.count(Member.self), equals: 2, "the rows once it was saved under another email")
        try expect(try await db.insertOrIgnore(Numbered(1, "one")), "A key of one's own was ignored.")
        try expect(try await !db.insertOrIgnore(Numbered(1, "two")), "A key of one's own did not count.")
        let numbered = try await db.insertOrIgnore([Numbered(2, "first"), Numbered(1, "no"), Numbered(2, "second")])
        try expect(numbered, equals: [true, false, false], "several with one key")
        try expect(try await db.find(Numbered.self, key: 2)?.title, equals: "first", "the first of them")
        let later = Member("e@x")
        try await db.save(later)
        try expect(later.id != nil && later.id != second.id, "The engine made a key again.")
    }

    @SuiteActor
    private static func ignoreMany(_ environment: ConformanceEnvironment) async throws {
        let db = try await environment.open(Member.self, Coupon.self)
        try await db.save((0..<20).map { Member("\($0 * 3)@x", visits: 1) })
        var members = (0..<40).map { Member("\($0)@x", login: "new \($0)", visits: 2) }
        members.append(Member("40@x", login: "again"))
        members.append(Member("40@x", login: "new 40"))
        members.append(Member("41@x", login: "again"))
        for member in members { member.labels = ["l"] }
        let areNew = try await db.insertOrIgnore(members)
        let known = Set((0..<20).map { $0 * 3 } + [41, 42])
        let expected = members.indices.map { !known.contains($0) }
        try expect(areNew, equals: expected, "what was inserted")
        for (index, member) in members.enumerated() {
            try expect(member.id != nil, equals: expected[index], "whether object \(index) has a key")
            try expect(member.isDirty, equals: !expected[index], "whether object \(index) is to be saved")
        }
        let stored = try await db.query(Member.self).where { $0.visits == 2 }.fetch()
        let inserted = members.indices.filter { expected[$0] }.compactMap { members[$0].id }
        try expect(stored.compactMap(\.id).sorted(), equals: inserted.dropLast(1).sorted(), "the keys of the rows")
        try expect(stored.allSatisfy { $0.labels == ["l"] }, "The labels of a row are missing.")
        try expect(
            try await db.number("SELECT count(*) FROM member_labels"), equals: inserted.count, "the labels")

        let (keyed, unkeyed) = (Member("50@x"), Member("50@x"))
        keyed.id = 1_000_000
        let inOrder = try await db.insertOrIgnore([Member("49@x"), keyed, unkeyed])
        try expect(inOrder, equals: [true, true, false], "with and without a key")
        _ = try await db.insert(Coupon(code: "b", percent: 1))
        let coupons = try await db.insertOrIgnore([
            Coupon(code: "a", percent: 2), Coupon(code: "b", percent: 3), Coupon(code: "c", percent: 4),
        ])
        let codes: [String?] = coupons.map { $0?.code }
        try expect(codes, equals: ["a", nil, "c"], "the structs that were inserted")
        try expect(coupons.compactMap { $0?.id }.count, equals: 2, "the structs with a key")
        let again = try await db.insertOrIgnore(Coupon(code: "a", percent: 5))
        try expect(again == nil, "A struct was inserted again.")
    }

    @SuiteActor
    private static func refuseToIgnore(_ environment: ConformanceEnvironment) async throws {
        let db = try await environment.open(Member.self, Reading.self)
        let (one, other) = (Member("a@x"), Member("b@x"))
        one.sponsor = other
        try await expect(.conflict, from: "an object that leads to a new one") { try await db.insertOrIgnore(one) }
        try await expect(.unsupported, from: "objects that refer to each other") {
            try await db.insertOrIgnore([one, other])
        }
        try await db.save(other)
        try expect(try await db.insertOrIgnore(one), "An object that refers to a saved one was ignored.")
        let third = Member("c@x")
        third.sponsored = [other]
        try await expect(.unsupported, from: "an object with what the other side keeps") {
            try await db.insertOrIgnore(third)
        }
        third.sponsored = []
        let gone = Device("s", name: "gone")
        try await db.save(gone)
        let reading = Reading(gone, 1)
        try await db.sql("DELETE FROM \(Device.self)").execute()
        try await expect(.foreignKeyViolation, from: "a reference to a row that is gone") {
            try await db.insertOrIgnore(reading)
        }
        try await db.transaction { tx in
            try expect(try await !tx.insertOrIgnore(Member("a@x")), "A row of the table did not count.")
            try expect(try await tx.insertOrIgnore(Member("d@x")), "Ignoring ended the transaction.")
        }
        do {
            try await db.transaction { tx in
                let member = Member("e@x")
                try expect(try await tx.insertOrIgnore([third, member]) == [true, true], "Two were ignored.")
                throw CancellationError()
            }
        } catch is CancellationError {}
        try expect(try await db.count(Member.self), equals: 3, "the rows after a rollback")
    }

    @SuiteActor
    private static func ignoreWithHooks(_ environment: ConformanceEnvironment) async throws {
        let db = try await environment.open(Hooked.self, Note.self)
        let log = HookLog()
        let first = Hooked("first", log: log)
        try await db.insert(first)
        _ = log.take()
        let (second, third) = (Hooked("second", log: log), Hooked("third", log: log))
        second.id = first.id
        try expect(try await db.insertOrIgnore([second, third]), equals: [false, true], "what was inserted")
        try expect(
            log.take(), equals: ["willSave second", "willSave third", "didSave third", "afterCommit third"],
            "the hooks that were called")
        try await db.upsert(second)
        try expect(
            log.take(), equals: ["willSave second", "didSave second", "afterCommit second"], "the hooks of an upsert")
    }
}
