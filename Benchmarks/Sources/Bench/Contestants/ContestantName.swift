import ArgumentParser

/// Who is measured.
enum ContestantName: String, Codable, CaseIterable, ExpressibleByArgument {
    case floor, holdfast, grdb

    /// Who works on an engine.
    static func all(on engine: Engine) -> [ContestantName] { engine == .sqlite ? allCases : [.floor, .holdfast] }

    /// Does a work on a database, and says what it took.
    func run(_ order: Order, _ location: DatabaseLocation) async throws -> Measurement {
        switch self {
        case .floor: try await WorkRunner<FloorContestant>.run(order, location)
        case .holdfast: try await WorkRunner<HoldfastContestant>.run(order, location)
        case .grdb: try await WorkRunner<GRDBContestant>.run(order, location)
        }
    }
}
