// The examples of the article "Describing models".

// snippet.invoice
import Foundation
import Holdfast

enum Status: String, Storable { case draft, sent, paid }

@Table
final class Invoice {
    var id: Int64?
    var number: String
    var status: Status = .draft
    var total: Decimal = 0
    var notes: [String] = []
    @Timestamp(.created) var createdAt: Date?
    @Transient var isSelected = false

    init(number: String) { self.number = number }
}
// snippet.end

// snippet.struct
@Table
struct Reading {
    @PrimaryKey let sensor: String
    @PrimaryKey let at: Date
    var value: Double
}
// snippet.end

// snippet.key-type
struct AccountNumber: RawRepresentable, KeyValue { var rawValue: String }
// snippet.end

// snippet.view
@Table("album_title", readOnly: true)
final class AlbumTitle {
    @PrimaryKey var id: Int  // what tells one row from another
    var title: String
    var project: Project?  // read from "project_id"
    init(id: Int, title: String) { (self.id, self.title) = (id, title) }
}
// snippet.end

// snippet.own-conversion
struct Celsius: Storable {
    var degrees: Double
    init(storedValue: Double) { degrees = storedValue }
    var storedValue: Double { degrees }
}
// snippet.end

// snippet.arrays
@Table
struct Playlist {
    var id: Int64?
    var name: String
    var songs: [String] = []
    var guests: [String]?
}
// CREATE TABLE "playlist" ("id" …, "name" …, "guests_present" …)
// CREATE TABLE "playlist_songs" ("playlist_id" …, "position" …, "value" …)
// CREATE TABLE "playlist_guests" ("playlist_id" …, "position" …, "value" …)
// snippet.end

// snippet.names
@Table("CUSTOMERS", naming: .asDeclared, indexes: [.index("lastName", "firstName"), .unique("tenant", "email")])
struct Customer {
    var id: Int64?
    var tenant: Int
    var email: String
    var firstName: String
    @Indexed var lastName: String
    @Unique @Column("VAT") var vatNumber: String?
    @Required var country: String?
}
// snippet.end

// snippet.indexes
@Table(indexes: [
    .index("tenant", .descending("openedAt")),  // for: where tenant = …, newest first
    .unique("email", where: "closed_at IS NULL"),  // one open account for each address
    .index(.expression("lower(email)")),
])
struct UserAccount {
    var id: Int64?
    var tenant: Int
    var email: String
    var openedAt: Date
    var closedAt: Date?
}
// CREATE INDEX … ON "user_account" ("tenant", "opened_at" DESC)
// CREATE UNIQUE INDEX … ON "user_account" ("email") WHERE closed_at IS NULL
// CREATE INDEX … ON "user_account" ((lower(email)))
// snippet.end

// snippet.checks
@Table(checks: [
    .check("dates", "starts_at <= ends_at"),
    .check("seats", "seats BETWEEN 1 AND 9"),
])
struct Reservation {
    var id: Int64?
    var seats: Int
    var startsAt: Date
    var endsAt: Date?
}
// CREATE TABLE "reservation" (…, CONSTRAINT "holdfastcheck_…_dates" CHECK (starts_at <= ends_at), …)
// snippet.end

// snippet.document-index
@Table(indexes: [.index(.json("profile", "address.city", as: String.self))])
struct Traveller {
    struct Profile: Codable { var address: Address }
    struct Address: Codable { var city: String }

    var id: Int64?
    var profile: Profile
}
// CREATE INDEX … ON "traveller" ((CASE json_type("profile", '$."address"."city"') WHEN 'text' THEN … END))  -- SQLite
// snippet.end

// snippet.incomplete-rows
@Table
final class Chapter {
    var id: Int64?
    @OmitIfMissing var title: String?
    @OmitIfMissing var paragraphs: [String] = []
    var previous: Chapter?
}
// snippet.end

// snippet.storage
@Table
struct Measurement {
    var id: Int64?
    @Column(storage: .scaled(2)) var price: Decimal = 0  // 12.50 is the integer 1250
    @Column(storage: .secondsSince2001) var takenAt: Date
    @Column(storage: .iso8601) var checkedAt: Date?
    @Column(storage: .exact) var receivedAt: Date  // every bit of the Double
}
// snippet.end

// snippet.hooks
@Table
final class Account {
    var id: Int64?
    var email: String
    @Transient var domain = ""

    init(email: String) { self.email = email }

    func willSave() throws { email = email.lowercased() }  // saved, if it changes anything
    func didFetch() throws { domain = String(email.split(separator: "@").last ?? "") }
    func willDelete(in transaction: Transaction) async throws {
        try await transaction.sql("DELETE FROM session WHERE account_id = \(id)").execute()
    }
    func afterCommit() { print("saved or deleted:", email) }  // once, and never after a rollback
}
// snippet.end

// snippet.class-hierarchy
@Table(indexes: [.index("name")])
class Animal {
    var id: Int64?
    var name: String

    init(name: String) { self.name = name }
}

@Table(inherits: Animal.self, indexes: [.index("name", "legs")])
class Mammal: Animal {  // table "mammal": id, name, legs
    var legs = 4
}

@Table("whales", inherits: Mammal.self)
final class Whale: Mammal {  // table "whales": id, name, legs, depth
    var depth: Int

    init(depth: Int) {
        self.depth = depth
        super.init(name: "whale")
    }
}
// snippet.end

// snippet.mapping-by-hand
struct Place {
    var name: String
    var latitude: Double
    var longitude: Double
}

extension Place: TableObject {
    static let tableMapping: TableMapping<Place> = .init(
        type: "Place",
        describe: { table in
            table.key("name", \.name)
            table.property("latitude", \.latitude, .column("lat"))
            table.property("longitude", \.longitude, .column("lon"))
        },
        decode: { row in
            Place(
                name: try row.decode(at: 0), latitude: try row.decode(at: 1), longitude: try row.decode(at: 2))
        })
}
// snippet.end

// snippet.tracking-by-hand
final class Page {
    var number: Int64 { didSet { changes.mark(0, from: oldValue, to: number) } }
    var text: String { didSet { changes.mark(1, from: oldValue, to: text) } }
    var tags: [String] { didSet { changes.mark(2) } }
    private var changes = ChangeTracker()

    init(number: Int64, text: String, tags: [String]) {
        (self.number, self.text, self.tags) = (number, text, tags)
    }
}

extension Page: TableObject {
    static let tableMapping: TableMapping<Page> = .init(
        type: "Page",
        describe: { table in
            table.key("number", \.number)
            table.property("text", \.text)
            table.property("tags", \.tags)
        },
        decode: { row in
            Page(number: try row.decode(at: 0), text: try row.decode(at: 1), tags: try row.decode(at: 2))
        },
        changes: { page, body in body(&page.changes) })
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
