#if Telemetry
internal import Tracing
#endif

/// The span of a transaction: the parent of its statements, with its retries, savepoints and waits as events.
struct TransactionSpan: Sendable {
    #if Telemetry
    private let span: any Span
    /// Whether the statements of its session are its children in whatever task they run.
    ///
    /// Else they are children of what the program's own task is in, which may be a span inside of this one.
    let isForEveryTask: Bool

    init(_ span: any Span, isForEveryTask: Bool) { (self.span, self.isForEveryTask) = (span, isForEveryTask) }

    var context: ServiceContext { span.context }
    #endif

    /// Notes that the closure runs again.
    ///
    /// - Parameter count: How often it has run again, with this.
    func noteRetry(_ count: Int, after error: DatabaseError) {
        #if Telemetry
        span.addEvent(
            SpanEvent(
                name: "holdfast.retry",
                attributes: ["holdfast.retry.count": .int64(Int64(count)), "error.type": .string("\(error.code)")]))
        #endif
    }

    /// Notes that its connection had to be waited for.
    func noteWait(_ duration: Duration) {
        #if Telemetry
        span.addEvent(.wait(duration))
        #endif
    }

    /// Notes a savepoint that was begun, released or rolled back.
    ///
    /// - Returns: Whether it was one.
    func note(savepoint statement: Statement) -> Bool {
        guard statement.isTransactionControl, let change = ControlStatements.savepointChange(statement) else {
            return false
        }
        #if Telemetry
        span.addEvent(SpanEvent(name: "holdfast.savepoint.\(change)"))
        #endif
        return true
    }

    /// Ends the span.
    func end(_ error: (any Error)?) {
        #if Telemetry
        if let error {
            let code = (error as? DatabaseError).map { "\($0.code)" }
            span.attributes["error.type"] = code ?? "\(type(of: error))"
            span.attributes["db.response.status_code"] = (error as? DatabaseError)?.engineCode
            span.setStatus(SpanStatus(code: .error, message: DatabaseTracing.message(error)))
        }
        span.end()
        #endif
    }
}

extension DatabaseCore {
    /// Runs `body` in a span, whose children are the statements that it runs; without one where nobody traces.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withSpan<Output>(
        _ purpose: LeasePurpose, _ body: nonisolated(nonsending) (TransactionSpan?) async throws -> Output
    ) async throws -> Output {
        guard let tracing = observer.tracing else { return try await body(nil) }
        return try await tracing.withSpan(purpose, body)
    }
}
