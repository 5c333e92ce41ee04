import Foundation
import Holdfast

/// Relations that lead to what has expired.
extension ConformanceCase {
    static let expiryGraph: [ConformanceCase] = [
        ConformanceCase(
            "exp-1.relations", "EXP-1", "Relations lead to nothing that has expired", level: .graph
        ) { environment in
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
