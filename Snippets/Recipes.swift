// The examples of the article "Recipes".

import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

@Table
final class Post {
    var id: Int64?
    var title: String
    var publishedAt: Date?
    init(_ title: String) { self.title = title }
}

// snippet.published
extension Query<Post> {
    /// The posts that are published.
    var published: Query<Post> { `where` { $0.publishedAt != nil } }
}
// snippet.end

func fetchPublished(db: Database) async throws {
    // snippet.fetching-published
    let posts = try await db.query(Post.self).published.where { $0.title.hasPrefix("A") }.fetch()
    // SELECT … FROM "post" AS t0 WHERE t0."published_at" IS NOT NULL AND …
    // snippet.end
    _ = posts
}

// snippet.tenant-column
@Table(
    indexes: [.index("tenant", .descending("openedAt")), .unique("tenant", "number")],
    scopes: [.scope("tenant", by: "tenant")])
final class Order {
    var id: Int64?
    let tenant: String
    var number: Int
    @Timestamp(.created) var openedAt: Date?

    init(_ number: Int, of tenant: String) {
        self.number = number
        self.tenant = tenant
    }
}

/// What a request gets of an order.
func order(_ id: Int64, of tenant: String, in db: Database) async throws -> Order? {
    let orders = try db.scoped(["tenant": tenant])
    return try await orders.find(Order.self, key: id)
    // SELECT … FROM (SELECT * FROM "order" WHERE ("order"."tenant" = $2)) AS "order" WHERE "id" = $1
}
// snippet.end

// snippet.tenant-databases
actor Tenants {
    private var databases: [String: Task<Database, any Error>] = [:]

    /// The database of a tenant, opened and migrated at its first use.
    func database(of tenant: String) async throws -> Database {
        guard tenant.wholeMatch(of: /[a-z0-9]{1,40}/) != nil else { throw DatabaseError(.notFound, "No such tenant.") }
        let task =
            databases[tenant]
            ?? Task {
                let db = try await Database.open(
                    "postgres://app@db.example.org/shop?schema=\(tenant)", drivers: [.postgres]
                ) { $0.pool.maximumConnections = 2 }
                try await db.migrate(Order.self)
                return db
            }
        databases[tenant] = task
        do { return try await task.value } catch {
            databases[tenant] = nil  // the next request tries again
            throw error
        }
    }
}
// snippet.end

// snippet.job
@Table(indexes: [.index("runAt", where: "done_at IS NULL")])
final class Job {
    var id: Int64?
    var kind: String
    var argument: String
    var runAt: Date
    var attempts = 0
    var doneAt: Date?

    init(_ kind: String, _ argument: String, at runAt: Date = Date()) {
        (self.kind, self.argument, self.runAt) = (kind, argument, runAt)
    }
}
// snippet.end

// snippet.claiming
func claim(_ count: Int, for lease: TimeInterval, in db: Database) async throws -> [Job] {
    let now = Date()
    return try await db.query(Job.self).where { $0.doneAt == nil && $0.runAt <= now }
        .order(\.runAt).limit(count).locked(.skipLocked)
        .updateReturning {
            $0.attempts += 1
            $0.runAt.set(now.addingTimeInterval(lease))
        }
}
// snippet.end

func finish(_ key: Int64, in db: Database) async throws {
    // snippet.finishing
    try await db.transaction { tx in
        // … what the job does in the database …
        let count = try await tx.query(Job.self).where { $0.hasKey(key) && $0.doneAt == nil }
            .update { $0.doneAt.set(Date()) }
        if count == 0 { throw DatabaseError(.conflict, "Another worker has done the job.") }  // rolls back
    }
    // snippet.end
}

func wake(db: Database) async throws {
    // snippet.waking
    try await db.transaction { tx in
        try await tx.save(Job("mail", "welcome"))
        if db.capabilities.deliversNotifications { try await tx.notify("jobs") }  // delivered after the commit
    }
    // snippet.end
}

// snippet.article
@Table(search: ["title", "body"])
final class Article {
    var id: Int64?
    var title: String
    var body: String
    init(title: String, body: String) { (self.title, self.body) = (title, body) }
}
// snippet.end

// snippet.full-text
func search(_ typed: String, in db: Database) async throws -> [(title: String, excerpt: String)] {
    let query = SearchQuery(typed)
    let found = try await db.query(Article.self)
        .where { $0.matches(query) }
        .order { $0.searchRank(of: query).descending }
        .limit(20)
        .fetch()
    return found.map { (title: $0.title, excerpt: query.snippet(of: $0.body).text(marking: "[", "]")) }
}
// snippet.end

func searchParts(db: Database, words: String) async throws {
    // snippet.contains
    let found = try await db.query(Article.self)
        .where { $0.title.contains(words, caseSensitive: false) || $0.body.contains(words, caseSensitive: false) }
        .limit(20)
        .fetch()
    // snippet.end
    _ = found
}

// snippet.folder
@Table(indexes: [.unique("parent", "name"), .unique("name", where: "parent_id IS NULL")])
final class Folder {
    var id: Int64?
    var name: String
    var parent: Folder?  // "parent_id"
    @Relation(inverse: \Folder.parent, deleteRule: .cascade) var children: [Folder] = []

    init(_ name: String, in parent: Folder? = nil) {
        self.name = name
        self.parent = parent
    }
}
// snippet.end

func walkTree(db: Database, id: Int64) async throws {
    // snippet.tree-reading
    let tops = try await db.query(Folder.self).where { $0.parent == nil }.order(\.name).fetch()
    try await db.loadRelation(\.children, of: tops, depth: 1)  // one level, for all of them
    for top in tops { print(top.name, try top.loaded(\.children).map(\.name)) }

    if let folder = try await db.find(Folder.self, key: id) {  // with its parents, up to the top
        var path: [String] = []
        var next: Folder? = folder
        while let current = next {
            path.insert(current.name, at: 0)
            next = current.parent
        }
        print(path.joined(separator: "/"))
    }
    // snippet.end
}

// snippet.subtree
func subtree(of id: Int64, in context: some DatabaseContext) async throws -> [Folder] {
    try await context.sql(
        """
        WITH RECURSIVE tree (id, level) AS (
            SELECT id, 0 FROM \(Folder.self) WHERE id = \(id)
            UNION ALL
            SELECT f.id, tree.level + 1 FROM \(Folder.self) AS f JOIN tree ON f.parent_id = tree.id
        )
        SELECT f.* FROM tree JOIN \(Folder.self) AS f ON f.id = tree.id ORDER BY tree.level, f.name
        """
    ).fetch(Folder.self, depth: 0)
}
// snippet.end

// snippet.moving
func move(_ id: Int64, into parent: Int64, in db: Database) async throws {
    try await db.transaction { tx in
        guard try await !subtree(of: id, in: tx).contains(where: { $0.id == parent }) else {
            throw DatabaseError(.invalidValue, "A folder can't be moved into itself.")
        }
        try await tx.query(Folder.self).where { $0.hasKey(id) }.update { $0.parent.set(key: parent) }
    }
}
// snippet.end

// snippet.request
/// What the address of a list says: `/orders?search=…&sort=-openedAt&after=…`.
struct ListRequest {
    var search = ""
    var sort = "-openedAt"
    var after: String?
    var link: String  // path and query of the request
}

func page(_ request: ListRequest, of tenant: String, in db: Database) async throws -> JSON {
    let property = String(request.sort.drop { $0 == "-" })
    guard ["number", "openedAt"].contains(property) else { throw DatabaseError(.invalidValue, "No such order.") }
    var query = try db.scoped(["tenant": tenant]).query(Order.self)
    if let number = Int(request.search) { query = query.where { $0.number == number } }
    query = query.order(by: [request.sort.hasPrefix("-") ? .descending(property) : .ascending(property)])

    let cursor = request.after.flatMap { PageCursor(token: $0) }
    let page = try await query.page(size: 50, after: cursor)
    return try page.json(omitting: [\.tenant], total: try await query.count(), link: request.link)
}
// snippet.end

// On macOS, Swift Testing is there for test targets alone.
#if canImport(Testing)

// snippet.tests
import HoldfastTesting
import Testing

extension Order {
    static func sample(_ number: Int = 1, of tenant: String = "north") -> Order { Order(number, of: tenant) }
}

@Suite(.database(models: Order.self, Job.self))
struct RecipeTests {
    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func tenantsSeeTheirOwn(on engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let north = try db.scoped(["tenant": "north"])
        let theirs = Order.sample(of: "south")
        try await north.save([.sample(), theirs])
        #expect(try await north.count(Order.self) == 1)
        #expect(try await order(try #require(theirs.id), of: "north", in: db) == nil)
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func noJobIsClaimedTwice(on engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        try await db.save((1...40).map { Job("mail", "\($0)") })
        let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 1...4 { group.addTask { try await claim(10, for: 60, in: db).compactMap(\.id) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(!claimed.isEmpty && Set(claimed).count == claimed.count)
    }
}
// snippet.end

// snippet.commit-fault
@Suite(.database(.sqlite, models: Job.self))
struct CommitTests {
    @Test func aCommitWithoutAnswerIsNotRetried() async throws {
        let test = try TestDatabase.current
        test.faults.inject(.commitOutcomeUnknown(isCommitted: true))
        let error = await #expect(throws: DatabaseError.self) { try await test.database.save(Job("mail", "1")) }
        #expect(error?.code == .commitOutcomeUnknown)
        #expect(try await test.database.count(Job.self) == 1)
    }
}
// snippet.end
#endif
