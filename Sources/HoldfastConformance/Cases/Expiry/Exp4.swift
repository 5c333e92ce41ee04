import Foundation
import Holdfast

/// The deletion of what has expired.
extension ConformanceCase {
    static let exp4: [ConformanceCase] = [
        ConformanceCase(
            "exp-4.observe", "EXP-4", "An observed query has a new result when an object expires", level: .live
        ) { environment in
            let db = try await environment.open(Visit.self) { $0.expiry.sweepInterval = nil }
            let date = Date().addingTimeInterval(0.6)
            try await db.save([Visit("a", until: date), Visit("b"), Visit("c", until: date.addingTimeInterval(3_600))])
            var results = db.query(Visit.self).observe().makeAsyncIterator()
            try expect(try await results.next()?.objects.map(\.token), equals: ["a", "b", "c"], "the first result")
            let second = try await results.next()
            try expect(second?.objects.map(\.token), equals: ["b", "c"], "the result after it expired")
            try expect(second?.difference.removed, equals: [Key("a")], "what was removed")
            try expect(Date() < date.addingTimeInterval(2), "The result came late.")
        },
        ConformanceCase("exp-4.events", "EXP-4", "Who listens is told of what is swept", level: .live) { environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            try await db.save([Visit("a", until: date), Visit("b"), Visit("c", until: date)])
            var events = db.events(of: Visit.self).makeAsyncIterator()
            clock.now = date
            try await db.sweepExpired(Visit.self)
            for token in ["a", "c"] {
                let event = try await events.next()
                try expect(event?.kind, equals: .deleted, "the kind of an event")
                try expect(event?.key, equals: Key(token), "the key of an event")
            }
            let kept = try expect(some: try await db.find(Visit.self, key: "b"), "an object")
            kept.rank = 1
            try await db.save(kept)
            try expect(try await events.next()?.kind, equals: .updated, "the event of a save")
        },
        ConformanceCase(
            "exp-4.upserted", "EXP-4", "Who listens is told of what is upserted, and of what was in its way",
            level: .live
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(SeatHold.self) { clock.attach(to: &$0) }
            var events = db.events(of: SeatHold.self).makeAsyncIterator()
            let date = clock.now.addingTimeInterval(10)
            try await db.upsertWithoutReturning([SeatHold(code: "a", seat: 1, until: date)])
            clock.now = date
            try await db.upsertWithoutReturning([SeatHold(code: "a", seat: 2)])
            try await db.upsertWithoutReturning([SeatHold(code: "a", seat: 3), SeatHold(code: "b", seat: 3)])
            for (kind, key) in [
                (ObjectEventKind.saved, "a"), (.deleted, "a"), (.saved, "a"), (.saved, "a"), (.saved, "b"),
            ] {
                let event = try await events.next()
                try expect(event?.kind, equals: kind, "the kind of an event")
                try expect(event?.key, equals: Key(key), "the key of an event")
            }
        },
    ]
}
