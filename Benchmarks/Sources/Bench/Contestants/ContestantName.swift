import ArgumentParser

/// Who is measured.
enum ContestantName: String, Codable, CaseIterable, ExpressibleByArgument {
    case floor, pipelined, holdfast, logged, grdb

    /// Who does a work on an engine.
    func takesPart(in work: Work, on engine: Engine) -> Bool {
        switch self {
        case .floor, .holdfast: true
        case .pipelined: engine == .postgres && [.loadGraph, .loadWeb].contains(work)
        case .logged: [.saveItems, .saveItemsSingly, .updateItems].contains(work)
        case .grdb: engine == .sqlite
        }
    }

    /// Does a work on a database, and says what it took.
    func run(_ order: Order, _ location: DatabaseLocation) async throws -> Measurement {
        switch self {
        case .floor: try await WorkRunner<FloorContestant<OneByOne>>.run(order, location)
        case .pipelined: try await WorkRunner<FloorContestant<Together>>.run(order, location)
        case .holdfast: try await WorkRunner<HoldfastContestant>.run(order, location)
        case .logged: try await WorkRunner<HoldfastContestant>.run(order, location, logging: true)
        case .grdb: try await WorkRunner<GRDBContestant>.run(order, location)
        }
    }
}
