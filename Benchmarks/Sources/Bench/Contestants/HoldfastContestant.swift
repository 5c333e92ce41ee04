import Floor
import Foundation
import Holdfast

/// Holdfast, as its documentation says.
struct HoldfastContestant: Contestant {
    let db: Database

    init(_ location: DatabaseLocation, connections: Int) async throws {
        db = try await Database.open(location.configuration(connections: connections))
    }

    func close() async throws { try await db.close() }

    func makeItems(_ data: FloorItems) -> [Item] {
        UnsafeBufferPointer(start: data.values, count: Int(data.count)).map { Item($0) }
    }

    func makeGraph(_ data: FloorGraph) -> [Project] {
        let people = data.allPeople.map { Person(name: String($0.name), born: Int($0.born)) }
        return data.allProjects.map { project in
            let meetings = project.allMeetings.map { meeting in
                Meeting(
                    title: String(meeting.pointee.title), startsAt: Date(microseconds: meeting.pointee.starts_at),
                    minutes: Int(meeting.pointee.minutes))
            }
            return Project(
                name: String(project.name), code: String(project.code), budget: project.budget,
                lead: people[data.leadNumber(of: project)], tags: project.allTags, meetings: meetings)
        }
    }

    func checksum(_ items: [Item]) -> UInt64 { Checksum(items, withIDs: true).value }

    func checksum(_ projects: [Project]) -> UInt64 {
        var sum = Checksum()
        sum.add(projects.count)
        for project in projects {
            sum.add(project.name)
            sum.add(project.code)
            sum.add(project.budget)
            sum.add(project.lead.name)
            sum.add(project.lead.born)
            sum.add(project.tags.count)
            for tag in project.tags { sum.add(tag) }
            sum.add(project.meetings.count)
            for meeting in project.meetings {
                sum.add(meeting.title)
                sum.add(meeting.startsAt)
                sum.add(meeting.minutes)
            }
        }
        return sum.value
    }

    func makeWeb(_ data: FloorWeb) -> Web {
        let nodes = (0..<data.nodeCount).map { Node(number: data.number(of: $0)) }
        for (index, node) in nodes.enumerated() { node.links = data.links(of: index).map { nodes[$0] } }
        return Web(nodes: nodes)
    }

    func checksum(_ web: Web) -> UInt64 {
        var sum = Checksum()
        sum.add(web.nodes.count)
        for node in web.nodes {
            sum.add(node.number)
            for other in node.links { sum.add(other.number) }
        }
        return sum.value
    }

    func countNodes() async throws { _ = try await db.find(Node.self, key: 1, depth: 0) }

    func loadOneProject() async throws { _ = try await db.find(Project.self, key: 1) }

    func save(_ items: inout [Item]) async throws { try await db.save(items) }

    func saveSingly(_ items: inout [Item]) async throws {
        for item in items { try await db.save(item) }
    }

    func fetch() async throws -> [Item] { try await db.fetch(Item.self) }

    func stream() async throws -> UInt64 {
        var sum: UInt64 = 0
        for try await item in db.query(Item.self).stream() { sum &+= item.summand }
        return sum
    }

    func find(_ keys: [Int64]) async throws -> [Item] { try await Self.find(keys, in: db) }

    func findInTransaction(_ keys: [Int64]) async throws -> [Item] {
        try await db.read { tx in try await Self.find(keys, in: tx) }
    }

    private static func find(_ keys: [Int64], in context: some DatabaseContext) async throws -> [Item] {
        var items: [Item] = []
        for key in keys {
            guard let item = try await context.find(Item.self, key: key) else { throw MissingObject(key: key) }
            items.append(item)
        }
        return items
    }

    /// What a task found, which it hands over and keeps nothing of.
    private struct Found: @unchecked Sendable {
        let share: Int
        let items: [Item]
    }

    func findAtOnce(_ keys: [Int64], tasks: Int) async throws -> [Item] {
        let db = db
        var found: [Found] = []
        try await withThrowingTaskGroup(of: Found.self) { group in
            for (share, keys) in keys.shares(tasks).enumerated() {
                group.addTask { Found(share: share, items: try await Self.find(keys, in: db)) }
            }
            for try await part in group { found.append(part) }
        }
        return found.sorted { $0.share < $1.share }.flatMap(\.items)
    }

    func changeStock(_ items: inout [Item]) async throws {
        for item in items { item.stock += 1 }
        try await db.save(items)
    }

    func save(_ projects: inout [Project]) async throws { try await db.save(projects) }

    func load() async throws -> [Project] { try await db.fetch(Project.self) }

    func save(_ web: inout Web) async throws { try await db.save(web.nodes) }

    func loadWeb() async throws -> Web { Web(nodes: try await db.fetch(Node.self)) }

    /// Nodes that are taken apart with the last reference: circles keep themselves alive.
    final class Web {
        let nodes: [Node]

        init(nodes: [Node]) { self.nodes = nodes }

        deinit { for node in nodes { node.links = [] } }
    }
}
