@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastConformance
@testable import HoldfastPostgres

/// The reason for which there is no connection, told by its own sentence.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ConnectFailureTests {
    private func failure(_ url: String, timeout: Duration = .seconds(20)) async throws -> DatabaseError {
        let configuration = DatabaseConfiguration.postgres(url: url).with { $0.timeouts.connect = timeout }
        return try await #require(throws: DatabaseError.self) {
            let driver = try configuration.makeDriver(configuration)
            let connection = try await driver.connect(.write)
            await connection.close()
            await driver.shutdown()
        }
    }

    /// The parts of the test server's URL.
    private func server() throws -> (user: String, password: String, host: String, port: String, database: String) {
        let parts = try #require(TestServer.url?.wholeMatch(of: /.*?:\/\/(.*?):(.*)@(.*?):([0-9]+)\/([^?]*).*/)).output
        return (String(parts.1), String(parts.2), String(parts.3), String(parts.4), String(parts.5))
    }

    @Test(arguments: [
        ("postgres://u:pAssw0rd@127.0.0.1:1/db", "Nothing listens at the server at \"127.0.0.1\", port 1 "),
        (
            "postgres://u:pAssw0rd@no-such-host.invalid:5/db",
            "name of the server at \"no-such-host.invalid\", port 5 is"
        ),
        (
            "postgres:///db?host=/no/such/dir&port=7&user=u",
            "nothing at the server's socket \"/no/such/dir/.s.PGSQL.7\""
        ),
        (
            "host=/no/such/dir port=7 user=u password=pAssw0rd",
            "\"/no/such/dir/.s.PGSQL.7\" (No such file or directory)"
        ),
        ("postgres://u:pAssw0rd@127.0.0.1:1/db?sslmode=maybe", "(invalid sslmode value: \"maybe\")"),
    ])
    func `a place without a server is named`(url: String, words: String) async throws {
        let error = try await failure(url)
        #expect(error.code == .cannotConnect)
        #expect(error.message.contains(words), "\(error.message)")
        #expect(!error.debugDescription.contains("pAssw0rd"))
    }

    @Test func `of several servers each has its cause`() async throws {
        let error = try await failure("postgres://u:p@127.0.0.1:1,no-such-host.invalid:2/db")
        #expect(error.message.hasPrefix("No server of the list could be used. Nothing listens at"), "\(error.message)")
        #expect(error.message.contains("\"127.0.0.1\", port 1"))
        #expect(error.message.contains("\"no-such-host.invalid\", port 2 is not known"))
        let server = try server()
        let refused = try await failure("postgres://u:no@127.0.0.1:1,\(server.host):\(server.port)/db")
        #expect(refused.code == .authenticationFailed)
        #expect(refused.message.contains("port 1 "))
        #expect(refused.message.contains("port \(server.port) refused the user or the password"))
    }

    @Test func `what the server refuses is told apart`() async throws {
        let (user, password, host, port, database) = try server()
        let place = "The server at \"\(host)\", port \(port) "
        func expect(
            _ login: String, _ database: String, _ words: String, _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let error = try await failure("postgres://\(login)@\(host):\(port)/\(database)")
            #expect(error.message.hasPrefix(place + words), "\(error.message)", sourceLocation: location)
        }
        let login = "\(user):\(password)"
        try await expect("\(user):no", database, "refused the user or the password.")
        try await expect(login, "no_such_database", "has no database of that name.")
        try await expect(login, "template0", "takes no connections to that database")
        try await expect(login, "\(database)?options=-c%20no_such%3D1", "refused a setting")
        let name = "driver_test_connect_\(port)"
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("DROP DATABASE IF EXISTS \(name)")
            for role in ["nologin", "limited"] { try await connection.execute("DROP ROLE IF EXISTS \(name)_\(role)") }
            try await connection.execute("CREATE DATABASE \(name)")
            try await connection.execute("REVOKE CONNECT ON DATABASE \(name) FROM PUBLIC")
            try await connection.execute("CREATE ROLE \(name)_nologin NOLOGIN PASSWORD 'p'")
            try await connection.execute("CREATE ROLE \(name)_limited LOGIN CONNECTION LIMIT 0 PASSWORD 'p'")
            try await expect("\(name)_nologin:p", database, "has no role of that name, or one that may not log in.")
            try await expect("\(name)_limited:p", database, "has no connection left (max_connections")
            try await connection.execute("ALTER ROLE \(name)_limited CONNECTION LIMIT 5")
            try await expect("\(name)_limited:p", name, "does not let this user connect to that database")
            try await connection.execute("DROP DATABASE \(name)")
            for role in ["nologin", "limited"] { try await connection.execute("DROP ROLE \(name)_\(role)") }
        }
    }

    @Test func `TLS that fails says why`() async throws {
        let server = try server()
        let plain = "postgres://\(server.user):\(server.password)@\(server.host):\(server.port)/\(server.database)"
        let without = try await failure(plain + "?sslmode=require")
        #expect(without.message.hasPrefix("The server at \"\(server.host)\", port \(server.port) has no TLS"))

        let tls = try await TLSServer()
        defer { tls.stop() }
        func words(_ url: String) async throws -> String {
            let error = try await failure(url)
            #expect(error.code == .cannotConnect || url.contains("disable"))
            #expect(error.message.contains("port \(tls.port)"), "\(error.message)")
            #expect(!error.debugDescription.contains(tls.password))
            return error.message
        }
        #expect(
            try await words(tls.url("sslmode=verify-ca&sslrootcert=\(tls.otherAuthority)"))
                .contains("is not to be trusted (SSL error: certificate verify failed)"))
        #expect(
            try await words(tls.url("sslmode=verify-full&sslrootcert=/no/such/file"))
                .contains("can't be read (root certificate file \"/no/such/file\" does not exist"))
        #expect(
            try await words(tls.url("sslmode=verify-full&sslrootcert=\(tls.authority)"))
                .contains("is for another name (server certificate for \"db.test\" does not match"))
        #expect(try await words(tls.url("sslmode=disable")).contains("into that database without TLS: pg_hba.conf"))
        #expect(
            try await words(tls.url("sslmode=require&sslcert=\(tls.authority)&sslkey=/no/such/file"))
                .contains("could not be set up (certificate present, but not private key file \"/no/such/file\")"))
        // With all of it right, there is a connection.
        let configuration = DatabaseConfiguration.postgres(
            url: tls.url(host: "db.test", "hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(tls.authority)"))
        let driver = try configuration.makeDriver(configuration)
        let connection = try await driver.connect(.write)
        #expect(connection.isUsable)
        await connection.close()
        await driver.shutdown()
    }

    @Test func `a refused connection is logged with its place and reason, and without the password`() async throws {
        let recorder = LogRecorder()
        await #expect(throws: DatabaseError.self) {
            try await Database.open(
                .postgres(url: "postgres://u:pAssw0rd@127.0.0.1:1/db").with { $0.telemetry.logger = recorder.logger })
        }
        let line = try #require(recorder.lines.first { $0.hasPrefix("warning") })
        #expect(line.hasPrefix("warning A connection could not be opened. code=cannotConnect reason=Nothing listens"))
        #expect(line.contains("\"127.0.0.1\", port 1"))
        #expect(!line.contains("pAssw0rd"))
    }
}
