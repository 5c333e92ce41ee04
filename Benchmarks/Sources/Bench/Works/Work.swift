import ArgumentParser

/// What is measured.
enum Work: String, Codable, CaseIterable, ExpressibleByArgument {
    case saveItems = "W1"
    case fetchItems = "W2"
    case findItems = "W3"
    case findItemsInTransaction = "W3t"
    case saveGraph = "W4a"
    case loadGraph = "W4b"
    case saveItemsSingly = "W5"
    case findItemsAtOnce = "W6"
    case updateItems = "W7"
    case streamItems = "W8"
    case saveWeb = "W9a"
    case loadWeb = "W9b"
    case saveCatalogue = "W10"

    init?(argument: String) {
        guard let work = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = work
    }

    /// How many objects are saved, fetched, found or changed: for a graph, its projects; for a web, its nodes; for a
    /// catalogue, its packages.
    func count(on engine: Engine) -> Int {
        switch self {
        case .saveItems, .fetchItems, .saveWeb, .loadWeb: 100_000
        case .streamItems: 1_000_000
        case .findItems, .findItemsInTransaction, .updateItems: 20_000
        case .saveGraph, .loadGraph, .saveCatalogue: 10_000
        case .saveItemsSingly: 2_000
        case .findItemsAtOnce: engine == .sqlite ? 20_000 : 16_000
        }
    }

    /// What it does, for a reader.
    func title(_ count: Int, on engine: Engine) -> String {
        let tasks = concurrency(on: engine).tasks
        return switch self {
        case .saveItems: "save \(count) new objects, one call"
        case .fetchItems: "fetch all \(count) objects"
        case .findItems: "\(count) finds by key, one at a time"
        case .findItemsInTransaction: "\(count) finds by key, in one transaction"
        case .saveGraph: "save a graph of \(count) projects"
        case .loadGraph: "load a graph of \(count) projects"
        case .saveItemsSingly: "\(count) saves, each its own transaction"
        case .findItemsAtOnce: "\(tasks) tasks, each \(count / tasks) finds"
        case .streamItems: "stream \(count) objects"
        case .saveWeb: "save a web of \(count) nodes"
        case .loadWeb: "load a web of \(count) nodes"
        case .saveCatalogue: "save a catalogue of \(count) packages"
        case .updateItems: "change one property of \(count) objects, save"
        }
    }

    /// How many tasks do it, and over how many connections.
    func concurrency(on engine: Engine) -> (tasks: Int, connections: Int) {
        switch (self, engine) {
        case (.findItemsAtOnce, .sqlite): (4, 4)
        case (.findItemsAtOnce, .postgres): (16, 8)
        default: (1, 1)
        }
    }
}
