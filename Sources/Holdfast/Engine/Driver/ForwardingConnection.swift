/// A connection around another one, which it changes in some way.
///
/// Everything but the running of statements is forwarded; a conforming type declares what it does otherwise. Statements
/// are left to it, since whoever forgets one of the ways to run them would let some pass.
@_spi(Driver) public protocol ForwardingConnection: DriverConnection {
    /// The connection inside.
    var base: any DriverConnection { get }
}

@_spi(Driver) extension ForwardingConnection {
    public var capabilities: Capabilities { base.capabilities }
    public var endpoint: [String: String] { base.endpoint }
    public var hasOwnSettings: Bool { base.hasOwnSettings }
    public var isUsable: Bool { base.isUsable }
    public var transactionStatus: TransactionStatus { base.transactionStatus }

    public func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        try await base.schema(request, timeout: timeout)
    }

    public func receiveNotifications(
        _ receive: @escaping @Sendable ((channel: String, payload: String)?) -> Void
    ) throws {
        try base.receiveNotifications(receive)
    }

    public func interrupt() { base.interrupt() }

    public func close() async { await base.close() }
}
