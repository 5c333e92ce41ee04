internal import CPostgres
@_spi(Driver) import Holdfast
import Synchronization

/// PostgreSQL through libpq.
final class PostgresDriver: Driver {
    let dialect: any Dialect = PostgresDialect()
    let sharing = ConnectionSharing.any
    var sharesSessions: Bool { options.pooler == .transaction }
    var telemetryTarget: TelemetryTarget { options.telemetryTarget }

    let options: PostgresOptions
    let configuration: DatabaseConfiguration
    let catalog = TypeCatalog()
    private let notices: NoticeLog
    private let reactor: Reactor

    init(_ options: PostgresOptions, _ configuration: DatabaseConfiguration) throws(DatabaseError) {
        if PQlibVersion() < 140_000 {
            throw DatabaseError(.unsupported, "Holdfast needs libpq 14 or later. Install a newer one.")
        }
        self.options = options
        self.configuration = configuration
        self.notices = NoticeLog(
            logger: configuration.telemetry.logger, showsValues: configuration.telemetry.showsValues)
        self.reactor = try Reactor()
    }

    deinit { reactor.stop() }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        try await open(role)
    }

    /// Opens a connection and sets its session up.
    func open(_ role: ConnectionRole) async throws(DatabaseError) -> PostgresConnection {
        let deadline = MonotonicTime.after(configuration.timeouts.connect)
        var options = options
        try await options.askForPassword(within: configuration.timeouts.connect)
        let attempt = ConnectAttempt(
            options, timeout: configuration.timeouts.connect, showsValues: configuration.telemetry.showsValues,
            notices: notices)
        let session = try await attempt.run()
        let channel = try Channel(session: session, reactor: reactor, notices: notices)
        let connection = PostgresConnection(channel: channel, driver: self, role: role)
        do {
            try await connection.setUp(role, deadline: deadline)
            connection.noteOwnSettings()
        } catch {
            channel.finish()
            throw error
        }
        return connection
    }

    func shutdown() async { await reactor.stopAndWait() }
}
