/// The database of a driver, as traces and metrics name it: by the attributes of OpenTelemetry's conventions.
///
/// ```swift
/// TelemetryTarget(systemName: "postgresql", namespace: "prod|app", serverAddress: "db.example.org")
/// ```
///
/// It says what the program's configuration says, and nothing secret.
@_spi(Driver) public struct TelemetryTarget: Hashable, Sendable {
    /// The product, by OpenTelemetry's list of names (`db.system.name`): `postgresql`, `sqlite`, `mysql`.
    public var systemName: String
    /// The name of the database on its server, or of its file (`db.namespace`); nil if the configuration does not say.
    public var namespace: String?
    /// The host of the server (`server.address`); nil if there is no server, or the configuration does not name it.
    public var serverAddress: String?
    /// The port of the server (`server.port`), if it is another one than the product's usual port.
    public var serverPort: Int?

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - systemName: The product; `other_sql` is OpenTelemetry's name for one that is not known.
    ///   - namespace: The name of the database.
    ///   - serverAddress: The host of the server.
    ///   - serverPort: The port, if it is not the usual one.
    public init(
        systemName: String = "other_sql", namespace: String? = nil, serverAddress: String? = nil,
        serverPort: Int? = nil
    ) {
        (self.systemName, self.namespace) = (systemName, namespace)
        (self.serverAddress, self.serverPort) = (serverAddress, serverPort)
    }

    /// The name of a pool of its connections, as the conventions make one: `server.address:server.port/db.namespace`.
    var poolName: String {
        guard var name = serverAddress else { return namespace ?? systemName }
        if let serverPort { name += ":\(serverPort)" }
        return namespace.map { "\(name)/\($0)" } ?? name
    }
}
