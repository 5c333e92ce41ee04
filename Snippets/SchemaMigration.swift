// The examples of the article "Migrating schemas".

import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

func migrate(db: Database) async throws {
    // snippet.migrate
    let plan = try await db.migrate(Project.self, Point.self)
    print(plan.isEmpty ? "nothing to do" : "\(plan)")
    // snippet.end
}

// snippet.value-to-array
@Table final class Recipe {
    var id: Int64?
    var tags: [String] = []  // was: var tag: String?
    init() {}
}
// snippet.end

func wrapTags(db: Database) async throws {
    // snippet.wrapping
    try await db.migrate(Schema(Recipe.self, allowing: [.wrapping(column: "tag", of: "recipe", into: "recipe_tags")]))
    // snippet.end
}

// snippet.enum
enum Stage: String, Storable, CaseIterable { case draft, review, published }

@Table final class Essay {
    var id: Int64?
    @Column(check: .cases) var stage = Stage.draft
    // CONSTRAINT "holdfast_essay_stage_check" CHECK ("stage" IN ('draft', 'review', 'published'))
    init() {}
}
// snippet.end

// snippet.adopted-models
@Table("Artist") final class Artist {
    @PrimaryKey @Column("ArtistId") var id: Int
    @Column("Name") var name: String?
    init(id: Int) { self.id = id }
}

@Table final class ArtistReview {
    var id: Int64?
    var artist: Artist?
    var text: String
    init(text: String) { self.text = text }
}
// snippet.end

func adoptArtists(db: Database) async throws {
    // snippet.adopting
    try await db.adopt(Artist.self)
    try await db.migrate(ArtistReview.self)  // makes "artist_review", with a foreign key to "Artist"

    try await db.migrate(Schema(ArtistReview.self, adopting: [Artist.self]))  // the same, at every start
    // snippet.end
}

// snippet.other-schemas
@Table(schema: "sales", "orders") final class SalesOrder {
    var id: Int64?
    var number: String
    init(number: String) { self.number = number }
}

@Table final class Complaint {
    var id: Int64?
    @Relation(foreignKey: false) var order: SalesOrder?
    var text: String
    init(text: String) { self.text = text }
}
// snippet.end

func printPlan(db: Database) async throws {
    // snippet.plan
    let plan = try await db.schemaPlan(for: Point.self)
    print(plan)
    // CREATE TABLE "point" (
    //     "name" text COLLATE "C" NOT NULL,
    //     "x" double precision NOT NULL,
    //     …
    for step in plan.steps where step.locks.contains(where: \.mode.blocksReads) {
        print("Nobody can read the table meanwhile:", step.sql)
    }
    // snippet.end
}

func keepScript(db: Database, schema: Schema, file: URL) async throws {
    // snippet.keeping-a-script
    let plan = try await db.schemaPlan(for: schema)
    print(plan.script)  // SQL with comments: for those who have to agree
    for step in plan.steps where step.losesData || step.unknown != nil { print("Look at this:", step.sql) }
    try JSONEncoder().encode(plan.script).write(to: file)
    // snippet.end
}

func applyScript(db: Database, schema: Schema, file: URL) async throws {
    // snippet.applying-a-script
    let script = try JSONDecoder().decode(SchemaScript.self, from: Data(contentsOf: file))
    try await db.migrate(schema, applying: script)  // just that, or a conflict and nothing
    // snippet.end
}

func printHazards(db: Database) async throws {
    // snippet.hazards
    let plan = try await db.schemaPlan(for: Schema(Project.self))
    if !plan.isSafeWhileRunning {
        for hazard in plan.hazards { print(hazard.severity, hazard.message) }
    }
    // snippet.end
}

func buildIndexesConcurrently(db: Database) async throws {
    // snippet.concurrent-indexes
    try await db.migrate(Schema(Customer.self, buildsIndexesConcurrently: true))
    // CREATE INDEX CONCURRENTLY "customer_name_idx" ON "customer" ("name")
    // snippet.end
}

// snippet.new-properties
@Table
struct Customer {
    var id: Int64?
    var name: String
    var phone: String?  // added later: NULL in existing rows
    var newsletter = false  // added later: false in existing rows
    var visits: Int = 0  // added later: 0
}
// snippet.end

// snippet.renaming
@Table(renamedFrom: "Note")
final class Memo {
    var id: Int64?
    @Column(renamedFrom: "title") var headline: String
    @Column(renamedFrom: ["labels", "words"]) var tags: [String] = []  // the latest name first
    init(headline: String) { self.headline = headline }
}
// snippet.end

func changeCustomers(db: Database) async throws {
    // snippet.changing
    let changed = Schema(
        Customer.self,
        allowing: [
            .requiring(column: "phone", of: "customer"),
            .dropping(column: "fax", of: "customer"),
            .dropping(table: "fax_number"),
        ])
    try await db.migrate(changed)
    // snippet.end
}

func runNamedMigrations(db: Database) async throws {
    // snippet.named-migrations
    let schema = Schema(
        Point.self,
        migrations: [
            Migration("2026-11-20 map") { steps in
                steps.rename(table: "place", to: "point")
                steps.rename(column: "title", of: "point", to: "name")
            },
            Migration("2026-11-24 trim") { steps in
                steps.sql("UPDATE point SET name = trim(name)")
                steps.drop(column: "note", of: "point")
            },
        ])
    try await db.migrate(schema)
    // snippet.end
}

// snippet.new-column
@Table
struct Ticket {
    var id: Int64?
    var title: String
    var words = 0  // added later
}
// snippet.end

func fillWords() async throws {
    // snippet.filling-a-column
    let counting = Schema(
        Ticket.self,
        migrations: [
            Migration("2026-11-25 words", .afterTypes) { steps in
                steps.sql("UPDATE ticket SET title = trim(title)")
                steps.data { tx in
                    for var ticket in try await tx.fetch(Ticket.self) {
                        ticket.words = ticket.title.split(separator: " ").count
                        _ = try await tx.update(ticket)
                    }
                }
            }
        ])
    // snippet.end
    _ = counting
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
struct Point {
    @PrimaryKey let name: String
    var x: Double
    var y: Double
}

func accept(db: Database) async throws {
    // snippet.accepting
    let schema = Schema(
        Ticket.self,
        migrations: [
            Migration("2026-11-25 words", .afterTypes) { $0.sql("UPDATE ticket SET words = 1 WHERE title <> ''") }
        ],
        version: 7, acceptsProgramsFrom: 5)
    try await db.migrate(schema)
    // snippet.end
}

@Table
struct Reader {
    var id: Int64?
    var firstName = ""
    var lastName = ""
}

func split(db: Database) async throws {
    // snippet.splitting
    let split = Schema(
        Reader.self,
        migrations: [
            Migration("2026-11-28 names", .afterTypes, for: .existingData) { steps in
                steps.data { tx in
                    let rows = try await tx.sql("SELECT id, name FROM reader").fetch(as: (Int64, String).self)
                    for (id, name) in rows {
                        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
                        try await tx.query(Reader.self).where { $0.id == id }.update {
                            $0.firstName.set(words.first ?? "")
                            $0.lastName.set(words.last ?? "")
                        }
                    }
                }
            }
        ],
        allowing: [.dropping(column: "name", of: "reader")])
    try await db.migrate(split)
    // snippet.end
}

func sayPurposes() {
    // snippet.purposes
    let migrations = [
        Migration("2026-11-26 seats", for: .existingData) { steps in
            steps.sql("INSERT INTO seat (ticket_id) SELECT id FROM ticket")
        },
        Migration("2026-11-27 titles", for: .everyDatabase) { steps in
            steps.sql("CREATE VIEW ticket_title AS SELECT id, title FROM ticket")
        },
    ]
    // snippet.end
    _ = migrations
}

func add(db: Database) async throws {
    // snippet.additions
    let schema = Schema(
        Ticket.self,
        adding: [
            .view("long_ticket", "CREATE VIEW long_ticket AS SELECT * FROM ticket WHERE words > 100"),
            .table("ticket_search", engine: .sqlite, "CREATE VIRTUAL TABLE ticket_search USING fts5(title)"),
            .index(
                "ticket_search", of: "ticket", engine: .postgres,
                "CREATE INDEX ticket_search ON ticket USING gin (to_tsvector('english', title))"),
            .rows("first ticket", "INSERT INTO ticket (title, words) VALUES (\("Hello"), \(1))"),
        ])
    try await db.migrate(schema)
    // snippet.end
}
