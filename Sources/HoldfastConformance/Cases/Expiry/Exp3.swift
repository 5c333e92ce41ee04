import Foundation
import Holdfast

/// The deletion of what has expired.
extension ConformanceCase {
    static let exp3: [ConformanceCase] = [
        ConformanceCase("exp-3.sweep", "EXP-3", "A sweep deletes the rows that have expired, with their arrays") {
            environment in
            let clock = SetClock()
            let db = try await environment.open(Visit.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            try await db.save((0..<1_700).map { Visit("\($0)", tags: ["t"], until: $0 < 1_600 ? date : nil) })
            try expect(try await db.sweepExpired(Visit.self), equals: 0, "what was swept too early")
            clock.now = date
            try expect(try await db.sweepExpired(Visit.self), equals: 1_600, "what was swept")
            try expect(try await db.sweepExpired(Visit.self), equals: 0, "what was swept again")
            try expect(
                try await db.sql("SELECT count(*) FROM visit").fetch(as: Int.self), equals: [100], "the rows left")
            try expect(
                try await db.sql("SELECT count(*) FROM visit_tags").fetch(as: Int.self), equals: [100],
                "the elements left")
        },
        ConformanceCase(
            "exp-3.sweepers", "EXP-3",
            "Several that sweep at the same time delete each row once, and never a later date"
        ) { environment in
            let clock = SetClock()
            func open() async throws -> Database {
                try await environment.open { clock.attach(to: &$0) }
            }
            let databases = [try await open(), try await open(), try await open()]
            try await databases[0].migrate(Visit.self)
            let date = clock.now.addingTimeInterval(10)
            try await databases[0].save((0..<4_000).map { Visit("\($0)", until: date) })
            // Of a few, the date is put off before they expire.
            try await databases[1].query(Visit.self).where { $0.token.hasPrefix("39") }
                .update { $0.until.set(date.addingTimeInterval(60)) }
            let late = try await databases[1].query(Visit.self).where { $0.token.hasPrefix("39") }.count()
            clock.now = date
            let swept = try await withThrowingTaskGroup { group in
                for database in databases { group.addTask { try await database.sweepExpired(Visit.self) } }
                return try await group.reduce(0, +)
            }
            let rest = try await databases[2].sweepExpired(Visit.self)
            try expect(swept + rest, equals: 4_000 - late, "what they swept together")
            try expect(try await databases[0].count(Visit.self), equals: late, "what is left")
        },
        ConformanceCase(
            "exp-3.background", "EXP-3", "Rows that have expired are deleted in the background, until the end"
        ) { environment in
            let db = try await environment.open(Visit.self) { $0.expiry.sweepInterval = .milliseconds(100) }
            try await db.save([Visit("a", until: Date().addingTimeInterval(0.3)), Visit("b")])
            try await expect(within: .seconds(20), "The row is still there.") {
                while try await db.sql("SELECT count(*) FROM visit").fetch(as: Int.self) != [1] {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            try await db.save(Visit("c", until: Date().addingTimeInterval(0.5)))
            try await db.close()
            let other = try await environment.open { $0.expiry.sweepInterval = nil }
            try await Task.sleep(for: .seconds(1))
            try expect(
                try await other.sql("SELECT count(*) FROM visit").fetch(as: Int.self), equals: [2],
                "the rows, some time after the database was closed")
        },
        ConformanceCase(
            "exp-3.refused", "EXP-3", "What can't be deleted is passed over, and all else is swept", level: .graph
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(ExpiringBadge.self, BadgeHolder.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            let held = [ExpiringBadge("held", until: date), ExpiringBadge("held too", until: date)]
            try await db.save(held)
            try await db.save(held.map { BadgeHolder($0) })
            try await db.save((0..<700).map { ExpiringBadge("\($0)", until: date.addingTimeInterval(1)) })
            clock.now = date.addingTimeInterval(1)
            try await expect(.foreignKeyViolation, from: "a sweep of what is needed") {
                try await db.sweepExpired(ExpiringBadge.self)
            }
            try expect(
                try await db.sql("SELECT count(*) FROM expiring_badge").fetch(as: Int.self), equals: [2],
                "the rows left")
            try expect(try await db.count(BadgeHolder.self), equals: 0, "what can't be without a badge")
            try await db.sql("DELETE FROM badge_holder").execute()
            try expect(
                try await db.sweepExpired(ExpiringBadge.self), equals: 2, "what was swept once nothing needed it")
        },
        ConformanceCase(
            "exp-3.many-refused", "EXP-3",
            "However many can't be deleted, those behind them are swept: some by the next sweep", level: .graph
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(ExpiringBadge.self, BadgeHolder.self) { clock.attach(to: &$0) }
            let date = clock.now.addingTimeInterval(10)
            // Of one date, so that the keys tell which comes first.
            let held = (0..<1_200).map { ExpiringBadge("held \($0)", until: date) }
            let free = ExpiringBadge("free", until: date)
            try await db.save(held[..<600] + [free] + held[600...])
            try await db.save(held.map { BadgeHolder($0) })
            try await db.save((0..<30).map { ExpiringBadge("\($0)", until: date.addingTimeInterval(1)) })
            clock.now = date.addingTimeInterval(1)
            for _ in 0..<2 {
                try await expect(.foreignKeyViolation, from: "a sweep of what is needed") {
                    try await db.sweepExpired(ExpiringBadge.self)
                }
            }
            try expect(
                try await db.sql("SELECT count(*) FROM expiring_badge").fetch(as: Int.self), equals: [1_200],
                "the rows left")
            try await db.sql("DELETE FROM badge_holder").execute()
            try expect(
                try await db.sweepExpired(ExpiringBadge.self), equals: 1_200, "what was swept once nothing needed it")
        },
    ]
}

/// An object that expires and may be needed.
@Table
final class ExpiringBadge {
    var id: Int64?
    var name: String
    @Expires var until: Date

    init(_ name: String, until: Date) { (self.name, self.until) = (name, until) }
}

/// An object that needs a badge, and does not go with it.
@Table
final class BadgeHolder {
    var id: Int64?
    var badge: ExpiringBadge

    init(_ badge: ExpiringBadge) { self.badge = badge }
}
