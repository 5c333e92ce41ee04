// The examples of the article "Querying".

// snippet.overview
import Foundation
import Holdfast
import HoldfastSQLite

@Table
final class Ship {
    var id: Int64?
    var name: String
    var tons = 0
    var built: Date?
    var ports: [String] = []
    var crew: [Sailor] = []
    var captain: Sailor?

    init(name: String) { self.name = name }
}

@Table
final class Sailor {
    var id: Int64?
    var lastName: String
    var age = 0

    init(lastName: String) { self.lastName = lastName }
}

func search(_ db: Database) async throws {
    let ships = try await db.query(Ship.self)
        .where { $0.tons > 1_000 && $0.captain.lastName.hasPrefix("Sm") }
        .order { [$0.name.ascending, $0.tons.descending] }
        .limit(20)
        .fetch()
    print(ships.count)
}
// snippet.end

func conditionsAsText(db: Database) async throws {
    // snippet.conditions-as-text
    let name = "'; DROP TABLE project; --"
    let some = try await db.query(Project.self).where("budget > \(1_000) AND (name LIKE \("A%") OR name = \(name))")
        .fetch()
    let others = try await db.query(Project.self)
        .where(["budget > \(10)", "OR", "tags CONTAINS 'green'"])
        .order(by: [.descending("budget"), .ascending("name")])
        .fetch()
    let same = try await db.query(Project.self).where(.compare("budget", .greater, 10) || .isIn("name", ["a", "b"]))
        .fetch()
    let byOptions = try await db.fetch(
        Project.self, QueryOptions(conditions: ["budget > \(10)"], orderBy: [.ascending("name")], limit: 5))
    print(some.count, others.count, same.count, byOptions.count)
    // snippet.end
}

// snippet.office
@Table
final class Office {
    struct City: Codable { var name: String }
    struct Address: Codable { var city: City; var floors: [Int] }

    var id: Int64?
    var address: Address

    init(address: Address) { self.address = address }
}
// snippet.end

func officesInBonn(db: Database) async throws {
    // snippet.document-path
    let near = try await db.query(Office.self)
        .where { $0.address.json("city.name", as: String.self) == "Bonn" }
        .order { $0.address.json("floors[0]", as: Int.self).descending }
        .fetch()
    // snippet.end
    _ = near
}

func highOffices(db: Database) async throws {
    // snippet.document-array
    let high = try await db.query(Office.self).where { $0.address.json("floors", contains: 21) }.fetch()
    // snippet.end
    _ = high
}

func otherOffices(db: Database) async throws {
    // snippet.document-path-as-text
    let others = try await db.query(Office.self)
        .where("address.city.name <> \("Bonn") AND address.floors[0] > 2 AND NOT address.floors CONTAINS 13")
        .fetch()
    // snippet.end
    _ = others
}

// snippet.json-object
@JSONObject struct Town: Codable { var name: String }
@JSONObject struct Site: Codable { var town: Town; var floors: [Int]; var isOpen: Bool }

@Table
struct Branch {
    var id: Int64?
    var site: Site
}
// snippet.end

func openBranches(db: Database) async throws {
    // snippet.json-object-query
    let open = try await db.query(Branch.self)
        .where { $0.site.town.name == "Bonn" && $0.site.isOpen == true && $0.site.floors.contains(2) }
        .order { $0.site.floors[0].descending }
        .fetch()
    // snippet.end
    _ = open
}

func renameCity(db: Database) async throws {
    // snippet.document-update
    try await db.query(Office.self).where { $0.address.json("city.name", as: String.self) == "Bonn" }.update {
        $0.address.setJSON("city.name", to: "Bonn am Rhein")
        $0.address.removeJSON("floors[0]")
    }
    // snippet.end
}

func longNames(db: Database) async throws {
    // snippet.sql-conditions
    let long = try await db.query(Project.self)
        .where(sql: "length(\(\Project.name)) > \(10)")
        .where { $0.budget > 1_000 || Condition.sql("\($0.name) LIKE \("A%")") }
        .order { QueryExpression<Int>.sql("length(\($0.name))").descending }
        .fetch()
    // snippet.end
    _ = long
}

func similarNames(db: Database) async throws {
    // snippet.named-functions
    let overlap = DatabaseFunction<Double?>("overlap")
    let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with {
        $0.functions.append(
            overlap.computed { (a: String, b: String) in
                Double(Set(a).intersection(b).count) / Double(Set(a + b).count)
            })
    }
    let similar = try await db.query(Project.self)
        .where { overlap($0.name, "Apollo") > 0.3 }
        .order { overlap($0.name, "Apollo").descending }
        .fetch()
    // SELECT … FROM "project" AS t0 WHERE ("overlap"(t0."name", $1)) > $2 ORDER BY ("overlap"(t0."name", $3)) DESC, …
    // snippet.end
    _ = (configuration, similar)
}

// snippet.inner-models
@Table
final class Request {
    var id: Int64?
    var title: String
    var email: String
    var openedAt: Date

    init(title: String, email: String, openedAt: Date) {
        (self.title, self.email, self.openedAt) = (title, email, openedAt)
    }
}

@Table
struct Answer {
    var id: Int64?
    var requestID: Int64
    var text: String
    var minutes: Int
    var at: Date
}
// snippet.end

func inner(db: Database) async throws {
    // snippet.inner-exists
    let unanswered = try await db.query(Request.self)
        .where { request in !.exists(Answer.self) { $0.requestID.optional == request.id && $0.at > request.openedAt } }
        .fetch()
    // snippet.end
    // snippet.inner-in
    let long = Query(Answer.self).where { $0.minutes > 60 }
    let some = try await db.query(Request.self).where { $0.id.in(long.select(\.requestID)) }.fetch()
    // snippet.end
    // snippet.inner-value
    let rows = try await db.query(Request.self)
        .select { request in
            let answers = Query(Answer.self).where { $0.requestID.optional == request.id }
            return (
                request.title, answers.rowCount, answers.select { $0.minutes.sum }.value,
                answers.order(\.at, .descending).select(\.text).value
            )
        }
        .fetch()
    for (title, count, minutes, last) in rows { print(title, count, minutes ?? 0, last ?? "no answer") }
    // snippet.end
    print(unanswered.count, some.count)
}

func sets(db: Database) async throws {
    // snippet.sets
    let newest = db.query(Project.self).order(\.id, .descending).limit(10)
    let rich = db.query(Project.self).where { $0.budget > 1_000 }
    let shown = try await rich.union(newest).order(\.name).limit(20).fetch()
    let older = try await rich.subtracting(newest).count()
    // snippet.end
    // snippet.combined-values
    let names = try await db.query(Ship.self).select { $0.name }
        .union(db.query(Sailor.self).select { $0.lastName })
        .fetch()  // [String]
    // SELECT t0."name"::text COLLATE "C" FROM "ship" AS t0
    // UNION SELECT t1."last_name"::text COLLATE "C" FROM "sailor" AS t1 ORDER BY 1
    // snippet.end
    print(shown.count, older, names.count)
}

func pairs(db: Database) async throws {
    // snippet.pairs
    let pairs = try await db.query(Ship.self)
        .joined(to: Customer.self) { ship, customer in ship.name == customer.name && customer.visits > 3 }
        .order { ship, customer in [customer.visits.descending, ship.name.ascending] }
        .limit(20)
        .fetch()  // [(Ship, Customer)]
    for (ship, customer) in pairs { print(ship.tons, customer.city ?? "nowhere") }
    // snippet.end
    // snippet.pair-pages
    let namesakes = db.query(Ship.self).joined(to: Customer.self) { $0.name == $1.name }
    let page = try await namesakes.order { $1.visits.descending }.page(size: 50)
    for (ship, customer) in page.pairs { print(ship.tons, customer.visits) }
    let next = try await namesakes.order { $1.visits.descending }.page(size: 50, after: page.next)
    for try await (ship, customer) in namesakes.stream() { print(ship.name, customer.visits) }
    // snippet.end
    _ = next
    // snippet.pair-values
    let rows = try await db.query(Project.self)
        .leftJoined(to: Project.self) { $0.budget < $1.budget && $0.name == $1.name }
        .select { ($0.name, $0.budget, $1.budget.optional) }
        .fetch()
    // snippet.end
    print(rows.count)
}

// snippet.tree-model
@Table
final class Area {
    var id: Int64?
    var name: String
    var parent: Area?

    init(_ name: String, in parent: Area? = nil) { (self.name, self.parent) = (name, parent) }
}
// snippet.end

func trees(db: Database, europe: Area, bonn: Area) async throws {
    // snippet.trees
    let all = try await db.query(Area.self).descendants(of: europe, via: \.parent).order(\.name).fetch()
    let near = try await db.query(Area.self).descendants(of: europe, via: \.parent, depth: 2).count()
    let path = try await db.query(Area.self).ancestors(of: bonn, via: \.parent).fetch()
    let some = try await db.query(Area.self).where { $0.isDescendant(ofKey: 7, via: \.parent) || $0.parent == nil }
        .fetch()
    let levels = try await db.query(Area.self).select { ($0, $0.treeLevel(via: \.parent)) }.fetch()  // 0 at the top
    // snippet.end
    print(all.count, near, path.count, some.count, levels.count)
}

func printPages(db: Database) async throws {
    // snippet.pages
    var cursor: PageCursor?
    repeat {
        let page = try await db.query(Project.self).order { $0.name.ascending }.page(size: 50, after: cursor)
        print(page.objects.map(\.name))
        cursor = page.next  // or cursor.token, a text for a URL
    } while cursor != nil
    // snippet.end
}

// snippet.page-as-json
func list(_ link: String, after token: String?, in db: Database) async throws -> JSON {
    let query = db.query(Project.self).order(\.name)
    let page = try await query.page(size: 50, after: token.flatMap { PageCursor(token: $0) })
    return try page.json(total: try await query.count(), link: link)
    // {"objects":[…],"next":"AQID…","total":1043,"links":{"next":"/projects?status=open&after=AQID…",…}}
}
// snippet.end

func selectValues(db: Database) async throws {
    // snippet.values
    let budgets: Int64 = try await db.query(Project.self).sum { $0.budget }
    let names = try await db.query(Project.self).where { $0.budget > 3 }.select { ($0.id, $0.name) }.fetch()
    let groups = try await db.query(Customer.self)
        .group { $0.city }
        .having { $0.rowCount > 2 }
        .select { ($0.city, $0.rowCount, $0.visits.average) }
        .fetch()
    for (city, count, average) in groups { print(city ?? "nowhere", count, average ?? 0) }
    let titles: [String] = try await db.query(Project.self).select(\.name).fetch()  // one value: no tuple
    print(budgets, names, titles)
    // snippet.end
}

func newestShips(db: Database) async throws {
    // snippet.first-of-each
    let newest = try await db.query(Ship.self)
        .first(3, ofEach: { $0.captain }, order: { [$0.built.descending] })
        .fetch()
    // snippet.end
    print(newest.count)
}

func shipTotals(db: Database) async throws {
    // snippet.conditional-aggregates
    let totals = try await db.query(Ship.self).select {
        ($0.rowCount, $0.tons.sum, $0.tons.sum(where: $0.built == nil), $0.built.max)
    }.first()
    // SELECT count(*), sum(t0."tons"), sum(t0."tons") FILTER (WHERE t0."built" IS NULL), max(t0."built") FROM …
    let captains = try await db.query(Ship.self)
        .group { $0.captain }
        .select { ($0.captain.id, $0.tons.standardDeviation, $0.name.stringJoined(by: ", ")) }
        .fetch()
    // SELECT t0."captain_id", …, string_agg(t0."name"::text, $1::text ORDER BY …) … GROUP BY t0."captain_id" …
    let longest = try await db.query(Ship.self)
        .select { QueryExpression<Int?>.aggregate(sql: "max(length(\($0.name)))") }
        .first()
    // SELECT (max(length(t0."name"))) FROM "ship" AS t0 …
    // snippet.end
    _ = (totals, captains, longest)
}

func medianTons(db: Database) async throws {
    // snippet.percentiles
    let weights = try await db.query(Ship.self)
        .group { $0.captain }
        .select { ($0.captain.id, $0.tons.median, $0.tons.percentile(0.9, where: $0.built != nil), $0.built.median) }
        .fetch()
    // SELECT t0."captain_id", NULLIF(percentile_cont($1) WITHIN GROUP (ORDER BY (t0."tons")::double precision), 'NaN'),
    // …, percentile_disc($4) WITHIN GROUP (ORDER BY t0."built") … on PostgreSQL
    // SELECT t0."captain_id", holdfast_percentile(t0."tons", ?), …, holdfast_percentile_of(t0."built", ?) … on SQLite
    // snippet.end
    _ = weights
}

func crewAges(db: Database) async throws {
    // snippet.element-aggregates
    let crews = try await db.query(Ship.self)
        .where { $0.crew.max { $0.age } > 60 }
        .order { $0.crew.sum { $0.age }.descending }
        .select { ($0.name, $0.crew.average({ $0.age }, where: { $0.age > 20 })) }
        .fetch()
    // SELECT t0."name", (SELECT … FROM "ship_crew" AS …) … ORDER BY (SELECT COALESCE(sum(…), 0) …) DESC, t0."id"
    // snippet.end
    print(crews.count)
}

func shipLog(db: Database) async throws {
    // snippet.element-groups
    let ports = try await db.query(Ship.self)
        .group { $0.ports.element }
        .order { $0.rowCount.descending }
        .select { ($0.ports.element, $0.rowCount, $0.id.distinctCount) }
        .fetch()
    for (port, calls, ships) in ports { print(port, calls, ships) }
    // snippet.end
    // snippet.windows
    let log = try await db.query(Ship.self).order { $0.built.ascending }.select {
        (
            $0.name, $0.tons.sum.over(partition: [$0.captain], order: [$0.built.ascending]),
            $0.tons.lag(order: [$0.built.ascending]),
            $0.rowNumber(partition: [$0.captain], order: [$0.tons.descending]),
            $0.tons.average.over(order: [$0.built.ascending], rows: -6...0)
        )
    }.fetch()
    // SELECT t0."name", sum(t0."tons") OVER (PARTITION BY t0."captain_id" ORDER BY t0."built", t0."id"
    //     ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), lag(t0."tons", 1) OVER (ORDER BY …), row_number() …,
    //     avg(t0."tons") OVER (ORDER BY t0."built", t0."id" ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) …
    // snippet.end
    print(log.count)
}

func fleetSizes(db: Database) async throws {
    // snippet.count-groups
    let sizes = try await db.query(Ship.self)
        .group { $0.crew.count }
        .select { ($0.crew.count, $0.rowCount) }
        .fetch()
    // SELECT (SELECT count(*) FROM "ship_crew" …), count(*) FROM "ship" AS t0 GROUP BY 1 ORDER BY 1
    // snippet.end
    // snippet.objects-with-values
    let ships = try await db.query(Ship.self)
        .order { $0.crew.count.descending }
        .select { ($0, $0.crew.count, $0.crew.contains { $0.age > 60 }.asBool) }
        .fetch()
    for (ship, hands, hasVeterans) in ships { print(ship.name, hands, hasVeterans) }
    // SELECT t0."id", t0."name", …, (SELECT count(*) FROM "ship_crew" …), CASE WHEN EXISTS (SELECT …) THEN … END …
    // snippet.end
    // snippet.group-windows
    let fleets = try await db.query(Ship.self)
        .group { $0.captain.id }
        .select {
            (
                $0.captain.id, $0.tons.sum, $0.tons.sum.sum.over(order: [$0.captain.id.ascending]),
                $0.rowRank(order: [$0.tons.sum.descending])
            )
        }
        .fetch()
    // SELECT t0."captain_id", sum(t0."tons"), sum(sum(t0."tons")) OVER (ORDER BY t0."captain_id" ROWS …),
    //     rank() OVER (ORDER BY sum(t0."tons") DESC) FROM "ship" AS t0 GROUP BY t0."captain_id" …
    // snippet.end
    print(sizes.count, fleets.count)
}

func fetchNamesAndTags(db: Database) async throws {
    // snippet.partial-objects
    let projects = try await db.query(Project.self).properties(\.name, \.tags).fetch()
    let keys = try await db.query(Project.self).sparse().fetch()
    print(projects.map(\.name), keys.map(\.id), projects.map { $0.isLoaded(\Project.budget) })
    // snippet.end
}

// snippet.issue
@Table
final class Issue {
    var id: Int64?
    var title = ""
    var createdAt = Date.now
    var closedAt: Date?
    var dueAt: Date?
    var points = 0
    var assignee: Sailor?
}
// snippet.end

func computeWithDates(db: Database) async throws {
    // snippet.date-differences
    let times = try await db.query(Issue.self)
        .where { $0.closedAt - $0.createdAt > 60 && $0.dueAt.adding(.seconds(3600)) < .statementTime }
        .group { $0.assignee.id }
        .select { ($0.assignee.id, $0.createdAt.seconds(until: $0.closedAt).average) }
        .fetch()
    // snippet.end
    guard let berlin = TimeZone(identifier: "Europe/Berlin") else { return }
    // snippet.date-groups
    let days = try await db.query(Issue.self)
        .where { $0.createdAt.part(.weekday, in: berlin) < 6 }
        .group { $0.createdAt.start(of: .day, in: berlin) }
        .select { ($0.createdAt.start(of: .day, in: berlin), $0.rowCount) }
        .fetch()
    // snippet.end
    print(times, days)
}

func choose(db: Database) async throws {
    // snippet.choices-as-text
    let some = try await db.query(Issue.self)
        .where("CASE WHEN closedAt IS NULL THEN points ELSE 0 END > 2 AND points & 1 = 0")
        .where("title || ' ' || CAST(points AS TEXT) LIKE '%1 8'")
        .fetch()
    // snippet.end
    _ = some
    // snippet.choices
    let sizes = try await db.query(Issue.self)
        .order { [QueryExpression.if($0.closedAt == nil, then: 0, else: 1).ascending] }
        .select {
            ($0.title, QueryExpression.if($0.points > 8, then: "big").elseIf($0.points > 2, then: "fair").else("small"))
        }
        .fetch()
    try await db.query(Issue.self).update {
        $0.points.set(.if($0.dueAt.current == nil, then: 0, else: $0.points.current * 2))
    }
    // snippet.end
    print(sizes)
}

// snippet.partial-struct
@Table("project")
struct ProjectName {
    let id: Int64
    var name: String
}
// snippet.end

func changeNames(db: Database) async throws {
    // snippet.partial-struct-update
    for var project in try await db.fetch(ProjectName.self) {  // SELECT "id", "name" FROM "project" …
        project.name += "!"
        project = try await db.update(project)  // UPDATE "project" SET "name" = … WHERE "id" = …
    }
    // snippet.end
}

func fetchReadable(db: Database) async throws {
    // snippet.omitting-unreadable
    let readable = try await db.query(Project.self).omittingUnreadable().fetch()
    print(readable.count)
    // snippet.end
}

func streamProjects(db: Database) async throws {
    // snippet.streams
    for try await project in db.query(Project.self).where({ $0.budget > 0 }).stream() {
        print(project.name)
    }
    // snippet.end
}

func changeInBulk(db: Database) async throws {
    // snippet.bulk-changes
    let count = try await db.query(Project.self).where { $0.budget < 0 }.update {
        $0.budget.set(0)
        $0.name.set($0.name.current + "!")
    }
    let gone = try await db.query(Project.self).where { $0.tags.isEmpty }.delete()
    print(count, gone)
    // snippet.end
}

func changeAndReturn(db: Database) async throws {
    // snippet.returning
    let cut = try await db.query(Project.self).where { $0.budget > 1_000 }.order(\.name).limit(5)
        .updateReturning { $0.budget.set(1_000) }
    let gone = try await db.query(Project.self).where { $0.budget == 0 }.order(\.id).limit(100).deleteReturning()
    let names = try await db.query(Project.self).where { $0.budget < 0 }.delete(returning: { $0.name })
    let budgets = try await db.query(Project.self).update(returning: { ($0.id, $0.budget) }) { $0.budget += 1 }
    print(cut.map(\.name), gone.count, names, budgets.count)
    // snippet.end
}

func changeToRelated(db: Database) async throws {
    // snippet.update-related
    try await db.query(Ship.self).update { ship, row in
        ship.name.set(row.name + " of " + (row.captain.lastName.optional ?? "nobody"))
        ship.tons.set(row.tons + row.crew.count)
    }
    // snippet.end
}

func lock(db: Database, key: Int64) async throws {
    // snippet.locked
    try await db.transaction { tx in
        let project = try await tx.query(Project.self).where { $0.hasKey(key) }.locked().one()
        project.budget -= 100  // nobody else changes it until the transaction ends
        try await tx.save(project)
    }
    // snippet.end
}

func explain(db: Database) async throws {
    // snippet.explaining
    let query = Query(Project.self).where { $0.budget > 3 }
    print(try await query.on(db).explain())  // the engine's query plan
    print(try await query.on(db).explain(analyze: true))  // and the rows and times of running it
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
