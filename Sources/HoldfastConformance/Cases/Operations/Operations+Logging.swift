import Foundation
@_spi(Driver) import Holdfast
import Logging

extension ConformanceCase {
    static let logging: [ConformanceCase] = [
        ConformanceCase(
            "op-log.statements", "OP-LOG",
            "Each statement is traced with its operation, table, rows, duration and the place that called it"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Note.self, Tagged.self) { $0.logger = recorder.logger }
            func expectLines(
                of operation: String, _ words: String..., line: UInt = #line,
                _ body: nonisolated(nonsending) () async throws -> Void
            ) async throws {
                _ = recorder.take()
                try await body()
                let lines = recorder.take().filter { $0.hasPrefix("trace A statement was run.") }
                let isThere = lines.contains { line in
                    line.contains("operation=\(operation) ") && line.contains(" duration_ms=")
                        && line.contains("call_site=HoldfastConformance/Operations+Logging.swift:")
                        && words.allSatisfy(line.contains)
                }
                try expect(isThere, "Line \(line): no line about \(operation) has all it should: \(lines)")
            }
            let notes = (0..<3).map { Note("n\($0)", rank: $0) }
            try await expectLines(of: "save", "table=note", "rows=", "sql=INSERT") { try await db.save(notes[0]) }
            try await expectLines(of: "save", "table=note", "rows=4") {
                try await db.save(notes + [Note("x"), Note("y")])
            }
            try await expectLines(of: "find", "table=note", "rows=1", "sql=SELECT") {
                _ = try await db.find(Note.self, key: notes[0].id ?? 0)
            }
            try await expectLines(of: "find", "table=note", "rows=0") { _ = try await db.find(Note.self, key: -1) }
            try await expectLines(of: "fetch", "table=note", "rows=5") { _ = try await db.fetch(Note.self) }
            try await expectLines(of: "fetch", "table=note", "rows=2") {
                _ = try await db.query(Note.self).where { $0.rank > 0 && $0.title.hasPrefix("n") }.fetch()
            }
            try await expectLines(of: "count", "table=note", "rows=1") { _ = try await db.count(Note.self) }
            try await expectLines(of: "stream", "table=note", "rows=5") {
                for try await _ in db.query(Note.self).stream() {}
            }
            let tagged = Tagged("a", tags: ["x", "y"])
            try await expectLines(of: "save", "table=tagged_tags", "rows=2") { try await db.save(tagged) }
            try await expectLines(of: "fetch", "table=tagged_tags", "rows=2") { _ = try await db.fetch(Tagged.self) }
            try await expectLines(of: "update", "table=note", "rows=1") {
                _ = try await db.query(Note.self).where { $0.rank == 1 }.update { $0.rank.set(7) }
            }
            try await expectLines(of: "save", "table=note", "rows=1") {
                try await db.transaction { tx in
                    notes[0].rank = 12
                    try await tx.save(notes[0])
                }
            }
            try await expectLines(of: "find", "table=note", "rows=1") {
                try await db.transaction { tx in _ = try await tx.find(Note.self, key: notes[0].id ?? 0) }
            }
            try await expectLines(of: "delete", "table=note", "rows=1") { try await db.delete(notes[0]) }
            try await expectLines(of: "save", "table=note", "error=uniqueViolation") {
                try await db.save(Note("a", code: "c"))
                try await expect(.uniqueViolation, from: "a second one") { try await db.save(Note("b", code: "c")) }
            }
            // The text of raw SQL may hold values.
            try await expectLines(of: "sql", "rows=1") {
                _ = try await db.sql("SELECT title FROM \(Note.self) WHERE title = 'x'").fetch()
                for line in recorder.lines where line.contains("operation=sql") {
                    try expect(!line.contains("sql=SELECT title"), "The log has the text of raw SQL: \(line)")
                }
            }
        },
        ConformanceCase(
            "op-log.slow", "OP-LOG",
            "A statement that takes long is a warning with the place that called it; others are not"
        ) { environment in
            for isSlow in [true, false] {
                let recorder = LogRecorder()
                let db = try await environment.open(Note.self) {
                    $0.logger = recorder.logger(.warning)
                    $0.slowStatementThreshold = isSlow ? .zero : .seconds(60)
                }
                func expectWarning(
                    _ operation: String, _ body: nonisolated(nonsending) () async throws -> Void
                ) async throws {
                    _ = recorder.take()
                    try await body()
                    let lines = recorder.take()
                    let isThere = lines.contains { line in
                        line.hasPrefix("warning A statement took long.") && line.contains("table=note")
                            && line.contains("operation=\(operation) ") && line.contains("Operations+Logging.swift:")
                    }
                    try expect(isThere == isSlow, "The warnings about \(operation): \(lines)")
                }
                let note = Note("a")
                try await expectWarning("save") { try await db.save(note) }
                try await expectWarning("find") { _ = try await db.find(Note.self, key: note.id ?? 0) }
                try await expectWarning("fetch") { _ = try await db.fetch(Note.self) }
                try await expectWarning("select") {
                    _ = try await db.query(Note.self).select { $0.title }.fetch()
                }
                try await expectWarning("stream") { for try await _ in db.query(Note.self).stream() {} }
                try await db.transaction { tx in
                    try await expectWarning("find") { _ = try await tx.find(Note.self, key: note.id ?? 0) }
                }
            }
        },
        ConformanceCase(
            "op-log.task", "OP-LOG",
            "Statements are logged in the task that called, with what its metadata provider says"
        ) { environment in
            let recorder = LogRecorder()
            let provider = Logger.MetadataProvider { Request.name.map { ["request": "\($0)"] } ?? [:] }
            let db = try await environment.open(Note.self) { $0.logger = recorder.logger(provider: provider) }
            let note = Note("a")
            try await db.save(note)
            let key = note.id ?? 0
            _ = recorder.take()
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        try await Request.$name.withValue("r\(number)") {
                            _ = try await db.find(Note.self, key: key)
                            _ = try await db.fetch(Note.self)
                            try await db.save(Note("b\(number)"))
                            try await db.transaction { tx in _ = try await tx.count(Note.self) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let lines = recorder.take().filter { $0.contains("A statement was run.") }
            for number in 0..<20 {
                for operation in ["find", "fetch", "save", "count"] {
                    try expect(
                        lines.contains { line in
                            line.contains("operation=\(operation) ") && (line + " ").contains("request=r\(number) ")
                        }, "Nothing was logged of \(operation) in task \(number).")
                }
            }
        },
        ConformanceCase(
            "op-log.connections", "OP-LOG", "A connection that is opened or closed is logged with the place it leads to"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Note.self) { $0.logger = recorder.logger(.debug) }
            _ = try await db.count(Note.self)
            try await db.close()
            for event in ["opened", "closed"] {
                let lines = recorder.lines.filter { $0.contains("A connection was \(event).") }
                try expect(!lines.isEmpty, "No connection was \(event): \(recorder.lines)")
                for line in lines {
                    try expect(
                        line.contains(" host=") && line.contains(" port=") || line.contains(" file="),
                        "The line does not say where the connection leads: \(line)")
                }
            }
        },
        ConformanceCase(
            "op-log.lost", "OP-LOG",
            "A connection that is lost while it is used is logged with its place and the reason",
            requires: [.terminatingSessions]
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Note.self) {
                $0.maximumConnections = 1
                $0.logger = recorder.logger(.info)
            }
            try await expect(.connectionLost, .transactionAborted, from: "a transaction whose connection is ended") {
                try await db.transaction { tx in
                    _ = try await tx.count(Note.self)
                    try await environment.terminateSessions()
                    _ = try await tx.count(Note.self)
                }
            }
            let line = try expect(
                some: recorder.lines.first { $0.hasPrefix("warning A connection was lost.") }, "a line about the loss")
            for word in ["code=connectionLost", "reason=", "host=", "Operations+Logging.swift:"] {
                try expect(line.contains(word), "The line about the loss lacks \(word): \(line)")
            }
        },
        ConformanceCase(
            "op-pool.statistics", "OP-POOL",
            "The state of the connections tells who uses them, since when, from where, and how many wait"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.maximumConnections = 1
                $0.checkoutTimeout = .milliseconds(300)
            }
            _ = try await db.count(Note.self)
            let idle = db.poolStatistics
            try expect(idle.inUse, equals: 0, "the connections in use")
            try expect(idle.idle >= 1 && idle.idle <= idle.maximum, "The idle connections are \(idle.idle).")
            let held = await HeldConnection(of: db)
            let busy = db.poolStatistics
            try expect(busy.inUse, equals: 1, "the connections in use by a transaction")
            let holder = try expect(some: busy.holders.first, "who uses it")
            try expect(holder.operation, equals: "read", "what it is used for")
            try expect(
                holder.callSite?.hasPrefix("HoldfastConformance/HeldConnection.swift:") == true,
                "It is used at \(holder.callSite ?? "no place").")
            let waiting = Task { _ = try await db.fetch(Note.self) }
            while db.poolStatistics.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
            try expect("\(db.poolStatistics)".contains("read at HoldfastConformance/"), "\(db.poolStatistics)")
            let error = try await expect(.poolTimeout, from: "who waits") { try await waiting.value }
            try expect(
                error.message.contains("read at HoldfastConformance/HeldConnection.swift:"),
                "The error does not say who holds the connection: \(error.message)")
            try await expect(.poolTimeout, from: "a ping without a connection") { try await db.ping() }
            try await held.release()
            try expect(db.poolStatistics.waiting, equals: 0, "how many wait in the end")
        },
        ConformanceCase("op-pool.ping", "OP-POOL", "A ping tells whether the database answers") { environment in
            let db = try await environment.open(Note.self)
            let duration = try await db.ping()
            try expect(duration > .zero && duration < .seconds(10), "It took \(duration).")
            try await db.close()
            try await expect(.closed, from: "a ping after closing") { try await db.ping() }
        },
    ]
}

private enum Request {
    @TaskLocal static var name: String?
}
