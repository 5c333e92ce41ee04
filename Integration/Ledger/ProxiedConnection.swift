import Foundation
import Synchronization

/// A connection between a client and a server, and how it fails: two threads, one for each direction.
final class ProxiedConnection: Sendable {
    private let client: Socket
    private let server: Socket
    private let fault: Fault
    private let failsAt: ContinuousClock.Instant
    private let endsAt: ContinuousClock.Instant
    private let openDirections = Atomic<Int>(2)

    /// - Parameter moment: When it fails, in seconds from now.
    init(client: Socket, server: Socket, fault: Fault, moment: Double) {
        (self.client, self.server, self.fault) = (client, server, fault)
        failsAt = .now + .seconds(moment)
        endsAt = failsAt + .seconds(4)
    }

    func start() {
        Thread.detachNewThread { self.pass(from: self.client, to: self.server, isRequest: true) }
        Thread.detachNewThread { self.pass(from: self.server, to: self.client, isRequest: false) }
    }

    private func pass(from source: Socket, to sink: Socket, isRequest: Bool) {
        var isOpen = true
        while isOpen, let bytes = source.read(waiting: .milliseconds(100)) {
            isOpen = forward(bytes, to: sink, isRequest: isRequest)
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
        let now = ContinuousClock.now
        guard fault != .none, now >= failsAt else { return sink.write(bytes) }
        switch fault {
        case .none: return sink.write(bytes)
        case .answersAreLost: return now < endsAt && (isRequest ? sink.write(bytes) : true)
        case .requestsAreLost: return now < endsAt && (isRequest ? true : sink.write(bytes))
        case .stalls:
            while ContinuousClock.now < failsAt + .seconds(1.5) { Thread.sleep(forTimeInterval: 0.05) }
            return sink.write(bytes)
        case .closes:
            guard !bytes.isEmpty else { return true }
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
