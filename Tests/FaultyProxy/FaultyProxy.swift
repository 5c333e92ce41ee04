import Foundation
import Synchronization

/// A TCP proxy on 127.0.0.1 between clients and a server, whose connections fail as they are told.
public final class FaultyProxy: Sendable {
    /// The port that clients connect to.
    public let port: UInt16

    private let listener: Socket
    private let fault: Mutex<Fault>

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - server: The port of the server, on 127.0.0.1.
    ///   - plan: Tells for each connection, when it is opened, by what it finds out its fault at any moment; nil where
    ///     ``fail(by:)`` tells all of them.
    public init(server: UInt16, plan: (@Sendable () -> @Sendable () -> Fault)? = nil) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = try Socket.listen()
        port = try listener.port
        fault = Mutex(.none)
        Thread.detachNewThread { [self] in accept(server: server, plan) }
    }

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
            ProxiedConnection(client: client, server: server, fault: fault).start()
        }
    }
}
