import GRDB

struct NodeRecord: Sendable {
    var id: Int64?
    var number: Int
}

extension NodeRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "node"

    init(row: Row) {
        id = row[0]
        number = row[1]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["number"] = number
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// Nodes and, by their indexes, where their links lead: GRDB's records are values.
struct NodeWeb: Sendable {
    var nodes: [NodeRecord]
    var links: [[Int]]
}

extension NodeWeb {
    /// Inserts everything; each statement is prepared once.
    mutating func insert(_ db: Database) throws {
        for index in nodes.indices { try nodes[index].insert(db) }
        let add = try db.cachedStatement(
            sql: "INSERT INTO node_links (node_id, position, links_id) VALUES (?, ?, ?)")
        for (index, targets) in links.enumerated() {
            for (position, target) in targets.enumerated() {
                try add.execute(arguments: [nodes[index].id, position * 1024, nodes[target].id])
            }
        }
    }

    /// Reads each table once, and puts the rows together.
    init(_ db: Database) throws {
        nodes = try NodeRecord.fetchAll(db, sql: "SELECT id, number FROM node ORDER BY id")
        links = nodes.map { _ in [] }
        var indexes: [Int64: Int] = [:]
        indexes.reserveCapacity(nodes.count)
        for (index, node) in nodes.enumerated() { indexes[node.id!] = index }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT node_id, links_id FROM node_links ORDER BY node_id, position")
        while let row = try rows.next() { links[indexes[row[0]]!].append(indexes[row[1]]!) }
    }
}
