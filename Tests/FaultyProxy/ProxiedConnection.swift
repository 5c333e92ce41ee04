import Foundation
import Synchronization

/// A connection between a client and a server, and how it fails: two threads, one for each direction.
final class ProxiedConnection: Sendable {
    private let client: Socket
    private let server: Socket
    private let fault: @Sendable () -> Fault
    private let delay: TimeInterval
    private let beginRoundTrip: @Sendable () -> Void
    /// Whether the latest bytes that came or went on the client's side were the server's.
    private let hasAnswer = Atomic<Bool>(true)
    private let openDirections = Atomic<Int>(2)

    init(
        client: Socket, server: Socket, delay: TimeInterval, fault: @escaping @Sendable () -> Fault,
        beginRoundTrip: @escaping @Sendable () -> Void
    ) {
        (self.client, self.server, self.fault, self.delay) = (client, server, fault, delay)
        self.beginRoundTrip = beginRoundTrip
    }

    func start() {
        Thread.detachNewThread { self.pass(from: self.client, to: self.server, isRequest: true) }
        Thread.detachNewThread { self.pass(from: self.server, to: self.client, isRequest: false) }
    }

    private func pass(from source: Socket, to sink: Socket, isRequest: Bool) {
        while let bytes = source.read(waiting: .milliseconds(100)) {
            if !bytes.isEmpty {
                // Noted on the client's side of the delay: it has the answer only then.
                if isRequest, hasAnswer.exchange(false, ordering: .relaxed) { beginRoundTrip() }
                if delay > 0 { Thread.sleep(forTimeInterval: delay) }
                if !isRequest { hasAnswer.store(true, ordering: .relaxed) }
            }
            guard forward(bytes, to: sink, isRequest: isRequest) else { break }
        }
        // Both ends: the other direction ends with this one.
        client.shutDown()
        server.shutDown()
        guard openDirections.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        client.close()
        server.close()
    }

    /// Passes bytes on, or fails.
    ///
    /// - Returns: Whether the connection goes on.
    private func forward(_ bytes: [UInt8], to sink: Socket, isRequest: Bool) -> Bool {
        while fault() == .stalls { Thread.sleep(forTimeInterval: 0.02) }
        switch fault() {
        case .none, .stalls: return sink.write(bytes)
        case .answersAreLost: return isRequest ? sink.write(bytes) : true
        case .requestsAreLost: return isRequest ? true : sink.write(bytes)
        case .closes:
            _ = sink.write(Array(bytes.prefix(bytes.count / 2)))
            return false
        case .closesAfterRequest:
            guard !bytes.isEmpty, isRequest else { return sink.write(bytes) }
            _ = sink.write(bytes)
            client.shutDown()
            // So that the server gets it whole before its end of the connection is closed.
            Thread.sleep(forTimeInterval: 0.1)
            return false
        }
    }
}
