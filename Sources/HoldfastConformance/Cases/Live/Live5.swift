import Foundation
import Holdfast

/// Notifications of an engine's own: delivered after the commit, and refused where there are none.
extension ConformanceCase {
    static let live5: [ConformanceCase] = [
        ConformanceCase(
            "live-5.delivered", "LIVE-5", "Notifications come after their commit, in order, to all who listen",
            level: .live, requires: [.notifications]
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            let name = "a \"channel\" \(UUID().uuidString.prefix(8))"
            var first = try await db.notifications(on: name).makeAsyncIterator()
            var second = try await db.notifications(on: name).makeAsyncIterator()
            var elsewhere = try await other.notifications(on: name).makeAsyncIterator()
            try await other.notify(name, "one")
            try await db.notify("another", "nobody listens")
            try? await db.transaction { tx in
                try await tx.notify(name, "undone")
                throw CancellationError()
            }
            try await db.transaction { tx in
                try await tx.notify(name, "two")
                try await other.notify(name, "in between")
                try await tx.notify(name, "\u{1F600}")
            }
            let expected = ["one", "in between", "two", "\u{1F600}"]
                .map { DatabaseNotification.received(channel: name, payload: $0) }
            for notification in expected {
                try expect(try await first.next(), equals: notification, "a notification")
                try expect(try await second.next(), equals: notification, "a notification of the second consumer")
                try expect(try await elsewhere.next(), equals: notification, "a notification of another program")
            }
            try await expect(.invalidValue, from: "a channel without a name") { try await db.notify("") }
            try await expect(.invalidValue, from: "a name that is too long") {
                _ = try await db.notifications(on: String(repeating: "x", count: 64))
            }
            try await expect(.invalidValue, from: "a payload that is too long") {
                try await db.notify(name, String(repeating: "x", count: 8_000))
            }
        },
        ConformanceCase(
            "live-5.wakes", "LIVE-5", "Where an engine notifies, the log is read as soon as others have committed",
            level: .live, requires: [.notifications]
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let other = try await environment.open()
            _ = try await db.notifications(on: "any channel")  // refused where there are none
            var counts = db.query(LoggedPage.self).observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await counts.next(), equals: 0, "the first count")
            try await Task.sleep(for: .milliseconds(200))  // until it listens
            for round in 1...4 {
                try await other.sql("INSERT INTO logged_page (title, rank) VALUES ('by SQL', 1)").execute()
                try await expect(within: .seconds(2), "the count of round \(round)") {
                    try expect(try await counts.next(), equals: round, "the count")
                }
            }
        },
        ConformanceCase(
            "live-5.bounded", "LIVE-5", "Who is too slow, or was cut off, learns that something may be missing",
            level: .live, requires: [.notifications, .terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            let name = "bounded \(UUID().uuidString.prefix(8))"
            var notifications = try await db.notifications(on: name, buffer: 2).makeAsyncIterator()
            var marker = try await db.notifications(on: name).makeAsyncIterator()
            for number in 1...5 { try await other.notify(name, "\(number)") }
            for _ in 1...5 { _ = try await marker.next() }
            var seen: [DatabaseNotification?] = []
            for _ in 0..<3 { seen.append(try await notifications.next()) }
            try expect(
                seen,
                equals: [
                    .mayHaveMissed, .received(channel: name, payload: "4"), .received(channel: name, payload: "5"),
                ], "what is left of five in a buffer of two")
            try await environment.terminateSessions()
            try expect(
                try await notifications.next(), equals: .mayHaveMissed, "the first after the connection was lost")
            try await environment.open().notify(name, "later")
            try expect(
                try await notifications.next(), equals: .received(channel: name, payload: "later"), "the next")
        },
        ConformanceCase(
            "live-5.ends", "LIVE-5", "Listening ends with its task and with the database", level: .live,
            requires: [.notifications]
        ) { environment in
            let db = try await environment.open(Note.self)
            let name = "ends \(UUID().uuidString.prefix(8))"
            let listening = try await db.notifications(on: name)
            let task = Task {
                var count = 0
                for try await _ in listening { count += 1 }
                return count
            }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            try expect(try await task.value, equals: 0, "the notifications of a cancelled task")
            let closed = Task {
                _ = try await expect(.closed, from: "the notifications of a closed database") {
                    for try await _ in listening {}
                }
            }
            try await Task.sleep(for: .milliseconds(20))
            try await db.close()
            try await closed.value
        },
    ]
}
