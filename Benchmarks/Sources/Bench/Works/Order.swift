import Floor

/// A work of a size.
struct Order: Codable, Hashable {
    var engine: Engine
    var work: Work
    /// How many objects; for a graph, projects; for a web, nodes; for a catalogue, packages.
    var count: Int
    /// How often it is done in one process, so that the time is well above what a clock can tell.
    var repetitions = 1
    /// How many items are there to be found.
    var population = 0

    init(_ work: Work, on engine: Engine, scale: Double) {
        func scaled(_ count: Int) -> Int { max(16, Int((Double(count) * scale).rounded())) }
        self.engine = engine
        self.work = work
        count = scaled(work.count(on: engine))
        population = scaled(100_000)
    }

    /// A work whose tables have so many rows together.
    init(_ work: Work, on engine: Engine, rows: Int) {
        self.engine = engine
        self.work = work
        switch work {
        case .saveGraph, .loadGraph: count = max(1, rows * 100 / Int(floor_graph_rows(100)))
        case .saveCatalogue: count = max(16, rows * 100 / Int(floor_catalogue_rows(100)))
        case .saveWeb, .loadWeb: count = rows  // of nodes, each of which has links besides
        default: count = rows
        }
        repetitions = max(1, min(100, 100_000 / rows))
    }

    var filling: Filling {
        switch work {
        case .saveItems, .saveItemsSingly, .saveGraph, .saveWeb, .saveCatalogue: .nothing
        case .fetchItems, .streamItems, .updateItems: .items(count)
        case .findItems, .findItemsInTransaction, .findItemsAtOnce: .items(population)
        case .loadGraph: .graph(count)
        case .loadWeb: .web(count)
        }
    }

    /// Whether the database is as before afterwards, so that all can use the same one.
    var onlyReads: Bool { filling != .nothing && work != .updateItems }

    /// The rows that are written or read.
    var rows: Int {
        switch work {
        case .saveGraph, .loadGraph: Int(floor_graph_rows(Int64(count)))
        case .saveCatalogue: Int(floor_catalogue_rows(Int64(count)))
        case .saveWeb, .loadWeb: count * (1 + Int(FLOOR_LINKS))
        default: count
        }
    }

    var title: String { work.title(count, on: engine) }
}
