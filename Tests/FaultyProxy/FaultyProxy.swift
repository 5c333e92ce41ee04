import Foundation
import Synchronization

/// A TCP proxy on 127.0.0.1 between clients and a server, whose connections fail as they are told, take the time that a
/// network would, and count their round trips.
public final class FaultyProxy: Sendable {
    /// The port that clients connect to.
    public let port: UInt16

    private let listener: Socket
    private let fault: Mutex<Fault>
    private let delay: TimeInterval
    private let roundTripCount = Atomic<Int>(0)

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - server: The port of the server, on 127.0.0.1.
    ///   - delay: How long bytes are on their way through it, in each direction, in seconds.
    ///   - plan: Tells for each connection, when it is opened, by what it finds out its fault at any moment; nil where
    ///     ``fail(by:)`` tells all of them.
    public init(
        server: UInt16, delay: TimeInterval = 0, plan: (@Sendable () -> @Sendable () -> Fault)? = nil
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = try Socket.listen()
        port = try listener.port
        fault = Mutex(.none)
        self.delay = delay
        Thread.detachNewThread { [self] in accept(server: server, plan) }
    }

    /// How often a client has sent something, on whatever connection, after it was sent something by the server: so how
    /// often clients have waited for the server.
    ///
    /// To be exact it takes a delay that is long beside the time in which a client sends what belongs together.
    public var roundTrips: Int { roundTripCount.load(ordering: .relaxed) }

    /// Sets the fault of every connection, from now on.
    public func fail(by fault: Fault) { self.fault.withLock { $0 = fault } }

    /// Ends every connection that ``fail(by:)`` tells, and refuses further ones.
    public func stop() {
        fail(by: .closes)
        listener.shutDown()
    }

    private func accept(server port: UInt16, _ plan: (@Sendable () -> @Sendable () -> Fault)?) {
        while let client = listener.accept() {
            guard let server = Socket.connect(port: port) else {
                client.close()
                continue
            }
            let fault: @Sendable () -> Fault = plan?() ?? { @Sendable in self.fault.withLock { $0 } }
            ProxiedConnection(client: client, server: server, delay: delay, fault: fault) { [self] in
                roundTripCount.add(1, ordering: .relaxed)
            }.start()
        }
    }
}
