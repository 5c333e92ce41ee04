import Foundation

/// A TCP proxy on 127.0.0.1 between a client and a server, whose connections fail as they are told.
public final class FaultyProxy: Sendable {
    /// The port that clients connect to.
    public let port: UInt16

    private let listener: Socket

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - server: The port of the server, on 127.0.0.1.
    ///   - plan: Tells for each connection, when it is opened, by what it finds out its fault at any moment.
    public init(server: UInt16, plan: @escaping @Sendable () -> @Sendable () -> Fault) throws {
        signal(SIGPIPE, SIG_IGN)
        let listener = try Socket.listen()
        self.listener = listener
        port = try listener.port
        Thread.detachNewThread {
            while let client = listener.accept() {
                guard let server = Socket.connect(port: server) else {
                    client.close()
                    continue
                }
                ProxiedConnection(client: client, server: server, fault: plan()).start()
            }
        }
    }

    /// Refuses further connections.
    public func stop() { listener.shutDown() }
}
