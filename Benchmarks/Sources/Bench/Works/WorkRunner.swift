import Floor

/// Has a contestant do a work: prepares it, warms up, measures, and checks what came of it.
struct WorkRunner<Player: Contestant> {
    let order: Order
    let location: DatabaseLocation
    let player: Player
    /// The floor's, for what happens around a work.
    let attendant: OpaquePointer

    /// Opens the database and does the work once, off the main thread as a server would.
    ///
    /// - Parameter logging: Whether the change log has what it writes.
    @concurrent
    static func run(
        _ order: Order, _ location: DatabaseLocation, logging: Bool = false
    ) async throws -> Measurement {
        // Holdfast, which makes the tables for all, has SQLite keep no statistics of its memory.
        if Player.self != HoldfastContestant.self { floor_keep_sqlite_defaults() }
        try await location.migrate(logging: logging)
        let attendant = location.openFloor()
        defer { floor_close(attendant) }
        let player = try await Player(location, connections: order.work.concurrency(on: order.engine).connections)
        let runner = WorkRunner(order: order, location: location, player: player, attendant: attendant)
        let measurement = try await runner.run()
        try await player.close()
        return measurement
    }

    private func run() async throws -> Measurement {
        var meter = Meter()
        let checksum: UInt64
        switch order.work {
        case .saveItems: checksum = try await saveItems(&meter) { try await player.save(&$0) }
        case .saveItemsSingly: checksum = try await saveItems(&meter) { try await player.saveSingly(&$0) }
        case .fetchItems: checksum = try await fetchItems(&meter)
        case .findItems: checksum = try await findItems(&meter) { try await player.find($0) }
        case .findItemsInTransaction:
            checksum = try await findItems(&meter) { try await player.findInTransaction($0) }
        case .findItemsAtOnce:
            let tasks = order.work.concurrency(on: order.engine).tasks
            checksum = try await findItems(&meter) { try await player.findAtOnce($0, tasks: tasks) }
        case .saveGraph: checksum = try await saveGraph(&meter)
        case .loadGraph: checksum = try await loadGraph(&meter)
        case .updateItems: checksum = try await updateItems(&meter)
        case .streamItems: checksum = try await streamItems(&meter)
        case .saveWeb: checksum = try await saveWeb(&meter)
        case .loadWeb: checksum = try await loadWeb(&meter)
        case .saveCatalogue: checksum = try await saveCatalogue(&meter)
        }
        return meter.measurement(checksum: checksum, repetitions: order.repetitions)
    }

    private func makeItems(_ count: Int) -> Player.Items {
        let data = floor_make_items(Int64(count))
        defer { floor_free_items(data) }
        return player.makeItems(data)
    }

    /// What the table of items holds, without ids: those differ where one contestant's warm-up took another number.
    private func storedItems() -> UInt64 {
        let items = floor_fetch_items(attendant)
        defer { floor_free_items(items) }
        return floor_items_checksum(items, false)
    }

    private func saveItems(
        _ meter: inout Meter, _ save: (inout Player.Items) async throws -> Void
    ) async throws -> UInt64 {
        var few = makeItems(10)
        try await save(&few)
        for _ in 0..<order.repetitions {
            floor_delete_all(attendant)
            var items = makeItems(order.count)
            try await meter.measure { try await save(&items) }
        }
        return storedItems()
    }

    private func fetchItems(_ meter: inout Meter) async throws -> UInt64 {
        _ = try await player.find([1])
        var checksum: UInt64 = 0
        for number in 0..<order.repetitions {
            let items = try await meter.measure { try await player.fetch() }
            if number == 0 { checksum = player.checksum(items) }
        }
        return checksum
    }

    private func streamItems(_ meter: inout Meter) async throws -> UInt64 {
        _ = try await player.find([1])
        var checksum: UInt64 = 0
        for _ in 0..<order.repetitions { checksum = try await meter.measure { try await player.stream() } }
        return checksum
    }

    private func findItems(
        _ meter: inout Meter, _ find: ([Int64]) async throws -> Player.Items
    ) async throws -> UInt64 {
        let pointer = floor_make_keys(Int64(order.count), Int64(order.population))
        let keys = Array(UnsafeBufferPointer(start: pointer, count: order.count))
        _ = try await find(Array(keys.prefix(64)))
        let items = try await meter.measure { try await find(keys) }
        return player.checksum(items)
    }

    private func updateItems(_ meter: inout Meter) async throws -> UInt64 {
        var items = try await player.fetch()
        try await meter.measure { try await player.changeStock(&items) }
        return storedItems()
    }

    private func makeGraph(_ count: Int) -> Player.Graph {
        let data = floor_make_graph(Int64(count))
        defer { floor_free_graph(data) }
        return player.makeGraph(data)
    }

    private func saveGraph(_ meter: inout Meter) async throws -> UInt64 {
        var few = makeGraph(2)
        try await player.save(&few)
        for _ in 0..<order.repetitions {
            floor_delete_all(attendant)
            var graph = makeGraph(order.count)
            try await meter.measure { try await player.save(&graph) }
        }
        let stored = floor_load_graph(attendant)
        defer { floor_free_graph(stored) }
        return floor_graph_checksum(stored)
    }

    private func makeWeb(_ count: Int) -> Player.Web {
        let data = floor_make_web(Int64(count))
        defer { floor_free_web(data) }
        return player.makeWeb(data)
    }

    private func saveWeb(_ meter: inout Meter) async throws -> UInt64 {
        var few = makeWeb(10)
        try await player.save(&few)
        for _ in 0..<order.repetitions {
            floor_delete_all(attendant)
            var web = makeWeb(order.count)
            try await meter.measure { try await player.save(&web) }
        }
        let stored = floor_load_web(attendant)
        defer { floor_free_web(stored) }
        return floor_web_checksum(stored)
    }

    private func loadWeb(_ meter: inout Meter) async throws -> UInt64 {
        try await player.countNodes()
        var checksum: UInt64 = 0
        for number in 0..<order.repetitions {
            let web = try await meter.measure { try await player.loadWeb() }
            if number == 0 { checksum = player.checksum(web) }
        }
        return checksum
    }

    private func makeCatalogue(_ count: Int) -> Player.Catalogue {
        let data = floor_make_catalogue(Int64(count))
        defer { floor_free_catalogue(data) }
        return player.makeCatalogue(data)
    }

    private func saveCatalogue(_ meter: inout Meter) async throws -> UInt64 {
        var few = makeCatalogue(16)
        try await player.save(&few)
        for _ in 0..<order.repetitions {
            floor_delete_all(attendant)
            var catalogue = makeCatalogue(order.count)
            try await meter.measure { try await player.save(&catalogue) }
        }
        return floor_stored_catalogue_checksum(attendant)
    }

    private func loadGraph(_ meter: inout Meter) async throws -> UInt64 {
        try await player.loadOneProject()
        var checksum: UInt64 = 0
        for number in 0..<order.repetitions {
            let graph = try await meter.measure { try await player.load() }
            if number == 0 { checksum = player.checksum(graph) }
        }
        return checksum
    }
}
