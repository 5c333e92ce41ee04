import ArgumentParser
import Floor

/// Makes the tables of a database and fills them, for works that read.
struct FillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Makes a database.", shouldDisplay: false)

    @OptionGroup var location: DatabaseLocation
    @Option(help: "The number of items.") var items = 0
    @Option(help: "The number of projects.") var projects = 0
    @Option(help: "The number of nodes.") var nodes = 0

    func run() async throws {
        try await location.migrate()
        let database = location.openFloor()
        defer { floor_close(database) }
        if items > 0 {
            let data = floor_make_items(Int64(items))
            floor_save_items(database, data)
        }
        if projects > 0 {
            let data = floor_make_graph(Int64(projects))
            floor_save_graph(database, data)
        }
        if nodes > 0 {
            let data = floor_make_web(Int64(nodes))
            floor_save_web(database, data)
        }
        floor_settle(database)
    }
}
