#if Telemetry
internal import Tracing

/// Records what a database does as spans, by OpenTelemetry's semantic conventions for database clients.
///
/// The span of a statement is made when it has ended, with the times of then: nothing can be its child, and what is to
/// be said of it is known by then. The span of a transaction is there while it runs.
struct DatabaseTracing: Sendable {
    private let tracer: any Tracer
    private let target: TelemetryTarget
    private let showsValues: Bool

    /// Returns nil if the program has installed no tracer.
    init?(_ target: TelemetryTarget, showsValues: Bool) {
        let tracer = InstrumentationSystem.tracer
        if tracer is NoOpTracer { return nil }
        (self.tracer, self.target, self.showsValues) = (tracer, target, showsValues)
    }

    /// Records a statement that has ended: as a span, or as an event of its transaction if it is about a savepoint.
    func record(_ ended: EndedStatement) {
        if ended.error == nil, let span = ended.span, span.note(savepoint: ended.statement) { return }
        let end = DefaultTracerClock.now
        let start = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch &- UInt64(clamping: ended.duration.nanoseconds))
        let operation = ended.operationName
        let parent = (ended.span?.isForEveryTask == true ? ended.span?.context : nil) ?? ServiceContext.current
        let span: any Span = tracer.startSpan(
            name(operation, ended.statement.table), context: parent ?? .topLevel, ofKind: .client, at: start,
            function: "\(ended.purpose.name)", file: ended.purpose.site.map { "\($0.fileID)" } ?? #fileID,
            line: ended.purpose.site?.line ?? #line)
        defer { span.end(at: end) }
        guard span.isRecording else { return }
        span.updateAttributes { attributes in
            describe(ended.purpose, in: &attributes)
            attributes["db.collection.name"] = ended.statement.table
            attributes["db.operation.name"] = operation
            attributes["db.query.text"] = ended.statement.shownText(showsValues: showsValues)
            if ended.batchSize > 1 { attributes["db.operation.batch.size"] = ended.batchSize }
            if let rows = ended.rows, rows.returned > 0 || ended.statement.kind == .read {
                attributes["db.response.returned_rows"] = rows.returned
            }
            attributes["db.response.status_code"] = ended.statusCode
            attributes["error.type"] = ended.errorType
        }
        if let wait = ended.wait { span.addEvent(.wait(wait, at: start)) }
        if let error = ended.error { span.setStatus(SpanStatus(code: .error, message: Self.message(error))) }
    }

    /// By the conventions, with the operation first.
    private func name(_ operation: String?, _ table: String?) -> String {
        switch (operation, table) {
        case (let operation?, let table?): "\(operation) \(table)"
        case (let operation?, nil): operation
        case (nil, let table?): table
        case (nil, nil): target.namespace ?? target.systemName
        }
    }

    /// Runs `body` in a span, whose children are the statements that it runs.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withSpan<Output>(
        _ purpose: LeasePurpose, _ body: nonisolated(nonsending) (TransactionSpan?) async throws -> Output
    ) async throws -> Output {
        let span = begin(purpose)
        do {
            let output = try await ServiceContext.$current.binding(span.context) { try await body(span) }
            span.end(nil)
            return output
        } catch {
            span.end(error)
            throw error
        }
    }

    /// Begins a span.
    ///
    /// - Parameter isForEveryTask: Whether the statements of its session are its children in whatever task they run.
    func begin(_ purpose: LeasePurpose, isForEveryTask: Bool = false) -> TransactionSpan {
        let span: any Span = tracer.startSpan(
            "\(purpose.name)", context: ServiceContext.current ?? .topLevel, ofKind: .internal,
            at: DefaultTracerClock.now, function: "\(purpose.name)",
            file: purpose.site.map { "\($0.fileID)" } ?? #fileID, line: purpose.site?.line ?? #line)
        if span.isRecording { span.updateAttributes { describe(purpose, in: &$0) } }
        return TransactionSpan(span, isForEveryTask: isForEveryTask)
    }

    private func describe(_ purpose: LeasePurpose, in attributes: inout SpanAttributes) {
        attributes["db.system.name"] = target.systemName
        attributes["db.namespace"] = target.namespace
        attributes["server.address"] = target.serverAddress
        attributes["server.port"] = target.serverPort
        attributes["holdfast.operation"] = "\(purpose.name)"
        if let site = purpose.site {
            attributes["code.file.path"] = "\(site.fileID)"
            attributes["code.line.number"] = Int(site.line)
        }
    }

    /// A sentence of ours, without values; nothing of errors of others, of which nobody knows what they say.
    static func message(_ error: any Error) -> String? { (error as? DatabaseError)?.message }
}

extension SpanEvent {
    /// A connection had to be waited for.
    static func wait(_ duration: Duration, at instant: some TracerInstant = DefaultTracerClock.now) -> SpanEvent {
        SpanEvent(
            name: "holdfast.connection.wait", at: instant,
            attributes: ["holdfast.connection.wait_time": .double(duration / .seconds(1))])
    }
}

#else

/// Records nothing: the package was built without the trait `Tracing`.
struct DatabaseTracing: Sendable {
    init?(_ target: TelemetryTarget, showsValues: Bool) { return nil }

    func record(_ ended: EndedStatement) {}

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withSpan<Output>(
        _ purpose: LeasePurpose, _ body: nonisolated(nonsending) (TransactionSpan?) async throws -> Output
    ) async throws -> Output { try await body(nil) }

    func begin(_ purpose: LeasePurpose, isForEveryTask: Bool = false) -> TransactionSpan { TransactionSpan() }
}
#endif
