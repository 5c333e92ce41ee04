internal import CPostgres
@_spi(Driver) import Holdfast
import Synchronization

/// A session with a PostgreSQL server.
final class PostgresConnection: DriverConnection {
    /// How many statements a connection keeps prepared.
    static let preparedStatementLimit = 256

    /// The greatest number of parameters of a statement: libpq takes a description of more (4 bytes each, 30,000 in
    /// all) for a sign that it has lost its place in what the server sends, and ends the connection.
    static let parameterLimit = 7_400

    let capabilities: Capabilities
    let channel: Channel
    let catalog: TypeCatalog
    let configuration: DatabaseConfiguration
    let options: PostgresOptions
    /// The settings that each transaction has to bring along, behind a transaction pooler; nil for none.
    let pooled: SessionSettings.Pooled?
    let endpoint: [String: String]
    /// What the server had reported of its settings when the session was set up; empty where others share it.
    private let ownSettings = Mutex<[String?]>([])
    let bulkStatements = Mutex(BulkStatements())
    let prepared = Mutex(PreparedStatements(capacity: PostgresConnection.preparedStatementLimit))
    /// The fetch whose rows the server makes while nobody waits for them.
    let prefetched = Mutex<PostgresCursor.Fetch?>(nil)

    init(channel: Channel, driver: PostgresDriver, role: ConnectionRole) {
        self.channel = channel
        self.catalog = driver.catalog
        self.configuration = driver.configuration
        self.options = driver.options
        // Of a session that is lost already, here and below, nothing is known; its first statement throws.
        func reported(_ setting: String) -> String? {
            try? channel.withSession { session, _ throws(DatabaseError) in
                PQparameterStatus(session, setting).map { String(cString: $0) }
            }
        }
        self.pooled =
            driver.options.pooler == .transaction
            ? SessionSettings(driver.configuration, driver.options, role).ofTransactions(reported: reported) : nil
        var endpoint: [String: String] = [:]
        try? channel.withSession { session, _ throws(DatabaseError) in
            endpoint["process"] = String(PQbackendPID(session))
            if driver.options.hidesAddresses { return }
            let address = ServerAddress(session)
            endpoint["host"] = address.host
            endpoint["port"] = address.port
        }
        self.endpoint = endpoint
        let version = reported("server_version")
        self.capabilities = Capabilities(
            maximumParameters: Self.parameterLimit,
            maximumNameBytes: 63,
            isolationLevels: Set(IsolationLevel.allCases),
            hasConcurrentWriters: true,
            namesForeignKeys: true,
            canTerminateSessions: true,
            hasRoundTrips: true,
            describesSchemas: true,
            maintainsDatabases: true,
            vacuums: !driver.sharesSessions,
            buildsIndexesConcurrently: !driver.sharesSessions,
            deliversNotifications: !driver.sharesSessions,
            indexesDocuments: true,
            refersAcrossSchemas: true,
            // CockroachDB speaks the protocol, and reports this setting to whoever connects.
            lacking: reported("crdb_version") == nil ? [] : [.transactionalDDL, .triggersOnCascades],
            // "15.18 (Debian 15.18-0+deb12u1)"
            engineVersion: version?.split(separator: " ").first.map(String.init) ?? "unknown"
        )
    }

    var transactionStatus: TransactionStatus {
        channel.state.withLock { state in
            guard let session = state.session, !state.isLost else { return .failed }
            return switch PQtransactionStatus(session) {
            case PQTRANS_IDLE: .idle
            case PQTRANS_INTRANS: .open
            default: .failed
            }
        }
    }

    var isUsable: Bool { channel.isUsable }

    /// The settings that the server reports whenever they change: some of them in later versions alone.
    private static let reportedSettings = [
        "TimeZone", "DateStyle", "IntervalStyle", "standard_conforming_strings", "client_encoding", "search_path",
        "default_transaction_read_only", "session_authorization", "is_superuser", "application_name",
    ]

    private var reportedSettings: [String?] {
        // Of a session that is lost nothing is known, and it is not lent again.
        let values = try? channel.withSession { session, _ throws(DatabaseError) in
            Self.reportedSettings.map { PQparameterStatus(session, $0).map { String(cString: $0) } }
        }
        return values ?? []
    }

    /// Keeps in mind the settings that the session has from now on.
    func noteOwnSettings() {
        if options.pooler == .transaction { return }
        ownSettings.withLock { $0 = reportedSettings }
    }

    var hasOwnSettings: Bool {
        let own = ownSettings.withLock { $0 }
        return own.isEmpty || own == reportedSettings
    }

    func interrupt() { channel.cancel(.task) }

    func close() async { channel.finish() }

    func run<Output>(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        let rows = try await results(of: statement, parameters, timeout: timeout)
        return try consume(rows)
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        try await PostgresCursor(self, statement, parameters, timeout: timeout)
    }

    func receiveNotifications(
        _ receive: @escaping @Sendable ((channel: String, payload: String)?) -> Void
    ) throws {
        try channel.receiveNotifications(receive)
    }

    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        try await PostgresSchemaReader(connection: self).schema(request, timeout: timeout)
    }
}
