import Foundation
import Holdfast

extension ConformanceCase {
    static let exp1: [ConformanceCase] = [
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
            let (db, _) = try await openVisits(environment)
            let all = db.query(Visit.self)
            try expect(try await db.fetch(Visit.self).count, equals: 3, "a fetch")
            try expect(try await db.count(Visit.self), equals: 3, "a count of the type")
            try expect(try await db.fetch(Visit.self, keys: ["0", "1", "5"]).count, equals: 1, "a find of several")
            try expect(try await all.fetch().map(\.token), equals: ["3", "4", "5"], "a query")
            try expect(try await all.order { $0.rank.ascending }.limit(1).fetch().map(\.rank), equals: [3], "the first")
            try expect(try await all.where { $0.rank < 3 }.count(), equals: 0, "a count with a condition")
            try expect(try await !all.where { $0.rank == 1 }.exists(), "exists")
            try expect(try await all.keys().count, equals: 3, "the keys")
            try expect(try await all.page(size: 2).objects.map(\.token), equals: ["3", "4"], "a page")
            var streamed: [String] = []
            for try await visit in all.stream() { streamed.append(visit.token) }
            try expect(streamed, equals: ["3", "4", "5"], "a stream")
        },
        ConformanceCase(
            "exp-1.values", "EXP-1", "No sum, minimum, selection or condition sees what has expired"
        ) { environment in
            let (db, _) = try await openVisits(environment)
            let all = db.query(Visit.self)
            try expect(try await all.sum { $0.rank }, equals: 12, "a sum")
            try expect(try await all.min { $0.rank }, equals: 3, "a minimum")
            try expect(try await all.select { $0.rank }.fetch(), equals: [3, 4, 5], "a selection")
            try expect(try await all.where { $0.tags.contains("t") }.count(), equals: 3, "a condition about an array")
            try expect(try await all.distinct { $0.until }.fetch().map(\.token), equals: ["3"], "one of each group")
        },
        ConformanceCase(
            "exp-1.writes", "EXP-1", "No operation reloads, updates or deletes what has expired, but the sweep"
        ) { environment in
            let (db, visits) = try await openVisits(environment)
            let all = db.query(Visit.self)
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
        ConformanceCase(
            "exp-1.relations", "EXP-1", "Relations lead to nothing that has expired", level: .graph
        ) { environment in
            let (db, gates, _) = try await openGates(environment)
            let found = try await db.fetch(Turnstile.self)
            try expect(found.map { $0.main?.name }, equals: [nil, "new"], "references")
            try expect(found[0].others.map(\.name), equals: ["new", "new"], "an array")
            try expect(found[0].passes.map(\.name), equals: ["new"], "an inverse relation")
            try expect(try await found[0].lazy?.load(from: db) == nil, "A lazy reference leads to what has expired.")
            let shallow = try await gates.depth(0).fetch()
            try await db.loadRelation(\.main, of: shallow)
            try await db.loadRelation(\.others, of: shallow)
            try await db.loadRelation(\.passes, of: shallow)
            try expect(shallow.map { $0.main?.name }, equals: [nil, "new"], "references that are loaded later")
            try expect(shallow[0].others.map(\.name), equals: ["new", "new"], "an array that is loaded later")
            try expect(shallow[0].passes.map(\.name), equals: ["new"], "an inverse relation that is loaded later")
        },
        ConformanceCase(
            "exp-1.relation-conditions", "EXP-1",
            "Conditions, counts and orders along relations see nothing that has expired",
            level: .graph
        ) { environment in
            let (db, gates, old) = try await openGates(environment)
            try expect(try await gates.where { $0.main.name == "old" }.count(), equals: 0, "a condition on a reference")
            try expect(try await gates.where { $0.main == nil }.count(), equals: 1, "gates without a pass")
            try expect(try await gates.where { $0.main != nil }.count(), equals: 1, "gates with a pass")
            try expect(try await gates.where { $0.main == old }.count(), equals: 0, "gates of the pass itself")
            try expect(
                try await gates.where { $0.others.contains { $0.name == "old" } }.count(), equals: 0,
                "a condition on an array")
            try expect(try await gates.where { $0.others.count == 2 }.count(), equals: 1, "a count of elements")
            try expect(try await gates.where { $0.passes.count == 1 }.count(), equals: 1, "a count of the other side")
            try expect(
                try await gates.order { $0.main.name.descending }.fetch().map(\.name), equals: ["south", "north"],
                "an order by a reference")
            try expect(try await db.count(PassCheck.self), equals: 1, "what can't be without a pass")
            try expect(try await db.fetch(PassCheck.self).map(\.text), equals: ["3"], "the same, fetched")
            try expect(
                try await db.query(PassCheck.self).limit(1).fetch().map(\.text), equals: ["3"], "the first of the same")
            let passes = db.query(DayPass.self)
            try expect(try await passes.where { $0.checks.count == 2 }.count(), equals: 0, "a count from what is gone")
        },
        ConformanceCase(
            "exp-1.relation-saves", "EXP-1",
            "A save of what led to expired objects loses nothing but these, which are swept with what goes along",
            level: .graph
        ) { environment in
            let (db, _, _) = try await openGates(environment)
            let found = try await db.fetch(Turnstile.self)
            // What is saved now loses nothing but what has expired.
            found[0].name = "North"
            found[0].others.append(found[0].others[0])
            try await db.save(found[0])
            try expect(try await db.sweepExpired(DayPass.self), equals: 1, "what was swept")
            let left = try await db.query(Turnstile.self).where { $0.name == "North" }.one()
            try expect(left.main == nil && left.others.count == 3, "The gate is not as it was saved.")
            try expect(
                try await db.sql("SELECT count(*) FROM pass_check").fetch(as: Int.self), equals: [1],
                "the checks that did not go with their pass")
        },
    ]

    /// Opens a database with six visits, of which the first three have expired.
    private static func openVisits(_ environment: ConformanceEnvironment) async throws -> (Database, [Visit]) {
        let clock = SetClock()
        let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
        let date = clock.now.addingTimeInterval(10)
        let visits = (0..<6).map { Visit("\($0)", rank: $0, tags: ["t"], until: $0 < 3 ? date : nil) }
        try await db.save(visits)
        try expect(try await db.query(Visit.self).count(), equals: 6, "the objects at first")
        clock.now = date
        return (db, visits)
    }

    /// Opens a database with two gates, of which the first leads to an expired pass.
    private static func openGates(
        _ environment: ConformanceEnvironment
    ) async throws -> (Database, gates: Query<Turnstile>, old: DayPass) {
        let clock = SetClock()
        let db = try await environment.open(Turnstile.self, DayPass.self, PassCheck.self) { clock.attach(to: &$0) }
        let date = clock.now.addingTimeInterval(10)
        let (gate, other) = (Turnstile("north"), Turnstile("south"))
        let (old, new) = (DayPass("old", until: date), DayPass("new"))
        (gate.main, other.main) = (old, new)
        gate.others = [new, old, new]
        (old.gate, new.gate) = (gate, gate)
        old.checks = [PassCheck("1", of: old), PassCheck("2", of: old)]
        new.checks = [PassCheck("3", of: new)]
        try await db.save([gate, other])
        gate.lazy = Reference(old)
        try await db.save(gate)
        let gates = db.query(Turnstile.self)
        try expect(try await gates.where { $0.main.name == "old" }.count(), equals: 1, "gates of the pass at first")
        try expect(try await db.count(PassCheck.self), equals: 3, "the checks at first")
        clock.now = date
        return (db, gates, old)
    }
}
