import Foundation
import Holdfast
import Logging

/// What becomes of the log, and of tokens, when databases are restored, tables get other names, and entries can't be
/// read.
extension ConformanceCase {
    static let live4: [ConformanceCase] = [
        ConformanceCase(
            "live-4.restored", "LIVE-4",
            "A token of a later state than the log's is refused, for as long as it is kept, and earlier ones go on",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            try await db.save(LoggedPage("one"))
            let backup = try await db.changeToken()
            try await db.save(LoggedPage("two"))
            let later = try await db.changeToken()
            let part = try await db.changes(of: LoggedPage.self, after: backup, limit: 1).fetch().token
            try await db.putBackLog(by: 1)
            for token in [later, part] {
                try await expect(.changesTrimmed, from: "a later token") {
                    _ = try await db.loggedChanges(of: LoggedPage.self, after: token)
                }
            }
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: backup).count, equals: 0,
                "what the log has after the backup")
            // They take the numbers of what is gone, at another time.
            try await Task.sleep(for: .milliseconds(5))
            try await db.save((0..<3).map { LoggedPage("again \($0)") })
            for token in [later, part] {
                try await expect(.changesTrimmed, from: "a later token, whose number there is again") {
                    _ = try await db.loggedChanges(of: LoggedPage.self, after: token)
                }
            }
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: backup).count, equals: 3,
                "the changes after a backup")
            let new = try await db.changeToken()
            try await db.save(LoggedPage("new"))
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: new).count, equals: 1,
                "the changes after a new token")
        },
        ConformanceCase(
            "live-4.emptied", "LIVE-4", "A token of a log that was trimmed is recognized by what was trimmed last",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            try await db.save((0..<3).map { LoggedPage("\($0)") })
            try await db.trimAll()
            let token = try await db.changeToken()
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: token).count, equals: 0, "what is left")
            // As the state was before it was trimmed, without its latest entries.
            try await db.sql("UPDATE holdfast_log_state SET last_number = last_number - 1, last_at = last_at - 1")
                .execute()
            try await expect(.changesTrimmed, from: "a token of what is not known") {
                _ = try await db.loggedChanges(of: LoggedPage.self, after: token)
            }
        },
        ConformanceCase(
            "live-4.renewed", "LIVE-4", "A log that is renewed refuses every token from before, and no new one",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let none = try await environment.open()
            let start = try await db.changeToken()
            try await db.save((0..<3).map { LoggedPage("\($0)") })
            let end = try await db.changeToken()
            try await db.acknowledge(start, by: "behind")
            try await none.renewChangeLog()
            for token in [start, end] {
                try await expect(.changesTrimmed, from: "a token of the old log") {
                    _ = try await db.loggedChanges(of: LoggedPage.self, after: token)
                }
            }
            let new = try await db.changeToken()
            try await db.save(LoggedPage("new"))
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: new).count, equals: 1, "the changes since")
            // Nothing is kept for a token that is refused, and nothing is trimmed by it.
            try await db.trimChanges(acknowledged: true)
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: new).count, equals: 1, "what is kept")
            try await db.sql("UPDATE holdfast_log_consumer SET token = 'nonsense'").execute()
            try await expect(.decoding, from: "what is no token") { _ = try await db.acknowledgedToken(of: "behind") }
        },
        ConformanceCase(
            "live-4.renamed", "LIVE-4", "What was logged under former names is read under the new ones", level: .live
        ) { environment in
            let db = try await environment.open(LoggedNames.Old.self)
            let start = try await db.changeToken()
            var old = try await db.save(LoggedNames.Old(id: 1, title: "a, \"title\"", note: "n", pageTags: ["x"]))
            (old.title, old.note, old.pageTags) = ("b", #"{"title": "title"}"#, ["y"])
            _ = try await db.save(old)
            old.note = "m"
            _ = try await db.save(old)
            try await db.migrate(LoggedNames.New.self)
            try await db.query(LoggedNames.New.self).delete()
            let changes = try await db.loggedChanges(of: LoggedNames.New.self, after: start)
            try expect(try changes.allSatisfy { try $0.key(of: LoggedNames.New.self) == Key(1) }, "A key is another.")
            try expect(
                Set(changes.map { "\($0.kind) \($0.columns.sorted().joined(separator: ","))" }),
                equals: ["inserted ", "updated labels", "updated headline,note", "updated note", "deleted "],
                "the changes under their new names")
            let update = try expect(some: changes.first { $0.columns.contains("headline") }, "the update")
            try expect(try update.oldValue(\LoggedNames.New.headline), equals: "a, \"title\"", "the old title")
            try expect(try update.oldValue(\LoggedNames.New.note), equals: "n", "the old note")
            let note = try expect(some: changes.first { $0.columns == ["note"] }, "the second update")
            try expect(
                try note.oldValue(\LoggedNames.New.note), equals: #"{"title": "title"}"#, "a text with a former name")
        },
        ConformanceCase(
            "live-4.unreadable", "LIVE-4",
            "An entry that can't be read is told of after those before it, with the place behind it", level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let start = try await db.changeToken()
            try await db.save(LoggedPage("one"))
            try await db.spoilLog()
            try await db.save(LoggedPage("two"))
            for limit in [1000, 1] {
                var (token, kinds) = (start, [LoggedChange.Kind]())
                let first = try await db.changes(of: LoggedPage.self, after: token, limit: limit).fetch()
                kinds += first.changes.map(\.kind)
                token = first.token
                do {
                    _ = try await db.changes(of: LoggedPage.self, after: token, limit: limit).fetch()
                    try expect(false, "The entry was read.")
                } catch let error as DatabaseError {
                    try expect(error.code, equals: .decoding, "the code of an entry that can't be read")
                    let behind = try expect(some: error.changeToken, "the place behind the entry")
                    token = try expect(some: ChangeToken(behind.description), "its text")
                }
                let rest = try await db.changes(of: LoggedPage.self, after: token, limit: limit).fetch()
                kinds += rest.changes.map(\.kind)
                try expect(kinds, equals: [.inserted, .inserted], "the changes in batches of \(limit)")
                try expect(
                    try await db.loggedChanges(of: LoggedPage.self, after: rest.token).count, equals: 0, "the rest")
            }
        },
        ConformanceCase(
            "live-4.watching", "LIVE-4", "Observed queries see past an entry that can't be read, and the log says so",
            level: .live
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(LoggedPage.self) { $0.telemetry.logger = recorder.logger(.warning) }
            let other = try await environment.open()
            var counts = db.query(LoggedPage.self).observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await counts.next(), equals: 0, "the first count")
            try await other.sql("INSERT INTO logged_page (title, rank) VALUES ('one', 1)").execute()
            try expect(try await counts.next(), equals: 1, "the count before")
            try await other.transaction { tx in
                try await tx.sql("INSERT INTO logged_page (title, rank) VALUES ('two', 1)").execute()
                try await tx.spoilLog()
                try await tx.sql("DELETE FROM holdfast_log WHERE row_key <> 'nonsense'").execute()
            }
            try expect(try await counts.next(), equals: 2, "the count after the entry")
            try await other.sql("INSERT INTO logged_page (title, rank) VALUES ('three', 1)").execute()
            try expect(try await counts.next(), equals: 3, "the count at last")
            try expect(recorder.lines.count { $0.contains("change log") }, equals: 1, "the warnings")
        },
    ]
}

extension DatabaseContext {
    /// Adds an entry that no trigger has written, by the transaction of the latest one.
    fileprivate func spoilLog() async throws {
        try await sql(
            """
            INSERT INTO holdfast_log (at, table_name, kind, row_key, columns, transaction_id)
            SELECT at, table_name, kind, 'nonsense', columns, transaction_id FROM holdfast_log ORDER BY id DESC LIMIT 1
            """
        ).execute()
    }
}

extension Database {
    /// Has the log be as it was some entries ago, as a backup has it.
    fileprivate func putBackLog(by count: Int) async throws {
        let rest = "(SELECT max(id) FROM holdfast_log)"
        try await sql(SQLFragment(unsafe: "DELETE FROM holdfast_log WHERE id > \(rest) - \(count)")).execute()
        do {
            _ = try await sql(
                SQLFragment(unsafe: "SELECT setval(pg_get_serial_sequence('holdfast_log', 'id'), \(rest))")
            ).fetch()
        } catch let error as DatabaseError where error.code == .syntax {
            try await sql(SQLFragment(unsafe: "UPDATE sqlite_sequence SET seq = \(rest) WHERE name = 'holdfast_log'"))
                .execute()
        }
    }

    /// Trims the log until it is empty: entries stay while any transaction is open that began before they were made.
    fileprivate func trimAll() async throws {
        for _ in 0..<100 {
            try await trimChanges(olderThan: .zero)
            if try await sql("SELECT count(*) FROM holdfast_log").fetch(as: Int.self) == [0] { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        try expect(false, "The log was not trimmed.")
    }
}
