import Configuration
import Logging
import ProjectsService

/// The program, which is configured by its environment: `DATABASE_URL=postgres://… projects`.
@main
enum Projects {
    static func main() async throws {
        LoggingSystem.bootstrap { JSONLogHandler(label: $0) }
        let config = ConfigReader(providers: [EnvironmentVariablesProvider(), ProjectsService.defaults])
        try await ProjectsService.run(reading: config)
    }
}
