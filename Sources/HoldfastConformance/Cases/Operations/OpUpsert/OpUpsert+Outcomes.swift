import Foundation
import Holdfast

/// Upserts that tell what they have done.
extension ConformanceCase {
    static let opUpsertOutcomes: [ConformanceCase] = [
        ConformanceCase(
            "op-upsert.outcomes", "OP-UPSERT", "An upsert tells of each object whether it was inserted or updated"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Member.self, Device.self) { probe.attach(to: &$0) }
            let first = Member("a@x", visits: 1)
            try expect(try await db.insertOrUpdate(first, on: \.email), equals: .inserted, "a new row")
            try await db.upsert(Member("a@x"), on: \.email)
            _ = probe.take()
            try await db.upsert(Member("a@x"), on: \.email)
            let statements = probe.take().count
            let second = Member("a@x", visits: 2)
            try expect(try await db.insertOrUpdate(second, on: \.email), equals: .updated, "one that was there")
            try expect(probe.take().count, equals: statements, "the number of statements, compared with an upsert")
            try expect(second.id, equals: first.id, "its key")
            try expect(try await db.insertOrUpdate(second, on: \.email), equals: .updated, "one that is equal")
            try expect(
                try await db.insertOrUpdate(Member("a@x"), on: \.email, updating: []), equals: .updated,
                "one of which nothing is set")
            let many = ["b@x", "a@x", "c@x", "d@x"].map { Member($0, visits: 5) }
            try expect(
                try await db.insertOrUpdate(many, on: \.email), equals: [.inserted, .updated, .inserted, .inserted],
                "several")
            try expect(
                try await db.insertOrUpdate(Array(many.reversed()), on: \.email),
                equals: [.updated, .updated, .updated, .updated], "the same again")
            let counted = try await db.insertOrUpdate(Member("a@x", visits: 7), on: \.email) { row, new in
                row.visits.set(row.visits.current + new.visits)
            }
            try expect(counted, equals: .updated, "one that is computed")
            try expect(
                try await db.query(Member.self).where { $0.email == "a@x" }.one().visits, equals: 12, "what it became")
            let fresh = try await db.insertOrUpdate(Member("e@x"), on: \.email) { row, new in
                row.visits.set(row.visits.current + new.visits)
            }
            try expect(fresh, equals: .inserted, "one that is computed, and new")
            let device = Device("s1", name: "one")
            try expect(try await db.insertOrUpdate(device), equals: .inserted, "one with a key of its own")
            try expect(try await db.insertOrUpdate(device), equals: .updated, "the same again")
            try expect(try await db.insertOrUpdate(Member("f@x")), equals: .inserted, "one whose key is made")
        },
        ConformanceCase(
            "op-upsert.outcome-structs", "OP-UPSERT", "Upserts of structs tell what they have done"
        ) { environment in
            let db = try await environment.open(Beat.self)
            let start = Date(timeIntervalSince1970: 1_000_000)
            let (row, outcome) = try await db.insertOrUpdate(Beat(id: start, number: 1))
            try expect(outcome, equals: .inserted, "a new row")
            try expect(row, equals: Beat(id: start, number: 1), "what it holds")
            for step in [2, 1] {
                let all = try await db.insertOrUpdate((0..<600).map { Beat(id: start + Double(step * $0), number: $0) })
                try expect(all.map(\.row.number), equals: Array(0..<600), "the rows")
                let known = { (number: Int) in step == 2 ? number == 0 : number % 2 == 0 }
                try expect(
                    all.map(\.outcome), equals: (0..<600).map { known($0) ? .updated : .inserted },
                    "rows of which some were there")
            }
        },
        ConformanceCase(
            "op-upsert.outcomes-after-failures", "OP-UPSERT",
            "An upsert that fails, or is rolled back, does not change what a later one tells"
        ) { environment in
            let db = try await environment.open(Member.self)
            try await db.save([Member("a@x", login: "one"), Member("b@x", login: "two")])
            for _ in 0..<3 {
                try await expect(.uniqueViolation, from: "an upsert in the way of another row") {
                    _ = try await db.insertOrUpdate(Member("a@x", login: "two"), on: \.email)
                }
                let new = UUID().uuidString
                try expect(try await db.insertOrUpdate(Member(new), on: \.email), equals: .inserted, "one after that")
            }
            struct Regret: Error {}
            do {
                try await db.transaction { tx in
                    let outcome = try await tx.insertOrUpdate(Member("c@x"), on: \.email)
                    try expect(outcome, equals: .inserted, "one that is rolled back")
                    throw Regret()
                }
            } catch is Regret {}
            try await db.transaction { tx in
                try expect(try await tx.insertOrUpdate(Member("c@x"), on: \.email), equals: .inserted, "the same again")
                try expect(try await tx.insertOrUpdate(Member("c@x"), on: \.email), equals: .updated, "and again")
                try await tx.query(Member.self).where { $0.email == "c@x" }.delete()
                try expect(try await tx.insertOrUpdate(Member("c@x"), on: \.email), equals: .inserted, "and deleted")
            }
        },
        ConformanceCase(
            "op-upsert.outcomes-concurrent", "OP-UPSERT",
            "Upserts tell the truth also where others insert and delete the same rows meanwhile"
        ) { environment in
            let (db, other) = (try await environment.open(Member.self), try await environment.open(Member.self))
            // What another client has inserted, but not committed, when the upsert begins.
            for deletes in [false, true] {
                let email = deletes ? "b@x" : "a@x"
                if deletes { try await db.save(Member(email)) }
                let begun = Signal()
                async let outcome = {
                    await begun.wait()
                    return try await other.insertOrUpdate(Member(email), on: \.email)
                }()
                try await db.transaction { tx in
                    if deletes {
                        try await tx.query(Member.self).where { $0.email == email }.delete()
                    } else {
                        try await tx.save(Member(email))
                    }
                    begun.give()
                    try await Task.sleep(for: .milliseconds(200))
                }
                try expect(try await outcome, equals: deletes ? .inserted : .updated, "an upsert that waited")
            }
            let outcomes = try await withThrowingTaskGroup(of: [(String, UpsertOutcome)].self) { group in
                for task in 0..<6 {
                    group.addTask {
                        var outcomes: [(String, UpsertOutcome)] = []
                        for number in 0..<20 {
                            let email = "\((number + task * 3) % 20)"
                            let context = task % 2 == 0 ? db : other
                            outcomes.append((email, try await context.insertOrUpdate(Member(email), on: \.email)))
                        }
                        return outcomes
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let inserted = Dictionary(grouping: outcomes, by: \.0).mapValues { $0.count { $0.1 == .inserted } }
            try expect(Set(inserted.values), equals: [1], "how often each was inserted")
            try expect(inserted.count, equals: 20, "the number of rows")
        },
    ]
}
