import Testing

@_spi(Driver) @testable import Holdfast
@testable import HoldfastConformance

@Suite struct MigrationStatementTests {
    private struct Item: TableObject {
        var id: Int64?
        var name: String
        var words: [String]

        static let tableMapping = mapping(of: "item")

        static func mapping(of table: String) -> TableMapping<Item> {
            TableMapping(
                type: "Item", table: table,
                describe: { table in
                    table.key("id", \.id)
                    table.property("name", \.name, .indexed)
                    table.property("words", \.words)
                },
                decode: { row in
                    Item(id: try row.decode(at: 0), name: try row.decode(at: 1), words: try row.decode(at: 2))
                })
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `migrate asks as often for two hundred tables that are there as for twenty`(engine: SchemaEngine) async throws
    {
        let home = try await engine.provision.makeDatabase()
        let (probe, log) = (StatementProbe(), LogRecorder())
        let database = try await Database.open(
            home.configuration.with { configuration in
                configuration.pool.maximumConnections = 1
                configuration.telemetry.logger = log.logger
                probe.attach(to: &configuration)
            })
        // What the driver itself asks is told by the server.
        let logsStatements = engine == .postgresql
        var counts: [(statements: [String], logged: Int)] = []
        for count in [20, 200] {
            let migrator = Migrator(
                core: database.core, descriptions: (0..<count).map { Item.mapping(of: "item_\($0)").description })
            #expect(try await !migrator.run().isEmpty)
            if logsStatements {
                try await database.core.set("log_statement = 'all'")
                try await database.core.set("client_min_messages = 'log'")
            }
            let before = log.notices.count
            _ = probe.take()
            #expect(try await migrator.run().isEmpty)
            counts.append((probe.take(), log.notices.count - before))
            if logsStatements { try await database.core.set("client_min_messages = 'warning'") }
        }
        #expect(counts[0].statements == counts[1].statements)
        #expect(counts[1].statements.filter { $0 == StatementProbe.schema }.count == 1)
        #expect(counts[1].statements.count <= 2, "\(counts[1].statements)")
        #expect(counts[0].logged == counts[1].logged)
        if logsStatements { #expect(3...5 ~= counts[1].logged) }
        try await database.close()
        try await home.destroy()
    }
}

extension LogRecorder {
    /// What the server told of the statements that it ran.
    fileprivate var notices: [String] { lines.filter { $0.contains("sent a notice") && $0.contains("LOG") } }
}

extension DatabaseCore {
    /// Sets something in the session of the only connection, which raw SQL would close.
    fileprivate func set(_ setting: String) async throws {
        let lease = try await lease(.write, purpose: "test")
        defer { lease.release() }
        try await lease.connection.run(Statement("SET \(setting)"), .none, timeout: nil) { _ in }
    }
}
