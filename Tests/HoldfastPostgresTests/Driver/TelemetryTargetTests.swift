@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// What traces and metrics say of a server, as far as the connection string says it.
@Suite struct TelemetryTargetTests {
    private func target(_ url: String, schema: String? = nil) throws -> TelemetryTarget {
        var options = try PostgresOptions(connectionString: url)
        if let schema { options.schema = schema }
        return options.telemetryTarget
    }

    @Test func `database, schema, host and port are those of the URL`() throws {
        #expect(
            try target("postgres://app:secret@db.example.org:6543/prod", schema: "sales")
                == TelemetryTarget(
                    systemName: "postgresql", namespace: "prod|sales", serverAddress: "db.example.org",
                    serverPort: 6543))
    }

    @Test func `the usual port is not named`() throws {
        for url in ["postgres://app@db/prod", "postgres://app@db:5432/prod"] {
            #expect(
                try target(url) == TelemetryTarget(systemName: "postgresql", namespace: "prod", serverAddress: "db"))
        }
    }

    @Test func `several servers are named together, in whatever order they are tried`() throws {
        let expected = TelemetryTarget(
            systemName: "postgresql", namespace: "prod", serverAddress: "a,b", serverPort: 6000)
        for list in ["a:6000,b:6000", "b:6000,a:6000"] {
            #expect(
                try target("postgres://\(list)/prod?target_session_attrs=prefer-standby") == expected)
        }
        #expect(try target("postgres://a:6000,b:7000/prod").serverPort == nil)
    }

    @Test func `a socket is named by its directory`() throws {
        #expect(try target("host=/run/postgresql dbname=prod").serverAddress == "/run/postgresql")
    }

    @Test func `what the environment says is not named`() throws {
        #expect(try target("postgres://") == TelemetryTarget(systemName: "postgresql"))
    }

    @Test(arguments: ["postgres://app:se/cret@db/prod", "postgres://app:pa@ss/word@db/prod"])
    func `what may be a piece of a password is not named`(_ url: String) throws {
        // Some of these can't be read at all.
        guard let options = try? PostgresOptions(connectionString: url) else { return }
        let target = options.telemetryTarget
        #expect(!"\(target)".contains("cret") && !"\(target)".contains("word"))
    }

    @Test func `a connection string in place of a name is not named`() throws {
        let options = try PostgresOptions(keywords: [("host", "db"), ("dbname", "postgres://app:secret@other/x")])
        #expect(options.telemetryTarget.namespace == nil)
    }
}
