import EngineProvisions
@_spi(Driver) import Holdfast
import HoldfastConformance

/// Makes the databases of another provision, and opens them through a broken driver.
struct BrokenProvision: ConformanceProvision {
    let base: any ConformanceProvision
    let fault: Fault

    var unreachable: DatabaseConfiguration { base.unreachable }

    func makeDatabase() async throws -> any ConformanceDatabase {
        BrokenDatabase(base: try await base.makeDatabase(), fault: fault)
    }

    private struct BrokenDatabase: ConformanceDatabase {
        let base: any ConformanceDatabase
        let fault: Fault

        var configuration: DatabaseConfiguration { broken(base.configuration) }

        func configuration(withSchema name: String) async throws -> DatabaseConfiguration {
            broken(try await base.configuration(withSchema: name))
        }

        private func broken(_ configuration: DatabaseConfiguration) -> DatabaseConfiguration {
            configuration.with { [fault] configuration in
                let make = configuration.makeDriver
                configuration.makeDriver = { BrokenDriver(base: try make($0), fault: fault) }
            }
        }

        func terminateSessions() async throws { try await base.terminateSessions() }
        func destroy() async throws { try await base.destroy() }
    }
}
