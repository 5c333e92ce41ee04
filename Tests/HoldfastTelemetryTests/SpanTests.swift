#if Telemetry
import Holdfast
import InMemoryTracing
import Testing
import Tracing

/// Spans, attribute by attribute, as OpenTelemetry's conventions for database clients have them.
@Suite struct SpanTests {
    @Test(arguments: Engine.tested)
    func `a statement is a client span with the attributes of the conventions`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            let author = Author("\(Observed.canary) Ada")
            let saved = try await observed.spans { try await observed.db.save(author) }
            let insert = try #require(saved.first)
            #expect(saved.count == 1 && insert.operationName == "INSERT author")
            #expect(insert.kind == .client && insert.parentSpanID == nil && insert.status == nil)
            #expect(
                insert.facts
                    == observed.common("save").merging([
                        "db.collection.name": .string("author"), "db.operation.name": .string("INSERT"),
                        "db.response.returned_rows": .int64(1),
                    ]) { $1 })
            #expect(insert.text("db.query.text")?.hasPrefix(#"INSERT INTO "author" ("name""#) == true)
            #expect(insert.text("code.file.path") == "HoldfastTelemetryTests/SpanTests.swift")
            #expect(insert.attributes.get("code.line.number") != nil)
            let found = try await observed.spans {
                let (one, none) = (
                    try await observed.db.find(Author.self, key: author.id ?? 0),
                    try await observed.db.find(Author.self, key: -1)
                )
                #expect(one?.name == author.name && none == nil)
            }
            #expect(found.map(\.operationName) == ["SELECT author", "SELECT author"])
            for (span, rows) in zip(found, [1, 0] as [Int64]) {
                #expect(
                    span.facts
                        == observed.common("find").merging([
                            "db.collection.name": .string("author"), "db.operation.name": .string("SELECT"),
                            "db.response.returned_rows": .int64(rows),
                        ]) { $1 })
                #expect(span.text("db.query.text")?.contains(engine == .sqlite ? "?" : "$1") == true)
                #expect(span.endInstant.nanosecondsSinceEpoch > span.startInstant.nanosecondsSinceEpoch)
            }
        }
    }

    @Test(arguments: Engine.tested)
    func `a failure has its code, the engine's code, and a sentence without values`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            try await observed.db.save(Author("\(Observed.canary) Ada", email: "\(Observed.canary)@a"))
            let spans = try await observed.spans {
                await #expect(throws: DatabaseError.self) {
                    try await observed.db.save(Author("\(Observed.canary) Bob", email: "\(Observed.canary)@a"))
                }
            }
            let span = try #require(spans.first)
            #expect(
                span.facts
                    == observed.common("save").merging([
                        "db.collection.name": .string("author"), "db.operation.name": .string("INSERT"),
                        "error.type": .string("uniqueViolation"),
                        "db.response.status_code": .string(engine == .sqlite ? "2067" : "23505"),
                    ]) { $1 })
            #expect(span.status?.code == .error)
            #expect(span.status?.message?.isEmpty == false)
        }
    }

    @Test(arguments: Engine.tested)
    func `statements of a transaction are children of its span, and of spans inside of it`(
        on engine: Engine
    ) async throws {
        try await Observed.with(engine) { observed in
            let spans = try await observed.spans {
                try await withTracer(observed.tracer) {
                    try await withSpan("request") { _ in
                        try await observed.db.transaction { tx in
                            try await tx.save(Author("\(Observed.canary) Ada"))
                            try await withSpan("inner") { _ in try await tx.save(Author("\(Observed.canary) Bob")) }
                            try await tx.transaction { nested in
                                try await nested.save(Author("\(Observed.canary) Cy"))
                            }
                            try? await tx.transaction { _ in throw CancellationError() }
                        }
                    }
                }
            }
            func span(_ name: String) throws -> FinishedInMemorySpan {
                try #require(spans.first { $0.operationName == name }, "\(spans.map(\.operationName))")
            }
            let (request, transaction, inner) = (try span("request"), try span("transaction"), try span("inner"))
            #expect(transaction.parentSpanID == request.spanID && transaction.kind == .internal)
            #expect(transaction.facts == observed.common("transaction") && transaction.status == nil)
            #expect(inner.parentSpanID == transaction.spanID)
            let children = spans.filter { $0.kind == .client }
            #expect(
                children.map(\.operationName)
                    == ["BEGIN", "INSERT author", "INSERT author", "INSERT author", "COMMIT"])
            #expect(
                children.map(\.parentSpanID)
                    == [transaction, transaction, inner, transaction, transaction].map { $0.spanID })
            #expect(
                transaction.events.map(\.name)
                    == ["begin", "release", "begin", "rollback", "release"].map { "holdfast.savepoint.\($0)" })
            #expect(Set(spans.map(\.traceID)).count == 1)
        }
    }

    @Test(arguments: Engine.tested)
    func `a retry is an event, and what the closure throws is the error of the span`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            var runs = 0
            let spans = try await observed.spans {
                try await observed.db.transaction { tx in
                    runs += 1
                    _ = try await tx.count(Author.self)
                    if runs < 3 { throw DatabaseError(.serializationFailure, "Others were in the way.") }
                }
            }
            let transaction = try #require(spans.first { $0.operationName == "transaction" })
            #expect(transaction.events.map(\.name) == ["holdfast.retry", "holdfast.retry"])
            #expect(
                transaction.events.map { $0.attributes.get("holdfast.retry.count") } == [.int64(1), .int64(2)])
            #expect(
                transaction.events.first?.attributes.get("error.type") == .string("serializationFailure"))
            #expect(transaction.status == nil)
            #expect(spans.filter { $0.operationName == "ROLLBACK" }.count == 2)

            struct Refusal: Error { let reason = Observed.canary }
            let failed = try await observed.spans {
                await #expect(throws: Refusal.self) { try await observed.db.transaction { _ in throw Refusal() } }
            }
            let refused = try #require(failed.first { $0.operationName == "transaction" })
            #expect(refused.status == SpanStatus(code: .error))
            #expect(refused.attributes.get("error.type") == .string("Refusal"))
        }
    }

    @Test(arguments: Engine.tested)
    func `rows that are saved together are one batch, however a driver sends them`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            // So many that PostgreSQL gets them by COPY.
            for count in [3, 2_000] {
                let authors = (0..<count).map { Author("\(Observed.canary) \($0)") }
                let spans = try await observed.spans { try await observed.db.save(authors) }
                let batches = spans.filter { $0.operationName == "BATCH INSERT author" }
                let sizes = batches.map { span -> Int64 in
                    guard case .int64(let size)? = span.attributes.get("db.operation.batch.size") else { return 0 }
                    return size
                }
                #expect(sizes.reduce(0, +) == Int64(count), "\(spans.map(\.operationName))")
                #expect(batches.first?.attributes.get("db.operation.name") == .string("BATCH INSERT"))
                #expect(batches.first?.text("db.query.text")?.hasPrefix(#"INSERT INTO "author""#) == true)
                let parent = try #require(spans.first { $0.operationName == "save" })
                #expect(batches.allSatisfy { $0.parentSpanID == parent.spanID })
            }
        }
    }

    @Test(arguments: Engine.tested)
    func `the statements of a load are children of its span`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            let author = Author("\(Observed.canary) Ada")
            try await observed.db.save([
                Book("\(Observed.canary) 1", by: author), Book("\(Observed.canary) 2", by: author),
            ])
            let spans = try await observed.spans {
                let books = try await observed.db.fetch(Book.self)
                #expect(books.map(\.author?.name) == [author.name, author.name])
            }
            let load = try #require(spans.first { $0.operationName == "fetch" })
            for (name, rows) in [("SELECT book", 2), ("SELECT author", 1)] as [(String, Int64)] {
                let span = try #require(spans.first { $0.operationName == name }, "\(spans.map(\.operationName))")
                #expect(span.parentSpanID == load.spanID)
                #expect(span.attributes.get("db.response.returned_rows") == .int64(rows))
            }
        }
    }

    @Test(arguments: Engine.tested)
    func `a stream is a span of its own, also if its loop is left`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            try await observed.db.save((0..<500).map { Author("\(Observed.canary) \($0)") })
            for isLeft in [false, true] {
                var count = 0
                let spans = try await observed.spans {
                    for try await _ in observed.db.query(Author.self).stream() {
                        count += 1
                        if isLeft { break }
                    }
                    // The connection of a loop that was left is given back by a task.
                    while !observed.tracer.activeSpans.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
                }
                let stream = try #require(spans.first { $0.operationName == "stream" })
                #expect(stream.kind == .internal && stream.status == nil)
                let portions = spans.filter { $0.operationName == "FETCH author" }
                #expect(!portions.isEmpty && portions.allSatisfy { $0.parentSpanID == stream.spanID })
                #expect(count == (isLeft ? 1 : 500))
                #expect(spans.contains { $0.operationName == "SELECT author" && $0.parentSpanID == stream.spanID })
            }
        }
    }

    @Test(arguments: Engine.tested)
    func `each of many finds that may share a statement has a span in its own trace`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            let authors = (0..<40).map { Author("\(Observed.canary) \($0)") }
            try await observed.db.save(authors)
            let keys = authors.compactMap(\.id)
            let spans = try await observed.spans {
                try await withThrowingTaskGroup { group in
                    for key in keys {
                        group.addTask {
                            try await withTracer(observed.tracer) {
                                try await withSpan("request") { _ in
                                    for _ in 0..<5 { _ = try await observed.db.find(Author.self, key: key) }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let requests = spans.filter { $0.operationName == "request" }
            let finds = spans.filter { $0.operationName == "SELECT author" }
            #expect(requests.count == 40 && finds.count == 200)
            for request in requests {
                #expect(finds.filter { $0.parentSpanID == request.spanID }.count == 5)
            }
        }
    }

    @Test(arguments: Engine.tested)
    func `waiting for a connection is an event of what waited`(on engine: Engine) async throws {
        try await Observed.with(engine, configure: { $0.pool.maximumConnections = 1 }) { observed in
            let db = observed.db
            // The connection is there from here on.
            _ = try await db.count(Author.self)
            for isTransaction in [false, true] {
                let spans = try await observed.spans {
                    try await withThrowingTaskGroup { group in
                        let (started, start) = AsyncStream<Void>.makeStream()
                        group.addTask {
                            try await db.read { tx in
                                _ = try await tx.count(Author.self)
                                start.finish()
                                while db.poolStatistics.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
                                try await Task.sleep(for: .milliseconds(20))
                            }
                        }
                        for await _ in started {}
                        group.addTask {
                            if isTransaction {
                                try await db.read { tx in _ = try await tx.count(Author.self) }
                            } else {
                                _ = try await db.count(Author.self)
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                let waits = spans.filter { !$0.events.isEmpty }
                #expect(waits.map(\.operationName) == [isTransaction ? "read" : "SELECT author"])
                let event = try #require(waits.first?.events.first)
                #expect(event.name == "holdfast.connection.wait")
                guard case .double(let seconds)? = event.attributes.get("holdfast.connection.wait_time") else {
                    Issue.record("The event has no time: \(event.attributes)")
                    continue
                }
                #expect(seconds >= 0.02 && seconds < 60)
            }
        }
    }

    @Test(arguments: Engine.tested)
    func `a migration, the polling of the log and raw SQL are traced as all else is`(on engine: Engine) async throws {
        try await Observed.with(engine, configure: { $0.changeLog.pollInterval = .milliseconds(5) }) { observed in
            let migrated = observed.tracer.finishedSpans.filter { $0.text("holdfast.operation") == "migrate" }
            #expect(migrated.contains { $0.operationName == "migrate" && $0.kind == .internal })
            #expect(migrated.contains { $0.operationName == "CREATE" && $0.text("db.query.text") != nil })

            let raw = try await observed.spans {
                let text = "\(Observed.canary) x"
                _ = try await observed.db.sql("SELECT name FROM author WHERE name = \(text)").fetch()
                _ = try await observed.db.sql("SELECT 1 WHERE 'canary-7f3a' = 'b'").fetch()
            }
            #expect(raw.map(\.operationName) == ["SELECT", "SELECT"])
            let parameter = engine == .sqlite ? "?" : "$1"
            let text = try #require(raw.first?.text("db.query.text"))
            #expect(text.hasPrefix("select name from author where name = \(parameter)"))
            #expect(raw.last?.text("db.query.text") == "select ? where ? = ?")

            let polled = try await observed.spans {
                try await withTracer(observed.tracer) {
                    try await withSpan("request") { _ in
                        for try await entries in observed.db.query(Entry.self).observe() {
                            if entries.objects.count == 1 { break }
                            try await observed.db.save(Entry("\(Observed.canary) entry"))
                            // Longer than the interval at which the log is polled.
                            try await Task.sleep(for: .milliseconds(500))
                        }
                    }
                }
            }
            let request = try #require(polled.first { $0.operationName == "request" })
            let polls = polled.filter { $0.text("holdfast.operation") == "changes" }
            #expect(!polls.isEmpty, "\(polled.map { ($0.operationName, $0.text("holdfast.operation")) })")
            #expect(polls.allSatisfy { $0.traceID != request.traceID }, "It outlives whoever observes first.")
        }
    }

    @Test(arguments: Engine.tested)
    func `without a tracer nothing is recorded`(on engine: Engine) async throws {
        try await engine.withDatabase { database in
            let tracer = InMemoryTracer()
            try await Database.withDatabase(database.configuration) { db in
                try await withTracer(tracer) {
                    try await db.migrate(Author.self)
                    try await db.save(Author("\(Observed.canary) Ada"))
                    try await db.transaction { tx in _ = try await tx.fetch(Author.self) }
                }
            }
            #expect(tracer.finishedSpans.isEmpty && tracer.activeSpans.isEmpty)
        }
    }
}
#endif
