import Floor

/// How the statements of a load are sent to a server.
protocol Sending {
    static var isPipelined: Bool { get }
}

enum OneByOne: Sending {
    static let isPipelined = false
}

enum Together: Sending {
    static let isPipelined = true
}

/// The C libraries, with nothing around them.
struct FloorContestant<Mode: Sending>: Contestant {
    private let database: OpaquePointer

    init(_ location: DatabaseLocation, connections: Int) {
        database = location.openFloor(connections: connections)
        if Mode.isPipelined { floor_pipeline(database) }
    }

    func close() { floor_close(database) }

    /// Structs that are freed with the last reference.
    final class Items {
        let data: FloorItems
        init(_ data: FloorItems) { self.data = data }
        deinit { floor_free_items(data) }
    }

    /// Structs that are freed with the last reference.
    final class Graph {
        let data: FloorGraph
        init(_ data: FloorGraph) { self.data = data }
        deinit { floor_free_graph(data) }
    }

    /// Structs that are freed with the last reference.
    final class Web {
        let data: FloorWeb
        init(_ data: FloorWeb) { self.data = data }
        deinit { floor_free_web(data) }
    }

    /// Structs that are freed with the last reference.
    final class Catalogue {
        let data: FloorCatalogue
        init(_ data: FloorCatalogue) { self.data = data }
        deinit { floor_free_catalogue(data) }
    }

    // A copy of their own, since the caller frees the data.
    func makeItems(_ data: FloorItems) -> Items { Items(floor_make_items(data.count)) }
    func makeGraph(_ data: FloorGraph) -> Graph { Graph(floor_make_graph(data.project_count)) }
    func makeWeb(_ data: FloorWeb) -> Web { Web(floor_make_web(data.count)) }
    func makeCatalogue(_ data: FloorCatalogue) -> Catalogue { Catalogue(floor_make_catalogue(data.package_count)) }
    func checksum(_ items: Items) -> UInt64 { floor_items_checksum(items.data, true) }
    func checksum(_ graph: Graph) -> UInt64 { floor_graph_checksum(graph.data) }
    func checksum(_ web: Web) -> UInt64 { floor_web_checksum(web.data) }
    func loadOneProject() {}
    func countNodes() {}

    func save(_ items: inout Items) { floor_save_items(database, items.data) }
    func saveSingly(_ items: inout Items) { floor_save_items_singly(database, items.data) }
    func fetch() -> Items { Items(floor_fetch_items(database)) }
    func stream() -> UInt64 { floor_stream_items(database) }
    func find(_ keys: [Int64]) -> Items { Items(floor_find_items(database, keys, Int64(keys.count), false)) }
    func findInTransaction(_ keys: [Int64]) -> Items {
        Items(floor_find_items(database, keys, Int64(keys.count), true))
    }
    func findAtOnce(_ keys: [Int64], tasks: Int) -> Items {
        Items(floor_find_items_at_once(database, keys, Int64(keys.count)))
    }

    func changeStock(_ items: inout Items) {
        for index in 0..<Int(items.data.count) { items.data.values?[index].stock += 1 }
        floor_update_items(database, items.data)
    }

    func save(_ graph: inout Graph) { floor_save_graph(database, graph.data) }
    func load() -> Graph { Graph(floor_load_graph(database)) }
    func save(_ web: inout Web) { floor_save_web(database, web.data) }
    func loadWeb() -> Web { Web(floor_load_web(database)) }
    func save(_ catalogue: inout Catalogue) { floor_save_catalogue(database, catalogue.data) }
}
