import Floor
import Foundation
import GRDB

/// GRDB, as a server would use it: a pool, and its asynchronous functions.
struct GRDBContestant: Contestant {
    private let pool: DatabasePool

    init(_ location: DatabaseLocation, connections: Int) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
        pool = try DatabasePool(path: location.database, configuration: configuration)
    }

    func close() throws { try pool.close() }

    func makeItems(_ data: FloorItems) -> [ItemRecord] {
        UnsafeBufferPointer(start: data.values, count: Int(data.count)).map { ItemRecord($0) }
    }

    func makeGraph(_ data: FloorGraph) -> ProjectForest {
        ProjectForest(
            people: data.allPeople.map { PersonRecord(name: String($0.name), born: Int($0.born)) },
            projects: data.allProjects.map { project in
                let meetings = project.allMeetings.map { meeting in
                    MeetingRecord(
                        title: String(meeting.pointee.title), startsAt: Date(microseconds: meeting.pointee.starts_at),
                        minutes: Int(meeting.pointee.minutes))
                }
                let record = ProjectRecord(
                    name: String(project.name), code: String(project.code), budget: project.budget, leadID: 0)
                return ProjectTree(
                    project: record, lead: data.leadNumber(of: project), tags: project.allTags, meetings: meetings)
            })
    }

    func checksum(_ items: [ItemRecord]) -> UInt64 { Checksum(items, withIDs: true).value }

    func checksum(_ forest: ProjectForest) -> UInt64 {
        var sum = Checksum()
        sum.add(forest.projects.count)
        for tree in forest.projects {
            sum.add(tree.project.name)
            sum.add(tree.project.code)
            sum.add(tree.project.budget)
            sum.add(forest.people[tree.lead].name)
            sum.add(forest.people[tree.lead].born)
            sum.add(tree.tags.count)
            for tag in tree.tags { sum.add(tag) }
            sum.add(tree.meetings.count)
            for meeting in tree.meetings {
                sum.add(meeting.title)
                sum.add(meeting.startsAt)
                sum.add(meeting.minutes)
            }
        }
        return sum.value
    }

    func makeWeb(_ data: FloorWeb) -> NodeWeb {
        let indices = 0..<data.nodeCount
        return NodeWeb(
            nodes: indices.map { NodeRecord(number: data.number(of: $0)) }, links: indices.map { data.links(of: $0) })
    }

    func checksum(_ web: NodeWeb) -> UInt64 {
        var sum = Checksum()
        sum.add(web.nodes.count)
        for (node, targets) in zip(web.nodes, web.links) {
            sum.add(node.number)
            for target in targets { sum.add(web.nodes[target].number) }
        }
        return sum.value
    }

    func countNodes() async throws { _ = try await pool.read { db in try NodeRecord.fetchCount(db) } }

    func loadOneProject() async throws { _ = try await pool.read { db in try ProjectRecord.fetchOne(db, key: 1) } }

    func save(_ items: inout [ItemRecord]) async throws {
        items = try await pool.write { [items] db in try items.map { try $0.inserted(db) } }
    }

    func saveSingly(_ items: inout [ItemRecord]) async throws {
        for index in items.indices {
            items[index] = try await pool.write { [item = items[index]] db in try item.inserted(db) }
        }
    }

    func fetch() async throws -> [ItemRecord] {
        try await pool.read { db in try ItemRecord.order(ItemRecord.Columns.id).fetchAll(db) }
    }

    func stream() async throws -> UInt64 {
        try await pool.read { db in
            var sum: UInt64 = 0
            let items = try ItemRecord.order(ItemRecord.Columns.id).fetchCursor(db)
            while let item = try items.next() { sum &+= item.summand }
            return sum
        }
    }

    func find(_ keys: [Int64]) async throws -> [ItemRecord] { try await Self.find(keys, in: pool) }

    private static func find(_ keys: [Int64], in pool: DatabasePool) async throws -> [ItemRecord] {
        var items: [ItemRecord] = []
        for key in keys { items.append(try await pool.read { db in try ItemRecord.find(key, db) }) }
        return items
    }

    func findInTransaction(_ keys: [Int64]) async throws -> [ItemRecord] {
        try await pool.read { db in
            try keys.map { try ItemRecord.find($0, db) }
        }
    }

    func findAtOnce(_ keys: [Int64], tasks: Int) async throws -> [ItemRecord] {
        let pool = pool
        var found: [(share: Int, items: [ItemRecord])] = []
        try await withThrowingTaskGroup(of: (Int, [ItemRecord]).self) { group in
            for (share, keys) in keys.shares(tasks).enumerated() {
                group.addTask { (share, try await Self.find(keys, in: pool)) }
            }
            for try await part in group { found.append(part) }
        }
        return found.sorted { $0.share < $1.share }.flatMap(\.items)
    }

    func changeStock(_ items: inout [ItemRecord]) async throws {
        for index in items.indices { items[index].stock += 1 }
        try await pool.write { [items] db in
            for item in items { try item.update(db, columns: [ItemRecord.Columns.stock]) }
        }
    }

    func save(_ forest: inout ProjectForest) async throws {
        forest = try await pool.write { [forest] db in
            var forest = forest
            try forest.insert(db)
            return forest
        }
    }

    func load() async throws -> ProjectForest { try await pool.read { db in try ProjectForest(db) } }

    func save(_ web: inout NodeWeb) async throws {
        web = try await pool.write { [web] db in
            var web = web
            try web.insert(db)
            return web
        }
    }

    func makeCatalogue(_ data: FloorCatalogue) -> PackageCatalogue { PackageCatalogue(data) }

    func save(_ catalogue: inout PackageCatalogue) async throws {
        catalogue = try await pool.write { [catalogue] db in
            var catalogue = catalogue
            try catalogue.insert(db)
            return catalogue
        }
    }

    func loadWeb() async throws -> NodeWeb { try await pool.read { db in try NodeWeb(db) } }
}
