@_spi(Driver) import Holdfast

extension PostgresOptions {
    /// The port that servers have unless another is chosen.
    private static let usualPort = "5432"

    /// The server and database as the connection string names them; of several servers, all of them.
    ///
    /// What may be a piece of a password is left out.
    var telemetryTarget: TelemetryTarget {
        var target = TelemetryTarget(systemName: "postgresql")
        guard !hidesAddresses else { return target }
        // libpq takes a name of this form for another connection string.
        let name = database.flatMap { $0.contains("=") || $0.contains("://") ? nil : $0 }
        let namespace = [name, schema].compactMap(\.self)
        if !namespace.isEmpty { target.namespace = namespace.joined(separator: "|") }
        let addresses = targets.map { ServerAddress($0, self) }
        let hosts = Set(addresses.map(\.host)).filter { !$0.isEmpty }
        guard !hosts.isEmpty else { return target }
        // Sorted, since servers may be tried in a random order.
        target.serverAddress = hosts.sorted().joined(separator: ",")
        let ports = Set(addresses.map(\.port))
        if ports.count == 1, let port = ports.first, port != Self.usualPort { target.serverPort = Int(port) }
        return target
    }
}
