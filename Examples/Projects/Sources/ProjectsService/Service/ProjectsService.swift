public import Configuration
import CoreMetrics
import Holdfast
import HoldfastServiceLifecycle
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// The service: pages and an interface for programs, over one database.
public enum ProjectsService {
    /// The configuration where the environment says nothing.
    public static let defaults = InMemoryProvider(
        name: "defaults",
        values: [
            "database.url": "sqlite:projects.db",
            // A server that is started beside this one takes some seconds.
            "database.startTimeout": 60,
            // Whoever asks for a page does not wait longer, and holds what others wait for.
            "database.checkoutTimeout": 5,
            "database.statementTimeout": 10,
        ])

    /// Runs the service until it gets SIGTERM or SIGINT, and has answered what it was asked before.
    ///
    /// - Parameter environment: The configuration; see `ServiceConfiguration`.
    public static func run(reading environment: ConfigReader) async throws {
        let configuration = try ServiceConfiguration(reading: environment)
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        let db = try await open(configuration)
        let application = application(configuration, db, metrics)
        // The last is stopped first: the database is there until all requests have been answered.
        var group = ServiceGroupConfiguration(
            services: [db, application], gracefulShutdownSignals: [.sigterm, .sigint], logger: configuration.logger)
        group.maximumGracefulShutdownDuration = .seconds(30)
        try await ServiceGroup(configuration: group).run()
    }

    /// Opens the database, as soon as its server is there, and brings its schema up to date.
    ///
    /// Several instances may do so at the same time: one migrates, and the others wait.
    static func open(_ configuration: ServiceConfiguration) async throws -> Database {
        let db = try await Database.open(configuration.database)
        do {
            try await db.migrate(Schema(Person.self, Project.self, Meeting.self, version: 1))
            if configuration.addsSample { try await SampleData.add(to: db) }
            return db
        } catch {
            try? await db.close()
            throw error
        }
    }

    /// The server of the service.
    ///
    /// Neither does it open the database, nor does it close it.
    static func application(
        _ configuration: ServiceConfiguration, _ db: Database, _ metrics: MetricsRegistry
    ) -> Application<RouterResponder<BasicRequestContext>> {
        Application(
            router: router(db, metrics),
            // Longer than proxies keep a connection that nobody uses, so that they close it first.
            server: .http1(configuration: .init(idleTimeout: .seconds(75))),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "projects"),
            logger: configuration.logger)
    }

    private static func router(_ db: Database, _ metrics: MetricsRegistry) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: TracingMiddleware())
        router.add(middleware: MetricsMiddleware())
        router.add(middleware: LogRequestsMiddleware(.info))
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: SameOriginMiddleware())
        router.add(middleware: FileMiddleware(PageLayout.publicDirectory))

        router.get("/") { _, _ in Response.redirect(to: "/projects") }
        ObjectPages<Project>(db: db).addRoutes(to: router)
        ObjectPages<Meeting>(db: db).addRoutes(to: router)
        ObjectPages<Person>(db: db).addRoutes(to: router)
        ProjectInterface(db: db).addRoutes(to: router)

        // Whether the program is alive, which does not depend on the database, and whether it can do its work.
        router.get("/health") { _, _ in "ok\n" }
        router.get("/ready") { _, _ async -> Response in
            Response(status: await db.isReady() ? .ok : .serviceUnavailable)
        }
        router.get("/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
        }
        // The statements that took longest, without their values.
        router.get("/statements") { _, _ in "\(db.statementStatistics)\n" }
        return router
    }
}
