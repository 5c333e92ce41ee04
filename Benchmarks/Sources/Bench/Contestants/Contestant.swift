import Floor

/// A way to keep objects in a database.
///
/// What isn't said to be measured happens before the clock starts, or after it stopped.
protocol Contestant: SendableMetatype {
    /// Flat objects in memory.
    associatedtype Items
    /// Projects in memory, with what they lead to.
    associatedtype Graph
    /// Nodes in memory, with their links.
    associatedtype Web
    /// Packages in memory, with what they lead to.
    associatedtype Catalogue

    /// Opens a database.
    init(_ location: DatabaseLocation, connections: Int) async throws
    func close() async throws

    func makeItems(_ data: FloorItems) -> Items
    func makeGraph(_ data: FloorGraph) -> Graph
    func makeWeb(_ data: FloorWeb) -> Web
    func makeCatalogue(_ data: FloorCatalogue) -> Catalogue
    func checksum(_ items: Items) -> UInt64
    func checksum(_ graph: Graph) -> UInt64
    func checksum(_ web: Web) -> UInt64
    /// Loads a project, to warm up.
    func loadOneProject() async throws
    /// Reads the table of nodes, to warm up.
    func countNodes() async throws

    // These are measured.

    /// Saves new objects in one transaction.
    func save(_ items: inout Items) async throws
    /// Saves new objects, each in a transaction of its own.
    func saveSingly(_ items: inout Items) async throws
    /// All objects, by id.
    func fetch() async throws -> Items
    /// Takes all objects by id, each for as long as it takes to add something of it to a sum.
    func stream() async throws -> UInt64
    /// The objects of keys, one after the other.
    func find(_ keys: [Int64]) async throws -> Items
    /// The same, in one transaction.
    func findInTransaction(_ keys: [Int64]) async throws -> Items
    /// The same, by tasks at the same time, of which each takes an equal share of the keys.
    func findAtOnce(_ keys: [Int64], tasks: Int) async throws -> Items
    /// Adds 1 to the stock of loaded objects, and saves them in one transaction.
    func changeStock(_ items: inout Items) async throws
    /// Saves a new graph in one transaction.
    func save(_ graph: inout Graph) async throws
    /// All projects by id, with all that they lead to.
    func load() async throws -> Graph
    /// Saves a new web in one transaction.
    func save(_ web: inout Web) async throws
    /// All nodes by id, with their links.
    func loadWeb() async throws -> Web
    /// Saves a new catalogue in one transaction.
    func save(_ catalogue: inout Catalogue) async throws
}

/// What was to be found and was not.
struct MissingObject: Error {
    let key: Int64
}

extension Array where Element == Int64 {
    /// Parts of equal size, one for each task.
    func shares(_ tasks: Int) -> [[Int64]] {
        (0..<tasks).map { Array(self[count * $0 / tasks..<count * ($0 + 1) / tasks]) }
    }
}
