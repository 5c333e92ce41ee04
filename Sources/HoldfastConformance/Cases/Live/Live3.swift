import Foundation
import Holdfast

/// The log of changes, which triggers write: every committed change once, whoever made it.
extension ConformanceCase {
    static let live3: [ConformanceCase] = [
        ConformanceCase(
            "live-3.rows", "LIVE-3",
            "Each row that is inserted, updated or deleted is logged once, with key and columns",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let start = try await db.changeToken()
            let page = LoggedPage("one", tags: ["a", "b"])
            try await db.save(page)
            page.title = "1"
            try await db.save(page)
            page.tags = ["a"]
            try await db.save(page)
            try await db.sql("UPDATE logged_page SET rank = rank").execute()
            try await db.query(LoggedPage.self).update { $0.rank.set(2) }
            let id = try expect(some: page.id, "the key")
            try await db.delete(page)
            let changes = try await db.loggedChanges(of: LoggedPage.self, after: start)
            var seen: [String] = []
            for change in changes {
                try expect(try change.key(of: LoggedPage.self), equals: Key(id), "the key of a change")
                let text = "\(change.kind) \(change.columns.joined(separator: ","))"
                // An engine logs each element, or all of a statement together.
                if seen.last != text { seen.append(text) }
            }
            let expected = ["inserted ", "updated tags", "updated title", "updated tags", "updated rank", "deleted "]
            try expect(seen, equals: expected, "the changes of a page")
            try expect(changes.map(\.number) == changes.map(\.number).sorted(), "The changes are not in order.")
        },
        ConformanceCase(
            "live-3.statements", "LIVE-3", "SQL, changed keys, foreign keys and other programs are logged",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self, LoggedPart.self)
            let other = try await environment.open()
            let start = try await db.changeToken()
            try await db.sql("INSERT INTO logged_part (owner, number, size) VALUES ('a', 1, 0.5), ('b', 2, 1)")
                .execute()
            try await other.sql("UPDATE logged_part SET number = 3 WHERE owner = 'b'").execute()
            try await other.sql("DELETE FROM logged_part WHERE owner = 'a'").execute()
            let parts = try await db.loggedChanges(of: LoggedPart.self, after: start)
            try expect(
                parts.map { "\($0.kind) \($0.keyTexts.map { $0 ?? "nil" })" }.sorted(),
                equals: [
                    #"deleted ["a", "1"]"#, #"deleted ["b", "2"]"#, #"inserted ["a", "1"]"#, #"inserted ["b", "2"]"#,
                    #"inserted ["b", "3"]"#,
                ], "the changes of parts")
            try expect(
                try parts.first?.key(of: LoggedPart.self),
                equals: Key(
                    parts.first?.keyTexts.first.flatMap { $0 } ?? "",
                    Int64(parts.first?.keyTexts.last.flatMap { $0 } ?? "") ?? 0),
                "the key of a part")
            let parent = LoggedPage("parent")
            let child = LoggedPage("child", parent: parent)
            try await db.save(child)
            let token = try await db.changeToken()
            let (parentKey, childKey) = (Key(parent.id ?? 0), Key(child.id ?? 0))
            try await db.query(LoggedPage.self).where { $0.title == "parent" }.delete()
            let changes = try await db.loggedChanges(of: LoggedPage.self, after: token)
            let seen = try Set(changes.map { "\($0.kind) \(try $0.key(of: LoggedPage.self) == parentKey)" })
            try expect(seen, equals: ["deleted true", "updated false"], "the changes by a foreign key")
            let updated = changes.first { $0.kind == .updated }
            try expect(updated?.columns, equals: ["parent_id"], "the column that the foreign key set to NULL")
            try expect(try updated?.key(of: LoggedPage.self), equals: childKey, "the row that refers")
        },
        ConformanceCase(
            "live-3.resume", "LIVE-3",
            "Reading goes on from a token, in batches, and rolled back changes are not there",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let start = try await db.changeToken()
            try await db.save((0..<10).map { LoggedPage("p\($0)", rank: $0) })
            try? await db.transaction { tx in
                try await tx.save(LoggedPage("undone"))
                throw CancellationError()
            }
            try await db.transaction { tx in
                try? await tx.transaction { nested in
                    try await nested.save(LoggedPage("undone"))
                    throw CancellationError()
                }
                try await tx.save(LoggedPage("kept"))
            }
            var (token, numbers): (ChangeToken, [Int64]) = (start, [])
            for limit in [1, 3, 2, 4, 1] {
                var batches = db.changes(of: LoggedPage.self, after: token, limit: limit).makeAsyncIterator()
                let batch = try expect(some: try await batches.next(), "a batch")
                try expect(batch.changes.count, equals: limit, "the number of changes of a batch")
                numbers += batch.changes.map(\.number)
                token = try expect(some: ChangeToken(batch.token.description), "the token of \(batch.token)")
                try await db.acknowledge(token, by: "reader")
                try expect(try await db.acknowledgedToken(of: "reader"), equals: token, "the acknowledged token")
            }
            let all = try await db.loggedChanges(of: LoggedPage.self, after: start)
            try expect(numbers, equals: all.map(\.number), "the numbers of all changes")
            try expect(all.count, equals: 11, "the number of changes")
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: token).count, equals: 0, "what is left")
        },
        ConformanceCase(
            "live-3.order", "LIVE-3", "What commits later is read later, whatever its number", level: .live,
            requires: [.concurrentWriters]
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let other = try await environment.open()
            let start = try await db.changeToken()
            let (early, late) = (LoggedPage("takes the lower number"), LoggedPage("commits first"))
            var token = start
            if db.capabilities.hasConcurrentWriters {
                try await db.transaction { tx in
                    try await tx.save(early)
                    try await other.save(late)
                    var batches = other.changes(of: LoggedPage.self, after: start).makeAsyncIterator()
                    let batch = try expect(some: try await batches.next(), "what is committed")
                    try expect(batch.changes.count, equals: 1, "the number of committed changes")
                    try expect(
                        try batch.changes.first?.key(of: LoggedPage.self), equals: Key(late.id ?? 0),
                        "what was committed")
                    token = batch.token
                }
            } else {
                try await other.save(late)
                token = try await other.changeToken()
                try await db.save(early)
            }
            let rest = try await db.loggedChanges(of: LoggedPage.self, after: token)
            try expect(try rest.map { try $0.key(of: LoggedPage.self) }, equals: [Key(early.id ?? 0)], "the rest")
        },
        ConformanceCase(
            "live-3.old", "LIVE-3", "Old values are read exactly, of every type", level: .live
        ) { environment in
            let (old, changes) = try await changeValues(environment)
            let update = changes[1]
            try expect(try update.key(of: LoggedValues.self), equals: Key(old.id), "the key")
            try expect(try update.oldValue(\LoggedValues.flag), equals: true, "a Bool")
            try expect(try update.oldValue(\LoggedValues.small), equals: old.small, "an Int16")
            try expect(try update.oldValue(\LoggedValues.large), equals: old.large, "an Int64")
            try expect(try update.oldValue(\LoggedValues.single), equals: old.single, "a Float")
            try expect(try update.oldValue(\LoggedValues.double), equals: old.double, "a Double")
            try expect(try update.oldValue(\LoggedValues.amount), equals: old.amount, "a Decimal")
            try expect(try update.oldValue(\LoggedValues.text), isExactly: old.text, "a String")
            try expect(try update.oldValue(\LoggedValues.data), equals: old.data, "Data")
            try expect(try update.oldValue(\LoggedValues.at), equals: old.at, "a Date")
            try expect(try update.oldValue(\LoggedValues.other), equals: old.other, "a UUID")
            try expect(try update.oldValue(\LoggedValues.note), equals: "n", "an optional")
        },
        ConformanceCase(
            "live-3.old-of-changed", "LIVE-3",
            "A change has the old values of the columns that changed, and a deletion all of them",
            level: .live
        ) { environment in
            let (_, changes) = try await changeValues(environment)
            try expect(changes[2].columns, equals: ["text"], "the columns of the second update")
            try expect(changes[2].oldTexts, equals: ["text": ""], "the old values of the second update")
            try expect(try changes[3].oldValue(\LoggedValues.single), equals: .infinity, "a deleted Float")
            try expect(try changes[3].oldValue(\LoggedValues.note), equals: nil, "a deleted nil")
            try expect(try changes[3].oldValue(\LoggedValues.large), equals: .min, "a deleted Int64")
        },
        ConformanceCase(
            "live-3.trim", "LIVE-3", "A trimmed log says so to whoever is too far behind, and to nobody else",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let start = try await db.changeToken()
            try await db.save(LoggedPage("one"))
            let second = try await db.changeToken()
            try await db.save(LoggedPage("two"))
            try await db.trimChanges(acknowledged: true)
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: start).count, equals: 2,
                "what is kept without consumers")
            try await db.acknowledge(second, by: "fast")
            try await db.acknowledge(start, by: "slow")
            try await db.trimChanges(acknowledged: true)
            try expect(
                try await db.loggedChanges(of: LoggedPage.self, after: start).count, equals: 2,
                "what the slowest consumer needs")
            try expect(try await db.forgetConsumer("slow"), equals: true, "whether it was forgotten")
            try await db.expectTrimmed(after: start, "a token that is too old") { db in
                try await db.acknowledge(try await db.changeToken(), by: "fast")
                try await db.trimChanges(acknowledged: true)
            }
            try await db.expectEntries(0, "when all are older than now") { try await $0.trimChanges(olderThan: .zero) }
            try await db.save((0..<5).map { LoggedPage("\($0)") })
            try await db.expectEntries(2, "when two are kept") { try await $0.trimChanges(keeping: 2) }
            let end = try await db.changeToken()
            try expect(try await db.loggedChanges(of: LoggedPage.self, after: end).count, equals: 0, "the end")
        },
        ConformanceCase(
            "live-3.wakes", "LIVE-3", "Changes of other programs wake readers of the log and observed queries",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            let other = try await environment.open()
            var changes = db.changes(of: LoggedPage.self, after: try await db.changeToken()).makeAsyncIterator()
            var counts = db.query(LoggedPage.self).observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await counts.next(), equals: 0, "the first count")
            // Who holds an object may be of any type: all tables are watched.
            var unheld = db.query(LoggedPage.self).unreferenced(by: \LoggedPage.parent)
                .observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await unheld.next(), equals: 0, "the first count of what nobody holds")
            for round in 1...3 {
                try await other.sql("INSERT INTO logged_page (title, rank) VALUES ('by SQL', 1)").execute()
                let batch = try expect(some: try await changes.next(), "the changes of round \(round)")
                try expect(batch.changes.map(\.kind), equals: [.inserted], "the changes")
                try expect(try await counts.next(), equals: round, "the count")
                try expect(try await unheld.next(), equals: round, "the count of what nobody holds")
            }
        },
        ConformanceCase(
            "live-3.drift", "LIVE-3", "A log whose triggers are gone, or are others, is told of", level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            try expect(
                try await db.drift(LoggedPage.self).map(\.description), equals: [], "the drift of a logged table")
            let triggers = try await db.schema().table("logged_page")?.triggers ?? []
            let name = try expect(some: triggers.first { $0.contains("log_") && $0.contains("update") }, "a trigger")
            do {
                try await db.sql(SQLFragment(unsafe: "DROP TRIGGER \(name) ON logged_page")).execute()
            } catch {
                try await db.sql(SQLFragment(unsafe: "DROP TRIGGER \(name)")).execute()
            }
            let drift = try await db.drift(LoggedPage.self)
            try expect(drift.map(\.element), equals: [.trigger(name)], "the drift without a trigger")
            try await db.migrate(LoggedPage.self)
            try expect(try await db.drift(LoggedPage.self).isEmpty, equals: true, "whether migrate makes it anew")
        },
        ConformanceCase(
            "live-3.evolution", "LIVE-3", "The log follows a table through new, renamed and dropped columns",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedVersions.Plain.self)
            _ = try await db.save(LoggedVersions.Plain(id: 1, title: "not logged"))
            try await expect(.notMigrated, from: "a token without a log") { _ = try await db.changeToken() }
            try await db.migrate(LoggedVersions.First.self)
            try expect(try await db.migrate(LoggedVersions.First.self).isEmpty, equals: true, "whether nothing is left")
            var token = try await db.changeToken()
            func changes(_ what: String) async throws -> [String] {
                let query = db.changes(
                    of: LoggedVersions.First.self, LoggedVersions.Third.self, after: token)
                let batch = try await query.fetch()
                token = batch.token
                return batch.changes.map { "\($0.table) \($0.kind) \($0.columns.joined(separator: ","))" }
            }
            try await db.sql("UPDATE logged_version SET title = 'a'").execute()
            try expect(try await changes("first"), equals: ["logged_version updated title"], "the first version")
            // A program that logs nothing leaves the log as it is.
            try expect(try await db.migrate(LoggedVersions.Plain.self).isEmpty, equals: true, "whether nothing changes")
            try await db.migrate(LoggedVersions.Second.self)
            try await db.sql("UPDATE logged_version SET name = 'b', rank = 2").execute()
            try expect(
                try await changes("second"), equals: ["logged_version updated name,rank"], "the second version")
            try await db.migrate(
                Schema(LoggedVersions.Third.self, allowing: [.dropping(column: "name", of: "logged_memo")]))
            try await db.sql("UPDATE logged_memo SET text = 'c'").execute()
            try expect(try await changes("third"), equals: ["logged_memo updated text"], "the third version")
            try await db.migrate(Schema(LoggedVersions.Third.self))
            try await db.migrate(Schema(LoggedVersions.Fourth.self, allowing: [.leavingLog(of: "logged_memo")]))
            try await db.sql("UPDATE logged_memo SET text = 'd'").execute()
            try expect(try await changes("plain"), equals: [], "what is logged no more")
        },
        ConformanceCase(
            "live-3.random", "LIVE-3", "Random writers and a reader in small batches end with the same rows",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPart.self)
            let other = try await environment.open()
            var random = SplitMix64(state: environment.seed)
            var (token, seen, last): (ChangeToken, Set<Key>, Int64) = (try await db.changeToken(), [], 0)
            for round in 0..<60 {
                let (owner, number) = ("o\(random.next() % 3)", Int64(random.next() % 6))
                let writer = random.next() % 2 == 0 ? db : other
                switch random.next() % 5 {
                case 0, 1: _ = try await writer.save(LoggedPart(owner: owner, number: number, size: Double(round)))
                case 2: try await writer.query(LoggedPart.self).where { $0.number == number }.delete()
                case 3:
                    try await writer.sql("DELETE FROM logged_part WHERE owner = \(owner) AND number >= 100").execute()
                    try await writer.sql(
                        "UPDATE logged_part SET number = number + 100 WHERE owner = \(owner) AND number < 100"
                    ).execute()
                default: try await writer.query(LoggedPart.self).update { $0.size.set($0.size.current + 1) }
                }
                let limit = Int(1 + random.next() % 7)
                var isBehind = round % 5 == 4
                repeat {
                    let batch = try await db.changes(of: LoggedPart.self, after: token, limit: limit).fetch()
                    token = batch.token
                    if batch.changes.isEmpty { isBehind = false }
                    for change in batch.changes {
                        try expect(change.number > last, "The change \(change.number) came after \(last).")
                        last = change.number
                        let key = try expect(some: try change.key(of: LoggedPart.self), "the key of a change")
                        switch change.kind {
                        case .inserted: try expect(seen.insert(key).inserted, "\(key) came twice.")
                        case .deleted: try expect(seen.remove(key) != nil, "\(key) went before it came.")
                        default: try expect(seen.contains(key), "\(key) changed before it came.")
                        }
                    }
                } while isBehind
                guard round % 5 == 4 else { continue }
                let keys = Set(try await db.query(LoggedPart.self).fetch().map { Key($0.owner, $0.number) })
                try expect(seen, equals: keys, "the rows after \(round + 1) rounds with the seed \(environment.seed)")
            }
        },
        ConformanceCase(
            "live-3.refused", "LIVE-3", "Tokens and tables that can't be read are refused", level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            try expect(ChangeToken("nonsense"), equals: nil, "a token of a text that is none")
            let other = try expect(some: ChangeToken("1/another/'; DROP TABLE logged_page"), "a token by form")
            try await expect(.invalidValue, from: "a position of no engine") {
                _ = try await db.loggedChanges(of: LoggedPage.self, after: other)
            }
            let own = try await db.changeToken().description.split(separator: "/").map(String.init)
            let foreign = try expect(some: ChangeToken("1/another/\(own[2])"), "a token of another log")
            try await expect(.changesTrimmed, from: "a token of another log") {
                _ = try await db.loggedChanges(of: LoggedPage.self, after: foreign)
            }
            try await expect(.conflict, from: "a log of a table that is only read") {
                try await db.migrate(LoggedVersions.View.self)
            }
        },
    ]

    /// Inserts a row with a value of each type, updates all of it, then one column, and deletes it.
    private static func changeValues(
        _ environment: ConformanceEnvironment
    ) async throws -> (old: LoggedValues, changes: [LoggedChange]) {
        let db = try await environment.open(LoggedValues.self)
        let start = try await db.changeToken()
        let at = Date(timeIntervalSince1970: 1_700_000_000.123456)
        let old = LoggedValues(
            id: UUID(), flag: true, small: -32768, large: .max, single: 0.1, double: 1.0 / 3,
            amount: Decimal(string: "12345678901234567890.12345")!, text: "\"é\u{1F600}\\\n",
            data: Data([0, 255, 1]),
            at: at, other: UUID(), note: "n")
        _ = try await db.save(old)
        var new = LoggedValues(
            id: old.id, flag: false, small: 1, large: .min, single: .infinity, double: -0.5, amount: 0, text: "",
            data: Data(), at: Date(timeIntervalSince1970: 0), other: UUID(), note: nil)
        _ = try await db.save(new)
        new.text = "only this"
        _ = try await db.save(new)
        try await db.query(LoggedValues.self).delete()
        let changes = try await db.loggedChanges(of: LoggedValues.self, after: start)
        try expect(changes.map(\.kind), equals: [.inserted, .updated, .updated, .deleted], "the changes")
        return (old, changes)
    }
}

extension Database {
    /// The changes that are committed by now.
    func loggedChanges(of type: any TableObject.Type, after token: ChangeToken) async throws -> [LoggedChange] {
        try await changes(of: type, after: token).fetch().changes
    }

    /// Trims until a token is too old: entries stay while any transaction is open that began before they were made.
    fileprivate func expectTrimmed(
        after token: ChangeToken, _ what: String, _ trim: nonisolated(nonsending) (Database) async throws -> Void
    ) async throws {
        for _ in 0..<100 {
            try await trim(self)
            do {
                _ = try await loggedChanges(of: LoggedPage.self, after: token)
            } catch let error as DatabaseError where error.code == .changesTrimmed {
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        try expect(false, "\(what) was not refused.")
    }

    /// Trims until the log has so many entries.
    fileprivate func expectEntries(
        _ count: Int, _ what: String, _ trim: nonisolated(nonsending) (Database) async throws -> Void
    ) async throws {
        var found: [Int] = []
        for _ in 0..<100 where found != [count] {
            try await trim(self)
            found = try await sql("SELECT count(*) FROM holdfast_log").fetch(as: Int.self)
            if found != [count] { try await Task.sleep(for: .milliseconds(50)) }
        }
        try expect(found, equals: [count], "the entries \(what)")
    }
}
