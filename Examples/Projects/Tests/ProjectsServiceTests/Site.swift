import CoreMetrics
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting

@testable import ProjectsService

/// The service over the database of a test, as a browser sees it.
struct Site: Sendable {
    /// The metrics of all tests: swift-metrics takes one registry for a process.
    static let metrics: MetricsRegistry = {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    static let engines = DriverType.tested(.sqlite, .postgres)

    let db: Database
    let client: any TestClientProtocol

    /// Serves the database of the running test.
    ///
    /// - Parameters:
    ///   - engine: The engine that the test runs on.
    ///   - setup: `.router` without a server, `.live` with one.
    ///   - body: What the browser does.
    static func on(
        _ engine: DriverType, _ setup: TestingSetup = .router, _ body: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        let metrics = metrics
        let db = try await Database.current(on: engine)
        let configuration = ServiceConfiguration(database: try TestDatabase.current.configuration)
        let application = ProjectsService.application(configuration, db, metrics)
        try await application.test(setup) { client in try await body(Site(db: db, client: client)) }
    }

    func get(_ path: String) async throws -> (status: Int, text: String) {
        try await client.execute(uri: path, method: .get) { ($0.status.code, String(buffer: $0.body)) }
    }

    /// Sends JSON.
    func send(_ method: HTTPRequest.Method, _ path: String, _ json: String) async throws -> (status: Int, json: JSON) {
        let (status, text) = try await client.execute(
            uri: path, method: method, headers: [.contentType: "application/json"], body: ByteBuffer(string: json)
        ) { ($0.status.code, String(buffer: $0.body)) }
        return (status, try JSON(parsing: text))
    }

    /// Sends a form.
    @discardableResult func post(
        _ path: String, _ fields: KeyValuePairs<String, String> = [:], headers: HTTPFields = [:]
    ) async throws -> (status: Int, text: String, location: String) {
        var components = URLComponents()
        components.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        let body = (components.percentEncodedQuery ?? "").replacing("+", with: "%2B").replacing("%20", with: "+")
        return try await client.execute(
            uri: path, method: .post, headers: headers, body: ByteBuffer(string: body)
        ) { ($0.status.code, String(buffer: $0.body), $0.headers[.location] ?? "") }
    }
}

extension String {
    /// What stands between two texts, wherever they occur.
    func all(from start: String, to end: String) -> [String] {
        components(separatedBy: start).dropFirst().map { $0.components(separatedBy: end)[0] }
    }
}
