import AsyncAlgorithms
import Foundation
import Holdfast
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

/// Answers of server-sent events: the browser keeps the connection, and makes another one when it is lost.
///
/// The format is that of the HTML standard: https://html.spec.whatwg.org/multipage/server-sent-events.html
enum EventStream {
    /// The time after which an idle stream says that it is still there, so that nothing in between closes it.
    private static let heartbeat = Duration.seconds(15)

    /// The number of streams at a time: each holds a connection, and looks at the database whenever that changes.
    private static let limit = 1_000
    private static let open = Mutex(0)

    /// Answers with an event for each value of an observation, from the present one on.
    ///
    /// It ends when the browser has gone, and when the service shuts down: the browser then finds another instance.
    ///
    /// - Throws: An error with the status 503 if there are too many.
    static func response(
        to request: Request, event: String, logger: Logger,
        values: @escaping @Sendable () -> ValueObservation<String>
    ) throws -> Response {
        guard open.withLock({ $0 < limit }) else {
            throw HTTPError(.serviceUnavailable, message: "Too many pages are open.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                open.withLock { $0 += 1 }
                defer { open.withLock { $0 -= 1 } }
                // It holds one event: the observation waits until that is sent, and then looks what is current.
                let events = AsyncChannel<String>()
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            defer { events.finish() }
                            do {
                                for try await value in values() { await events.send(text(event, value)) }
                            } catch {
                                logger.warning("A stream has ended.", metadata: ["error": "\(error)"])
                            }
                        }
                        group.addTask {
                            while !Task.isCancelled {
                                try await Task.sleep(for: heartbeat)
                                await events.send(": still here\n\n")
                            }
                        }
                        group.addTask {
                            try? await gracefulShutdown()
                            events.finish()
                        }
                        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                        for await event in events { try await writer.write(ByteBuffer(string: event)) }
                        group.cancelAll()
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// An event as it is sent: each line of its value behind `data:`.
    static func text(_ event: String, _ value: String) -> String {
        let lines = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "data: \($0)\n" }
        return "event: \(event)\n" + lines.joined() + "\n"
    }
}
