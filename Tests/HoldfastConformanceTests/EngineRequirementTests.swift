import EngineProvisions
@_spi(Driver) import Holdfast
import HoldfastConformance
import Testing

@Suite struct EngineRequirementTests {
    /// The configuration of an empty database, opened by a driver that says that its engine lacks features.
    private func withConfiguration(
        of provision: any ConformanceProvision, lacking: Set<EngineRequirement>,
        _ body: (DatabaseConfiguration) async throws -> Void
    ) async throws {
        let database = try await provision.makeDatabase()
        let configuration = database.configuration.with { configuration in
            let make = configuration.makeDriver
            configuration.makeDriver = {
                BrokenDriver(base: try make($0), fault: .ignoresTimeouts, lacking: lacking)
            }
        }
        try await body(configuration)
        try await database.destroy()
    }

    @Test(arguments: EngineRequirement.allCases)
    func `an engine that lacks what is needed everywhere is refused when it is opened`(
        lacks requirement: EngineRequirement
    ) async throws {
        for provision in Engines.provisions {
            try await withConfiguration(of: provision, lacking: [requirement]) { configuration async throws in
                let error = await #expect(throws: DatabaseError.self) { try await Database.open(configuration) }
                #expect(error?.code == .unsupported)
                #expect(error?.message.contains("The engine ") == true)
            }
        }
    }

    @Test func `all that an engine lacks is said at once`() async throws {
        for provision in Engines.provisions {
            let all = Set(EngineRequirement.allCases)
            try await withConfiguration(of: provision, lacking: all) { configuration async throws in
                let error = await #expect(throws: DatabaseError.self) { try await Database.open(configuration) }
                for word in ["RETURNING", "roll back", "triggers", "bulk changes"] {
                    #expect(error?.message.contains(word) == true, "\(word)")
                }
            }
        }
    }

    @Test func `an engine that has everything is opened`() async throws {
        for provision in Engines.provisions {
            try await withConfiguration(of: provision, lacking: []) { configuration async throws in
                try await Database.withDatabase(configuration) { db async throws in
                    #expect(db.capabilities.lacking.isEmpty)
                }
            }
        }
    }
}
