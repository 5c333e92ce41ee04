import Foundation
import Holdfast

/// What the log has of values that are hard to write, and of tables that it lost sight of.
extension ConformanceCase {
    static let live3Values: [ConformanceCase] = [
        ConformanceCase(
            "live-3.extremes", "LIVE-3", "Each old value is read for itself and exactly: JSON, and Doubles of any size",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedExtremes.self)
            let start = try await db.changeToken()
            var random = SplitMix64(state: environment.seed)
            var doubles: [Double] = [
                .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
                -1.1545580616824966e232, 1.4523142177899403e308, 1.0 / 3, 1e23, 9_007_199_254_740_991, .infinity,
                -.infinity,
            ]
            while doubles.count < 300 {
                let double = Double(bitPattern: random.next())
                if double.isFinite { doubles.append(double) }
            }
            let detail: JSON = ["a": [1, 2.5, false, "\u{1F600}\"\\"], "b": ["c": true]]
            let at = Date(timeIntervalSince1970: -62_150_000_000)
            let text = "\u{1}\u{8}\u{C}\u{1F}\u{7F}\u{2028}\r\n\t\"\\/\u{10FFFF}"
            let rows = doubles.enumerated().map { index, double in
                LoggedExtremes(
                    id: Int64(index), double: double, single: Float(double), detail: index == 0 ? "text" : detail,
                    text: text, at: at)
            }
            _ = try await db.save(rows)
            try await db.sql("UPDATE logged_extremes SET double = 0, detail = '{}', text = ''").execute()
            try await db.query(LoggedExtremes.self).where { $0.id == 1 }.update { $0.at.set(nil) }
            try await db.sql("UPDATE logged_extremes SET double = 1, single = 0.5 WHERE id = 1").execute()
            try await db.query(LoggedExtremes.self).delete()
            let changes = try await db.loggedChanges(of: LoggedExtremes.self, after: start)
            let updates = changes.filter { $0.columns.contains("detail") }
            try expect(updates.count, equals: doubles.count, "the number of updates")
            for update in updates {
                let index = try expect(some: update.keyTexts.first.flatMap { $0 }.flatMap { Int($0) }, "the key")
                try expect(update.columns, equals: ["detail", "double", "text"], "the columns of \(index)")
                let double = try expect(some: try update.oldValue(\LoggedExtremes.double), "a Double")
                try expect(double.bitPattern, equals: doubles[index].bitPattern, "the bits of \(doubles[index])")
                let old: JSON = index == 0 ? "text" : detail
                try expect(try update.oldValue(\LoggedExtremes.detail), equals: old, "the JSON of \(index)")
                try expect(try update.oldValue(\LoggedExtremes.text), isExactly: text, "the text of \(index)")
                try expect(try update.oldValue(\LoggedExtremes.single), equals: nil, "what did not change")
            }
            let deletions = changes.filter { $0.kind == .deleted }
            try expect(deletions.count, equals: doubles.count, "the number of deletions")
            for deletion in deletions {
                let index = try expect(some: deletion.keyTexts.first.flatMap { $0 }.flatMap { Int($0) }, "the key")
                try expect(try deletion.oldValue(\LoggedExtremes.detail), equals: [:], "the JSON of \(index)")
                let single = index == 1 ? 0.5 : Float(doubles[index])
                try expect(try deletion.oldValue(\LoggedExtremes.single), equals: single, "the Float of \(index)")
                try expect(try deletion.oldValue(\LoggedExtremes.at), equals: index == 1 ? nil : at, "the date")
            }
        },
        ConformanceCase(
            "live-3.unreadable", "LIVE-3", "An old value that can't be read is told of, and hides no other one",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedExtremes.self)
            let start = try await db.changeToken()
            _ = try await db.save(LoggedExtremes(id: 1, double: 1, single: 2, text: "t"))
            try await db.query(LoggedExtremes.self).delete()
            try await db.sql(
                #"""
                UPDATE holdfast_log
                SET old_values = '{"double": "many", "single": 1e-3, "detail": {"a":[1,"}"]}, "text": null}'
                WHERE kind = 3
                """#
            ).execute()
            let changes = try await db.loggedChanges(of: LoggedExtremes.self, after: start)
            let deletion = try expect(some: changes.last, "the deletion")
            try await expect(.decoding, from: "a Double of letters") {
                _ = try deletion.oldValue(\LoggedExtremes.double)
            }
            // As earlier versions wrote them.
            try expect(try deletion.oldValue(\LoggedExtremes.single), equals: 0.001, "a number that is no text")
            try expect(try deletion.oldValue(\LoggedExtremes.detail), equals: ["a": [1, "}"]], "JSON that is no text")
            try expect(try deletion.oldValue(\LoggedExtremes.text), equals: nil, "a null")
            try await db.sql("UPDATE holdfast_log SET old_values = '{\"double\": \"1' WHERE kind = 3").execute()
            let first = try await db.changes(of: LoggedExtremes.self, after: start).fetch()
            try expect(first.changes.map(\.kind), equals: [.inserted], "what is before old values that are none")
            try await expect(.decoding, from: "old values that are none") {
                _ = try await db.loggedChanges(of: LoggedExtremes.self, after: first.token)
            }
        },
        ConformanceCase(
            "live-3.gaps", "LIVE-3", "Where triggers are made anew, the log says that changes may be missing",
            level: .live
        ) { environment in
            let db = try await environment.open(LoggedPart.self, LoggedPage.self)
            var token = try await db.changeToken()
            func changes(_ what: String) async throws -> [String] {
                let batch = try await db.changes(of: LoggedPart.self, LoggedPage.self, after: token).fetch()
                token = batch.token
                for change in batch.changes where change.kind == .gap {
                    try expect(try change.key(of: LoggedPart.self), equals: nil, "the key of a gap")
                }
                return batch.changes.map { "\($0.table) \($0.kind)" }
            }
            try await db.migrate(LoggedPart.self, LoggedPage.self)
            _ = try await db.save(LoggedPart(owner: "a", number: 1, size: 1))
            try expect(try await changes("first"), equals: ["logged_part inserted"], "the changes at first")
            try await db.sql("DROP TABLE logged_part").execute()
            try await db.migrate(LoggedPart.self, LoggedPage.self)
            _ = try await db.save(LoggedPart(owner: "b", number: 1, size: 1))
            try expect(
                try await changes("remade"), equals: ["logged_part gap", "logged_part inserted"],
                "the changes of a table that was made again")
            try await db.dropTriggers(of: "logged_part") { $0.contains("_update_") }
            try await db.sql("UPDATE logged_part SET size = 2").execute()
            try await db.migrate(LoggedPart.self, LoggedPage.self)
            try await db.sql("UPDATE logged_part SET size = 3").execute()
            try expect(
                try await changes("without a trigger"), equals: ["logged_part gap", "logged_part updated"],
                "the changes of a table whose trigger was dropped")
            try await db.dropTriggers(of: "logged_page_tags") { _ in true }
            try await db.migrate(LoggedPart.self, LoggedPage.self)
            try expect(
                try await changes("an array"), equals: ["logged_page gap"], "the changes of an array without triggers")
            // Observed queries are read again, whatever others did meanwhile.
            var counts = db.query(LoggedPart.self).observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await counts.next(), equals: 1, "the first count")
            let other = try await environment.open()
            try await other.dropTriggers(of: "logged_part") { _ in true }
            try await other.sql("INSERT INTO logged_part (owner, number, size) VALUES ('c', 1, 1)").execute()
            try await other.migrate(LoggedPart.self)
            try expect(try await counts.next(), equals: 2, "the count after a gap")
        },
    ]
}

extension Database {
    /// Drops triggers of the log as somebody might by hand.
    fileprivate func dropTriggers(of table: String, where isDropped: (String) -> Bool) async throws {
        let names = try await schema().table(table)?.triggers ?? []
        let triggers = names.filter { $0.hasPrefix("holdfast_log_") && isDropped($0) }
        try expect(!triggers.isEmpty, "There are no triggers of \(table).")
        for name in triggers {
            do {
                try await sql(SQLFragment(unsafe: "DROP TRIGGER \(name) ON \(table)")).execute()
            } catch let error as DatabaseError where error.code == .syntax {
                try await sql(SQLFragment(unsafe: "DROP TRIGGER \(name)")).execute()
            }
        }
    }
}
