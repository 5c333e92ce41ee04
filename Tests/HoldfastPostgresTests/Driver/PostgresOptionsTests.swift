@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

@Suite struct PostgresOptionsTests {
    @Test func `our parameters are taken out of a URL, and libpq's stay`() throws {
        let url =
            "postgres://u:p%40?w@h/db?schema=a%20b&sslmode=require&pool_size=3&statement_timeout=250&lock_timeout=50"
        let options = try PostgresOptions(connectionString: url + "&prepared_statements=off&connect_timeout=7")
        #expect(options.keywords.map(\.value) == ["postgres://u:p%40?w@h/db?sslmode=require&connect_timeout=7"])
        #expect(options.schema == "a b")
        #expect(!options.keepsStatementsPrepared)
        #expect(options.connectTimeout == .seconds(7))
        let configuration = DatabaseConfiguration.postgres(url: url, schema: "other")
        #expect(configuration.pool.maximumConnections == 3)
        #expect(configuration.timeouts.statement == .milliseconds(250))
        #expect(configuration.timeouts.lock == .milliseconds(50))
        let driver = try #require(configuration.makeDriver(configuration) as? PostgresDriver)
        #expect(driver.options.schema == "other")
    }

    @Test(arguments: [
        ("postgres://u:pAssw0rd@h/db?no_such=1", "\"no_such\""),
        ("postgres://u:pAssw0rd@h/db?pool_size=many", "\"pool_size\""),
        ("postgres://u:pAssw0rd@h/db?pool_size=0", "\"pool_size\""),
        ("postgres://u:pAssw0rd@h/db?lock_timeout=-1", "\"lock_timeout\""),
        ("postgres://u:pAssw0rd@h/db?schema=%zz", "\"schema\""), ("postgres://u:pAssw0rd@[h/db", "postgres://"),
        ("postgres://u:pAssw0rd%@h/db", "postgres://"), ("host=h password='pAssw0rd", "postgres://"),
        ("postgres://u:pAssw0rd@h/db?prepared_statements=maybe", "on or off"),
        ("postgres://u:pAssw0rd@h/db?pooler=statement", "session or transaction"),
        // Reserved characters in the password.
        ("postgres://app:pAssw0rd/part?two@host/db", "\"/\" is %2F"),
        ("postgres://app:50/part?pAssw0rd@host/db", "a parameter that neither"),
        ("postgres://app:p@pAssw0rd@host/db", "has an \"@\""), ("postgres://app:pAssw0rd/x@host/db", "65535"),
        ("postgres://h/db?password=a&pAssw0rd", "a parameter that neither"),
        ("postgres://h/db?pass=pAssw0rd@x", "a parameter that neither"), ("postgres://h/db?pass=pAssw0rd", "\"pass\""),
        ("host=h\u{0} password=pAssw0rd", "NUL"),
    ])
    func `a URL that can't be read is told when it is opened, without its password`(url: String, words: String) throws {
        let configuration = DatabaseConfiguration.postgres(url: url)
        let error = try #require(throws: DatabaseError.self) { try configuration.makeDriver(configuration) }
        #expect(error.code == .cannotConnect)
        #expect(error.message.contains(words))
        #expect(!error.debugDescription.contains("pAssw0rd"))
        if url.contains("://") { #expect(throws: DatabaseError.self) { try DriverType.postgres.configure(url) } }
    }

    @Test func `a list of servers is taken apart`() throws {
        typealias Target = PostgresOptions.Target
        let two = try PostgresOptions(connectionString: "postgres://a:1,b:2/db?target_session_attrs=prefer-standby")
        #expect(
            two.targets == [
                Target(host: "a", port: "1", sessionKind: "standby"),
                Target(host: "b", port: "2", sessionKind: "standby"),
                Target(host: "a", port: "1", sessionKind: "any"), Target(host: "b", port: "2", sessionKind: "any"),
            ])
        let one = try PostgresOptions(connectionString: "host=a,b hostaddr=10.0.0.1,10.0.0.2 port=5")
        #expect(
            one.targets == [
                Target(host: "a", address: "10.0.0.1", port: "5"), Target(host: "b", address: "10.0.0.2", port: "5"),
            ])
        #expect(try PostgresOptions(connectionString: "postgres://a/db").targets == [Target()])
        #expect(try PostgresOptions(connectionString: "host=a,b port=1,2,3").targets == [Target()])
        for port in ["0", "65536", "x", "-1", "1,x"] {
            #expect(throws: DatabaseError.self) { try PostgresOptions(connectionString: "host=a port=\(port)") }
        }
        #expect(try PostgresOptions(connectionString: "db").targets == [Target()])
    }

    @Test func `the driver answers to both schemes`() {
        #expect(DriverType.postgres.schemes == ["postgres", "postgresql"])
    }

    @Test(arguments: [
        ("", PostgresPooler.session, true), ("?pooler=transaction", .transaction, false),
        ("?prepared_statements=off", .transaction, false), ("?pooler=session&prepared_statements=off", .session, false),
        ("?prepared_statements=on&pooler=transaction", .transaction, true), ("?pooler=session", .session, true),
    ])
    func `a transaction pooler and prepared statements imply each other unless told`(
        parameters: String, pooler: PostgresPooler, keeps: Bool
    ) throws {
        let options = try PostgresOptions(connectionString: "postgres://u@h/db" + parameters)
        #expect(options.pooler == pooler && options.keepsStatementsPrepared == keeps)
    }
}
