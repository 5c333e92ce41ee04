// The examples of the article "Saving and fetching".

import Holdfast

func saveProject(db: Database) async throws {
    // snippet.classes
    let project = Project(name: "Apollo")
    try await db.save(project)  // INSERT INTO "project" (…) VALUES (…) RETURNING "id"
    print(project.id as Any)  // Optional(1)

    project.budget = 100
    try await db.save(project)  // UPDATE "project" SET "budget" = … WHERE "id" = …
    try await db.save(project)  // nothing is sent

    print(project.isDirty)  // false
    project.makeDirty()  // the next save writes everything
    // snippet.end
}

func savePoint(db: Database) async throws {
    // snippet.structs
    let saved = try await db.save(Point(name: "home", x: 1, y: 2))
    // INSERT INTO "point" (…) VALUES (…) ON CONFLICT ("name") DO UPDATE SET …

    var point = saved
    point.x = 3
    try await db.save(&point)  // the same; sets generated values in `point`
    // snippet.end
}

func saveProjects(db: Database) async throws {
    // snippet.batches
    let projects = (1...1_000).map { Project(name: "Project \($0)") }
    do {
        try await db.save(projects)
    } catch let error as DatabaseError {
        print(error.code, error.objectIndex as Any)  // the index of the object that failed
    }
    // snippet.end
}

// snippet.subscriber
@Table
final class Subscriber {
    var id: Int64?
    @Unique var email: String
    var name: String
    var visits = 0

    init(email: String, name: String) {
        self.email = email
        self.name = name
    }
}
// snippet.end

func upsertSubscriber(db: Database) async throws {
    // snippet.upserts
    let subscriber = Subscriber(email: "ada@example.org", name: "Ada")
    try await db.upsert(subscriber, on: \.email)  // updates all but keys and creation times
    try await db.upsert(subscriber, on: \.email, updating: [\.name])  // updates only the name
    try await db.upsert(subscriber, on: \.email, updating: [])  // updates nothing: gets or creates the row
    // snippet.end
}

func countVisits(db: Database, subscriber: Subscriber) async throws {
    // snippet.upsert-changes
    try await db.upsert(subscriber, on: \.email) { row, new in
        row.visits.set(row.visits.current + new.visits)  // "subscriber"."visits" + excluded."visits"
    }
    // snippet.end
}

func welcome(db: Database, subscriber: Subscriber) async throws {
    // snippet.insert-or-update
    if try await db.insertOrUpdate(subscriber, on: \.email) == .inserted { print("Welcome, \(subscriber.name)!") }
    // snippet.end
}

func insertSubscribers(db: Database) async throws {
    // snippet.insert-or-ignore
    let subscribers = ["ada@example.org", "bob@example.org"].map { Subscriber(email: $0, name: "New") }
    let areNew = try await db.insertOrIgnore(subscribers)  // [false, true]
    // snippet.end
    _ = areNew
}

func upsertDraft(db: Database) async throws {
    // snippet.upsert-of-graph
    let draft = Draft("A new text")
    draft.id = 42
    try await db.upsert(draft, scope: .graph)  // … ON CONFLICT ("id") DO UPDATE SET …, or an insertion
    // snippet.end
}

func saveValues(db: Database) async throws {
    // snippet.dictionaries
    let subscriber = try Subscriber(values: ["email": "ada@example.org", "name": "Ada"])
    try subscriber.setValues(["name": "Ada L.", "visits": 3])
    try await db.save(subscriber)
    // snippet.end
}

// snippet.ticket
@Table
final class Ticket {
    var id: Int64?
    var title: String
    var isOpen = true
    var subscriber: Reference<Subscriber>?
    @Version var version = 0

    init(_ title: String) { self.title = title }
}
// snippet.end

// snippet.json
func create(_ body: String, in db: Database) async throws -> JSON {
    let json = try JSON(parsing: body)  // {"title":"It broke","subscriber":7}
    let ticket = try Ticket(json: json, allowing: [\.title, \.subscriber])
    try await db.save(ticket)
    return try ticket.json()  // {"id":1,"title":"It broke","isOpen":true,…}
}

func change(_ ticket: Ticket, by body: String, in db: Database) async throws {
    let json = try JSON(parsing: body)  // {"isOpen":false,"subscriber":null,"version":1}
    try ticket.setValues(json: json, allowing: [\.title, \.isOpen, \.subscriber])
    try await db.save(ticket)  // writes what was sent, and nothing else
}
// snippet.end

// snippet.version
@Table
final class Draft {
    var id: Int64?
    var text: String
    @Version var version = 0

    init(_ text: String) { self.text = text }
}
// snippet.end

func extendDraft(db: Database) async throws {
    // snippet.stale-version
    let draft = try await db.query(Draft.self).one()
    draft.text += "\nMore."
    do {
        try await db.save(draft)  // UPDATE "draft" SET "text" = …, "version" = 2 WHERE "id" = … AND "version" = 1
    } catch let error as DatabaseError where error.code == .staleVersion {
        if let current = try error.currentObject(Draft.self) { print("has meanwhile become:", current.text) }
    }
    // snippet.end
}

func fetchProjects(db: Database) async throws {
    // snippet.fetching
    let one = try await db.find(Project.self, key: 42)  // Project?
    let some = try await db.fetch(Project.self, keys: [3, 1, 2, 99])  // in this order; unknown keys are skipped
    let all = try await db.fetch(Project.self)  // ordered by key
    let count = try await db.count(Project.self)
    let line = try await db.find(OrderLine.self, key: Key(7, 3))  // a key of several parts
    // snippet.end
    _ = (one, some, all, count, line)
}

func fetchByToken(db: Database) async throws {
    // snippet.keys
    let keys = try await db.query(Project.self).keys()
    let ids = try keys.map { try $0.value(as: Int64.self) }
    let link = try keys.first?.token ?? ""  // "42"
    if let key = Key(token: link) { print(ids, try await db.find(Project.self, key: key)?.name ?? "") }
    // snippet.end
}

func deleteProjects(db: Database, project: Project) async throws {
    // snippet.deleting
    let existed = try await db.delete(project)  // 1, or 0 if the row was gone already
    try await db.save(project)  // inserts it again, under the same key
    let removed = try await db.deleteAll(Project.self)
    // snippet.end
    _ = (existed, removed)
}

// snippet.any-context
func rename(_ key: Int64, to name: String, in context: some DatabaseContext) async throws {
    guard let project = try await context.find(Project.self, key: key) else { return }
    project.name = name
    try await context.save(project)
}
// snippet.end

// What the article takes as known.

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget = 0
    var tags: [String] = []

    init(name: String) { self.name = name }
}

@Table
struct Point {
    @PrimaryKey let name: String
    var x: Double
    var y: Double
}

@Table
struct OrderLine {
    @PrimaryKey let order: Int64
    @PrimaryKey let line: Int64
    var article: String
}
