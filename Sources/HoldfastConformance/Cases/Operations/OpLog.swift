import Foundation
@_spi(Driver) import Holdfast
import Logging

extension ConformanceCase {
    static let opLog: [ConformanceCase] = [
        ConformanceCase(
            "op-log.statements", "OP-LOG",
            "Each statement is traced with its operation, table, rows, duration and the place that called it"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Note.self) { $0.telemetry.logger = recorder.logger }
            let notes = (0..<3).map { Note("n\($0)", rank: $0) }
            try await expectLines(of: "save", "table=note", "rows=", "sql=INSERT", in: recorder) {
                try await db.save(notes[0])
            }
            try await expectLines(of: "save", "table=note", "rows=4", in: recorder) {
                try await db.save(notes + [Note("x"), Note("y")])
            }
            try await expectLines(of: "find", "table=note", "rows=1", "sql=SELECT", in: recorder) {
                _ = try await db.find(Note.self, key: notes[0].id ?? 0)
            }
            try await expectLines(of: "find", "table=note", "rows=0", in: recorder) {
                _ = try await db.find(Note.self, key: -1)
            }
            try await expectLines(of: "fetch", "table=note", "rows=5", in: recorder) {
                _ = try await db.fetch(Note.self)
            }
            try await expectLines(of: "fetch", "table=note", "rows=2", in: recorder) {
                _ = try await db.query(Note.self).where { $0.rank > 0 && $0.title.hasPrefix("n") }.fetch()
            }
            try await expectLines(of: "count", "table=note", "rows=1", in: recorder) {
                _ = try await db.count(Note.self)
            }
            try await expectLines(of: "stream", "table=note", "rows=5", in: recorder) {
                for try await _ in db.query(Note.self).stream() {}
            }
        },
        ConformanceCase(
            "op-log.other-statements", "OP-LOG",
            "Statements of arrays, changes, transactions and failures are traced too, and raw SQL without its text"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Note.self, Tagged.self) { $0.telemetry.logger = recorder.logger }
            let notes = (0..<3).map { Note("n\($0)", rank: $0) }
            try await db.save(notes + [Note("x")])
            let tagged = Tagged("a", tags: ["x", "y"])
            try await expectLines(of: "save", "table=tagged_tags", "rows=2", in: recorder) { try await db.save(tagged) }
            try await expectLines(of: "fetch", "table=tagged_tags", "rows=2", in: recorder) {
                _ = try await db.fetch(Tagged.self)
            }
            try await expectLines(of: "update", "table=note", "rows=1", in: recorder) {
                _ = try await db.query(Note.self).where { $0.rank == 1 }.update { $0.rank.set(7) }
            }
            try await expectLines(of: "save", "table=note", "rows=1", in: recorder) {
                try await db.transaction { tx in
                    notes[0].rank = 12
                    try await tx.save(notes[0])
                }
            }
            try await expectLines(of: "find", "table=note", "rows=1", in: recorder) {
                try await db.transaction { tx in _ = try await tx.find(Note.self, key: notes[0].id ?? 0) }
            }
            try await expectLines(of: "delete", "table=note", "rows=1", in: recorder) { try await db.delete(notes[0]) }
            try await expectLines(of: "save", "table=note", "error=uniqueViolation", in: recorder) {
                try await db.save(Note("a", code: "c"))
                try await expect(.uniqueViolation, from: "a second one") { try await db.save(Note("b", code: "c")) }
            }
            // The text of raw SQL may hold values.
            try await expectLines(of: "sql", "rows=1", in: recorder) {
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
                    $0.telemetry.logger = recorder.logger(.warning)
                    $0.telemetry.slowStatementThreshold = isSlow ? .zero : .seconds(60)
                }
                func expectWarning(
                    _ operation: String, _ body: nonisolated(nonsending) () async throws -> Void
                ) async throws {
                    _ = recorder.take()
                    try await body()
                    let lines = recorder.take()
                    let isThere = lines.contains { line in
                        line.hasPrefix("warning A statement took long.") && line.contains("table=note")
                            && line.contains("operation=\(operation) ") && line.contains("OpLog.swift:")
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
            "op-log.slow-batch", "OP-LOG", "The limit of slow statements is for each thousand rows of a batch"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Note.self)
            let clock = ContinuousClock()
            let notes = (0..<20_000).map { Note("\($0)", rank: $0) }
            let duration = try await clock.measure { try await db.save(notes) }
            // A batch of so many rows takes longer than this, and less than twenty times as long.
            let impatient = try await environment.open {
                $0.telemetry.logger = recorder.logger(.warning)
                $0.telemetry.slowStatementThreshold = duration / 4
            }
            try await impatient.save((0..<20_000).map { Note("\($0)", rank: $0) })
            // The disk decides how long a commit takes.
            let lines = recorder.take().filter { $0.contains("A statement took long.") && !$0.contains("sql=COMMIT") }
            try expect(lines, equals: [], "the warnings about a batch")
        },
        ConformanceCase(
            "op-log.task", "OP-LOG",
            "Statements are logged in the task that called, with what its metadata provider says"
        ) { environment in
            let recorder = LogRecorder()
            let provider = Logger.MetadataProvider { Request.name.map { ["request": "\($0)"] } ?? [:] }
            let db = try await environment.open(Note.self) { $0.telemetry.logger = recorder.logger(provider: provider) }
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
            let db = try await environment.open(Note.self) { $0.telemetry.logger = recorder.logger(.debug) }
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
                $0.pool.maximumConnections = 1
                $0.telemetry.logger = recorder.logger(.info)
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
            for word in ["code=connectionLost", "reason=", "host=", "OpLog.swift:"] {
                try expect(line.contains(word), "The line about the loss lacks \(word): \(line)")
            }
        },
        graph(
            "op-log.one-by-one", "OP-LOG",
            "Debug builds warn once of loads for one object after the other of a fetch, with both call sites"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Crew.self, Bill.self, Slim.self) {
                $0.telemetry.logger = recorder.logger(.warning)
            }
            for number in 0..<12 { try await db.save(Crew("c\(number)", [Choice("a"), Choice("b")])) }
            let buyers = (0..<12).map { Buyer("b\($0)", "N") }
            try await db.save(buyers)
            for buyer in buyers {
                let bill = Bill(debtor: Reference(buyer), issuer: Reference(buyer))
                bill.witnesses = buyers.map { Reference($0) }
                try await db.save(bill)
            }
            /// Expects a warning with two lines of this file, or none.
            func expectWarning(
                _ relation: String, fetch: UInt, load: UInt, of what: String, line: Int = #line
            ) throws {
                let lines = recorder.take()
                let file = "HoldfastConformance/OpLog.swift"
                let words = ["relation=\(relation)", "fetch_site=\(file):\(fetch)", "call_site=\(file):\(load)"]
                try expect(
                    warns ? lines.count == 1 && words.allSatisfy(lines[0].contains) : lines.isEmpty,
                    "The warnings of \(what): \(lines)", line: line)
            }
            _ = recorder.take()

            // A relation, the first time and again.
            for round in 0..<2 {
                let crews = try await db.fetch(Crew.self, line: 1)
                for crew in crews { try await db.loadRelation(\.members, of: crew, line: 2) }
                if round == 0 { try expectWarning("Crew.members", fetch: 1, load: 2, of: "a relation") }
                try expect(crews.allSatisfy { $0.members.count == 2 }, "Something was not loaded.")
            }
            // References of a query, and those of a stream.
            for bill in try await db.query(Bill.self).fetch(line: 3) {
                _ = try await bill.debtor.load(from: db, line: 4)
            }
            try expectWarning("Reference<Buyer>", fetch: 3, load: 4, of: "references")
            for try await bill in db.query(Bill.self).stream(line: 5) {
                _ = try await bill.issuer?.load(from: db, line: 6)
            }
            try expectWarning("Reference<Buyer>", fetch: 5, load: 6, of: "references of a stream")
            // An array of references, of one object that was found.
            let bill = try expect(some: try await db.find(Bill.self, key: 1, line: 7), "the first bill")
            for witness in bill.witnesses { _ = try await witness.load(from: db, line: 8) }
            try expectWarning("Reference<Buyer>", fetch: 7, load: 8, of: "an array of references")
            // The same object, again and again, and in a transaction.
            let crew = try expect(some: try await db.find(Crew.self, key: 1, line: 9), "the first crew")
            try await db.transaction { transaction in
                for _ in 0..<10 { try await transaction.loadRelation(\.members, of: crew, line: 10) }
            }
            try expectWarning("Crew.members", fetch: 9, load: 10, of: "one object")
            // Objects of no relations, whose rows are decoded where they are, and structs.
            for note in try await db.query(Slim.self).fetch(line: 11) { _ = try await note.buyer?.load(from: db) }
            try expect(recorder.take(), equals: [], "the warnings of nothing")
            _ = try await db.insert((0..<10).map { Slim(id: $0, buyer: Reference(buyers[0])) })
            for note in try await db.query(Slim.self).fetch(line: 12) {
                _ = try await note.buyer?.load(from: db, line: 13)
            }
            try expectWarning("Reference<Buyer>", fetch: 12, load: 13, of: "references of structs")
        },
        graph(
            "op-log.not-one-by-one", "OP-LOG", "Loads for few objects of a fetch, or for many together, are no warning"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Crew.self, Bill.self) {
                $0.telemetry.logger = recorder.logger(.warning)
            }
            for number in 0..<12 { try await db.save(Crew("c\(number)", [Choice("a")])) }
            let buyers = (0..<12).map { Buyer("b\($0)", "N") }
            try await db.save(buyers)
            for buyer in buyers { try await db.save(Bill(debtor: Reference(buyer))) }
            _ = recorder.take()
            // Requests that find an object each, one after the other and at the same time.
            for number in 1...12 as ClosedRange<Int64> {
                let crew = try expect(some: try await db.find(Crew.self, key: number), "the crew")
                try await db.loadRelation(\.members, of: crew)
                let bill = try expect(some: try await db.query(Bill.self).where { $0.id == number }.first(), "the bill")
                _ = try await bill.debtor.load(from: db)
            }
            try await withThrowingTaskGroup { group in
                for number in 1...12 as ClosedRange<Int64> {
                    group.addTask {
                        guard let crew = try await db.find(Crew.self, key: number) else { return }
                        try await db.loadRelation(\.members, of: crew)
                    }
                }
                try await group.waitForAll()
            }
            // Nine of many, and all together.
            let crews = try await db.fetch(Crew.self)
            for crew in crews.prefix(9) { try await db.loadRelation(\.members, of: crew) }
            for _ in 0..<12 { try await db.loadRelation(\.members, of: crews) }
            let bills = try await db.fetch(Bill.self)
            for bill in bills.prefix(9) { _ = try await bill.debtor.load(from: db) }
            _ = try await db.fetch(Buyer.self, keys: bills.compactMap(\.debtor.key))
            // References that nobody has fetched.
            for buyer in buyers { _ = try await Reference<Buyer>(key: buyer.email).load(from: db) }
            try expect(recorder.take(), equals: [], "the warnings")
        },
    ]

    #if DEBUG
    private static let warns = true
    #else
    private static let warns = false
    #endif

    /// Expects a trace of a statement with the place in this file that called for it.
    private static func expectLines(
        of operation: String, _ words: String..., in recorder: LogRecorder, line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        _ = recorder.take()
        try await body()
        let lines = recorder.take().filter { $0.hasPrefix("trace A statement was run.") }
        let isThere = lines.contains { line in
            line.contains("operation=\(operation) ") && line.contains(" duration_ms=")
                && line.contains("call_site=HoldfastConformance/OpLog.swift:")
                && words.allSatisfy(line.contains)
        }
        try expect(isThere, "Line \(line): no line about \(operation) has all it should: \(lines)")
    }
}

private enum Request {
    @TaskLocal static var name: String?
}
