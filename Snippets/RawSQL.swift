// The examples of the article "Writing SQL".

import Holdfast

func findByName(db: Database) async throws {
    // snippet.bound-values
    let name = "Robert'); DROP TABLE project;--"
    let keys = try await db.sql("SELECT id FROM \(Project.self) WHERE name = \(name)").fetch(as: Int64.self)
    // SQLite:      SELECT id FROM "project" WHERE name = ?
    // PostgreSQL:  SELECT id FROM "project" WHERE name = $1
    // snippet.end
    _ = keys
}

func composeStatement(db: Database) async throws {
    // snippet.interpolations
    let cities = ["Paris", "Oslo"]
    let condition: SQLFragment = "city IN (\(cities)) AND visits > \(10)"
    let order = "name"
    let rows = try await db.sql("SELECT name FROM \(Customer.self) WHERE \(condition) ORDER BY \(identifier: order)")
        .fetch(as: String.self)
    // snippet.end
    _ = rows
}

func fetchNames(db: Database) async throws {
    // snippet.one-column
    let names = try await db.sql("SELECT name FROM \(Customer.self) ORDER BY name").fetch(as: String.self)
    // snippet.end
    _ = names
}

func fetchTuples(db: Database) async throws {
    // snippet.tuples
    let rows = try await db.sql("SELECT city, count(*) FROM \(Customer.self) GROUP BY city ORDER BY city")
        .fetch(as: (String?, Int).self)
    for (city, count) in rows { print(city ?? "nowhere", count) }
    // snippet.end
}

func fetchSingleRows(db: Database) async throws {
    // snippet.single-row
    let number = try await db.sql("SELECT count(*) FROM \(Customer.self)").one(as: Int.self)
    let row = try await db.sql("SELECT name, city FROM \(Customer.self) ORDER BY name LIMIT 1").first()
    print(number, try row?.decode(String.self, named: "name") ?? "nobody")
    // snippet.end
}

// snippet.decodable-values
struct CityCount: Decodable {
    var city: String?
    var customerCount: Int
}

func counts(in db: Database) async throws -> [CityCount] {
    try await db.sql("SELECT city, count(*) AS customer_count FROM \(Customer.self) GROUP BY city")
        .fetch(as: CityCount.self)
}
// snippet.end

func fetchObjects(db: Database) async throws {
    // snippet.objects
    let frequent = try await db.sql("SELECT * FROM \(Customer.self) WHERE visits > \(10) ORDER BY name")
        .fetch(Customer.self)
    // snippet.end
    _ = frequent
}

func fetchRows(db: Database) async throws {
    // snippet.rows
    for row in try await db.sql("SELECT * FROM \(Customer.self)").fetch() {
        let name: String = try row.decode(named: "name")
        print(row.columnNames, name)
    }
    // snippet.end
}

func countVisits(db: Database) async throws {
    // snippet.executing
    let changed = try await db.sql("UPDATE \(Customer.self) SET visits = visits + 1 WHERE city = \("Oslo")").execute()
    // snippet.end
    _ = changed
}

func setTenant(db: Database, project: Project) async throws {
    // snippet.session-state
    try await db.transaction { tx in
        _ = try await tx.sql("SELECT set_config('app.tenant', \("north"), true)").fetch()
        try await tx.save(project)
    }
    // snippet.end
}

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
struct Customer {
    var id: Int64?
    var name: String
    var city: String?
    var visits: Int
}
