import Foundation
import Holdfast

/// Objects that are gone from an instant on.
extension ConformanceCase {
    static let expiry: [ConformanceCase] = [
        ConformanceCase(
            "exp-1.instant", "EXP-1", "An object is there until the microsecond before its date, and gone from then on"
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            try await db.save([Visit("a", until: date), Visit("b"), Visit("c", until: .distantFuture)])
            clock.now = date.addingTimeInterval(-0.000_001)
            try expect(try await db.find(Visit.self, key: "a") != nil, "It is gone too early.")
            clock.now = date
            try expect(try await db.find(Visit.self, key: "a") == nil, "It is there at the instant itself.")
            try expect(try await db.fetch(Visit.self).map(\.token), equals: ["b", "c"], "what has not expired")
            clock.now = date.addingTimeInterval(-1)
            try expect(try await db.count(Visit.self), equals: 3, "the objects, after the clock jumped back")
        },
        ConformanceCase("exp-1.reads", "EXP-1", "No operation reads or counts what has expired") { environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            let visits = (0..<6).map { Visit("\($0)", rank: $0, tags: ["t"], until: $0 < 3 ? date : nil) }
            try await db.save(visits)
            try expect(try await db.query(Visit.self).count(), equals: 6, "the objects at first")
            clock.now = date
            let all = db.query(Visit.self)
            try expect(try await db.fetch(Visit.self).count, equals: 3, "a fetch")
            try expect(try await db.count(Visit.self), equals: 3, "a count of the type")
            try expect(try await db.fetch(Visit.self, keys: ["0", "1", "5"]).count, equals: 1, "a find of several")
            try expect(try await all.fetch().map(\.token), equals: ["3", "4", "5"], "a query")
            try expect(try await all.order { $0.rank.ascending }.limit(1).fetch().map(\.rank), equals: [3], "the first")
            try expect(try await all.where { $0.rank < 3 }.count(), equals: 0, "a count with a condition")
            try expect(try await !all.where { $0.rank == 1 }.exists(), "exists")
            try expect(try await all.keys().count, equals: 3, "the keys")
            try expect(try await all.sum { $0.rank }, equals: 12, "a sum")
            try expect(try await all.min { $0.rank }, equals: 3, "a minimum")
            try expect(try await all.select { $0.rank }.fetch(), equals: [3, 4, 5], "a selection")
            try expect(try await all.where { $0.tags.contains("t") }.count(), equals: 3, "a condition about an array")
            try expect(try await all.distinct { $0.until }.fetch().map(\.token), equals: ["3"], "one of each group")
            try expect(try await all.page(size: 2).objects.map(\.token), equals: ["3", "4"], "a page")
            var streamed: [String] = []
            for try await visit in all.stream() { streamed.append(visit.token) }
            try expect(streamed, equals: ["3", "4", "5"], "a stream")
            try await expect(.notFound, from: "a reload") { try await db.reload(visits[0]) }
            try expect(try await all.update { $0.rank.set(9) }, equals: 3, "a bulk update")
            try expect(try await all.where { $0.rank < 9 }.delete(), equals: 0, "a bulk deletion")
            try expect(try await db.delete(visits[0]), equals: 0, "a deletion")
            try expect(try await db.delete([visits[1], visits[4]]), equals: 1, "a deletion of several")
            try expect(
                try await db.sql("SELECT count(*) FROM visit").fetch(as: Int.self), equals: [5],
                "what SQL of one's own sees")
            let last = all.order { $0.token.descending }.limit(1)
            try expect(try await last.update { $0.rank.set(10) }, equals: 1, "an update of the last")
            try expect(try await all.limit(10).delete(), equals: 2, "a deletion of the first")
            try await db.save(Visit("new"))
            try expect(try await db.deleteAll(Visit.self), equals: 1, "a deletion of all")
            try expect(try await db.sweepExpired(Visit.self), equals: 3, "what is swept")
        },
        ConformanceCase(
            "exp-1.comments", "EXP-1", "Signs of parameters in comments of one's own SQL are none, beside a clock, too"
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
            try await db.save([
                Visit("a", rank: 1, until: clock.now.addingTimeInterval(10)), Visit("b", rank: 2),
                Visit("c", rank: 1, until: clock.now.addingTimeInterval(-10)),
            ])
            let (rank, token) = (1, "a")
            let found = try await db.query(Visit.self)
                .where(sql: "\(\Visit.rank) = \(rank) /* really? 'one' */ -- or so?\n")
                .where(sql: "1 = 1 /* ? */ AND \(\Visit.token) = \(token)").fetch()
            try expect(found.map(\.token), equals: ["a"], "what was found")
        },
        ConformanceCase("exp-1.engine", "EXP-1", "By the engine's clock, an object is gone when its date has passed") {
            environment in
            let db = try await environment.open(Visit.self)
            let date = Date().addingTimeInterval(0.5)
            try await db.save([Visit("soon", until: date), Visit("past", until: Date().addingTimeInterval(-1))])
            try expect(try await db.fetch(Visit.self).map(\.token), equals: ["soon"], "what is there at first")
            while try await db.find(Visit.self, key: "soon") != nil {
                try expect(Date() < date.addingTimeInterval(2), "It is still there two seconds after its date.")
                try await Task.sleep(for: .milliseconds(5))
            }
            try expect(Date() >= date.addingTimeInterval(-0.002), "It was gone before its date.")
        },
        ConformanceCase("exp-1.storages", "EXP-1", "Dates that are stored as numbers expire at the same instant") {
            environment in
            let clock = SetClock()
            typealias Storages = ExpiringStorages
            let db = try await environment.open(
                Storages.Seconds.self, Storages.Milliseconds.self, Storages.Reals.self, Storages.ReferenceDate.self
            ) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            func count() async throws -> [Int] {
                [
                    try await db.count(Storages.Seconds.self), try await db.count(Storages.Milliseconds.self),
                    try await db.count(Storages.Reals.self), try await db.count(Storages.ReferenceDate.self),
                ]
            }
            _ = try await db.insert(Storages.Seconds(id: 1, until: date))
            _ = try await db.insert(Storages.Milliseconds(id: 1, until: date))
            _ = try await db.insert(Storages.Reals(id: 1, until: date))
            _ = try await db.insert(Storages.ReferenceDate(id: 1, until: date))
            clock.now = date.addingTimeInterval(-0.001)
            try expect(try await count(), equals: [1, 1, 1, 1], "the objects a millisecond before")
            clock.now = date
            try expect(try await count(), equals: [0, 0, 0, 0], "the objects at the instant")
            let plain = try await environment.open()
            try expect(try await plain.count(Storages.Seconds.self), equals: 1, "the objects by the engine's clock")
            try expect(
                try await plain.count(Storages.Milliseconds.self), equals: 1, "the objects by the engine's clock")
            try expect(try await plain.count(Storages.Reals.self), equals: 1, "the objects by the engine's clock")
            try expect(
                try await plain.count(Storages.ReferenceDate.self), equals: 1, "the objects by the engine's clock")
        },
        ConformanceCase("exp-2.save", "EXP-2", "A save of what has expired is refused, whatever date it sets") {
            environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            let visits = (0..<40).map { Visit("\($0)", until: date) }
            try await db.save(visits)
            visits[0].until = date.addingTimeInterval(100)
            try await db.save(visits[0])
            clock.now = date
            visits[0].rank = 1
            try await db.save(visits[0])
            visits[1].until = date.addingTimeInterval(100)
            try await expect(.notFound, from: "a save with a later date") { try await db.save(visits[1]) }
            for visit in visits { visit.rank = 2 }
            let error = try await expect(.notFound, from: "a save of several") { try await db.save(visits) }
            try expect((1..<40).contains(error.objectIndex ?? 0), "The error tells of none that is gone.")
            visits[2].tags = ["new"]
            try await expect(.notFound, from: "a save of an array") { try await db.update(visits[2], only: \.tags) }
            try expect(try await db.find(Visit.self, key: "0")?.rank, equals: 1, "what was saved in time")
        },
        ConformanceCase("exp-2.insert", "EXP-2", "New objects take the keys and unique values of what has expired") {
            environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self, Loan.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            let later = date.addingTimeInterval(1_000)
            try await db.save((0..<50).map { Visit("\($0)", code: "c\($0)", tags: ["old"], until: date) })
            try await expect(.uniqueViolation, from: "a key that is taken") { try await db.save(Visit("1")) }
            clock.now = date
            try await db.save(Visit("0", tags: ["new"], until: later))
            try expect(try await db.find(Visit.self, key: "0")?.tags, equals: ["new"], "the array of the new object")
            try await db.save(Visit("other", code: "c1"))
            try await db.save((10..<30).map { Visit("\($0)", code: "c\($0 + 20)") })
            try expect(try await db.count(Visit.self), equals: 22, "the new objects")
            try expect(
                try await db.fetch(Visit.self, keys: ["10", "29"]).map(\.tags), equals: [[], []],
                "arrays of new objects")
            try expect(
                try await db.insertOrIgnore([Visit("3"), Visit("0")]), equals: [true, false], "what was not ignored")
            let upserted = Visit("upserted", code: "c4", rank: 4, until: later)
            try await db.upsert(upserted, on: \.code, updating: [\.rank])
            try expect(upserted.token, equals: "upserted", "the key of what an upsert inserted")
            let taken = try expect(some: try await db.find(Visit.self, key: "other"), "an object")
            taken.code = "c5"
            try await db.save(taken)
            try expect(try await db.find(Visit.self, key: "5") == nil, "What had the code is there.")
            try await db.transaction { tx in
                try await tx.save(Visit("6", code: "c7", tags: ["x"]))
                try await tx.save(Visit("7"))
            }
            try await expect(.uniqueViolation, from: "a key that is taken again") { try await db.save(Visit("6")) }
        },
        ConformanceCase("exp-2.structs", "EXP-2", "A struct whose row has expired is inserted anew, with its arrays") {
            environment in
            let clock = SetClock()
            let db = try await environment.open(Loan.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            let first = try await db.save(Loan(name: "a", holder: "one", tags: ["x", "y"], until: date))
            try await Task.sleep(for: .milliseconds(5))
            let same = try await db.save(Loan(name: "a", holder: "two", tags: ["x"], version: 0, until: date))
            try expect(same.createdAt, equals: first.createdAt, "the creation time of a row that is there")
            clock.now = date
            let second = try await db.save(
                Loan(name: "a", holder: "three", tags: ["z"], until: date.addingTimeInterval(10)))
            try expect(second.version, equals: 0, "the version of a new row")
            try expect(second.createdAt != first.createdAt, "The creation time is that of the row which expired.")
            try expect(try await db.find(Loan.self, key: "a"), equals: second, "what is stored")
            try expect(
                try await db.sql("SELECT count(*) FROM loan_tags").fetch(as: Int.self), equals: [1], "the elements left"
            )
        },
        ConformanceCase(
            "exp-2.upsert", "EXP-2", "Structs that are upserted take the places of what has expired"
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(SeatHold.self) { clock.attach(to: &$0) }
            for count in [1, 4, 150] {
                let date = clock.now.addingTimeInterval(10)
                let codes = (0..<count).map { "\(count)-\($0 + 100)" }
                let all = db.query(SeatHold.self).where { $0.code.in(codes) }.order(\.code)
                // The first and each third one expires.
                func until(_ index: Int) -> Date? { index % 3 == 0 ? date : nil }
                let first = codes.enumerated().map { SeatHold(code: $1, seat: 1, until: until($0)) }
                try await db.upsertWithoutReturning(first)
                let old = try await all.fetch()
                try await Task.sleep(for: .milliseconds(2))
                clock.now = date
                try await db.upsertWithoutReturning(codes.map { SeatHold(code: $0, seat: 2) })
                let new = try await all.fetch()
                try expect(new.map(\.seat), equals: Array(repeating: 2, count: count), "the seats of \(count)")
                for index in codes.indices {
                    let isNew = until(index) != nil
                    try expect(new[index].version, equals: isNew ? 0 : 1, "the version of \(index) of \(count)")
                    try expect(
                        isNew == (new[index].createdAt != old[index].createdAt), "The creation time is another's.")
                }
                try await db.transaction { tx in
                    try await tx.upsertWithoutReturning(codes.map { SeatHold(code: $0, seat: 3, until: date) })
                    try await tx.upsertWithoutReturning(codes.map { SeatHold(code: $0, seat: 4, until: date.addingTimeInterval(1)) })
                }
                let last = try await all.fetch()
                try expect(last.map(\.seat), equals: Array(repeating: 4, count: count), "the seats in the end")
                try expect(last.allSatisfy { $0.version == 0 }, "A version is that of a row which had expired.")
            }
        },
        ConformanceCase(
            "exp-2.upsert-engine", "EXP-2", "Structs are upserted over what has expired by the engine's clock"
        ) { environment in
            let db = try await environment.open(SeatHold.self)
            let past = Date().addingTimeInterval(-1)
            for round in 0..<2 {
                try await db.upsertWithoutReturning(
                    (100..<250).map { SeatHold(code: "\($0)", seat: round, until: $0 % 3 == 0 ? past : nil) })
            }
            try await db.upsertWithoutReturning((100..<250).map { SeatHold(code: "\($0)", seat: 9) })
            let all = try await db.query(SeatHold.self).order(\.code).fetch()
            try expect(all.map(\.code), equals: (100..<250).map { "\($0)" }, "the codes")
            for hold in all {
                let isNew = hold.code == "\((Int(hold.code) ?? 0) / 3 * 3)"
                try expect(hold.seat, equals: 9, "the seat of \(hold.code)")
                try expect(hold.version, equals: isNew ? 0 : 2, "the version of \(hold.code)")
            }
        },
        ConformanceCase("exp-5.schema", "EXP-5", "A migration makes the index by which expired rows are found") {
            environment in
            let db = try await environment.open(LastingPermit.self)
            _ = try await db.save(LastingPermit(id: 1, until: Date(timeIntervalSince1970: 0)))
            try expect(try await db.count(LastingPermit.self), equals: 1, "the objects before they expire")
            let plan = try await db.migrate(Permit.self)
            try expect(plan.steps.map(\.sql).filter { $0.contains("CREATE INDEX") }.count, equals: 1, "the new index")
            try expect(plan.steps.count, equals: 1, "the steps")
            try expect(try await db.migrate(Permit.self).steps.count, equals: 0, "the steps of a second migration")
            try expect(try await db.count(Permit.self), equals: 0, "the objects that have not expired")
            try expect(try await db.sweepExpired(Permit.self), equals: 1, "what was swept")
            try expect(try await db.count(LastingPermit.self), equals: 0, "the rows left")
        },
    ]
}

/// A table before its objects expired.
@Table("permit")
struct LastingPermit {
    let id: Int64
    var until: Date?
}

/// The same table, whose objects expire.
@Table
struct Permit {
    let id: Int64
    @Expires var until: Date?
}
