import Foundation
import Holdfast

extension ConformanceCase {
    static let exp2: [ConformanceCase] = [
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
                    try await tx.upsertWithoutReturning(
                        codes.map { SeatHold(code: $0, seat: 4, until: date.addingTimeInterval(1)) })
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
        ConformanceCase(
            "exp-2.delete-rules", "EXP-2", "What gives way to a new object takes along what its delete rules say",
            level: .graph
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Turnstile.self, DayPass.self, PassCheck.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            let (gate, old) = (Turnstile("north"), DayPass("old", code: "x", until: date))
            (gate.main, gate.others, old.tags) = (old, [old, old], ["a"])
            old.checks = [PassCheck("1", of: old)]
            try await db.save(gate)
            clock.now = date
            let new = DayPass("new", code: "x")
            try await db.save(new)
            func count(_ table: String) async throws -> Int? {
                try await db.sql("SELECT count(*) FROM \(unsafe: table)").first(as: Int.self)
            }
            try expect(try await count("day_pass"), equals: 1, "the passes")
            try expect(try await count("pass_check"), equals: 0, "the checks")
            try expect(try await count("turnstile_others"), equals: 0, "the links")
            try expect(try await count("day_pass_tags"), equals: 0, "the elements")
            try expect(
                try await db.sql("SELECT count(*) FROM turnstile WHERE main_id IS NULL").fetch(as: Int.self),
                equals: [1],
                "the references")
        },
    ]
}
