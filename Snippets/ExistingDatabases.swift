// The examples of the article "Databases that exist already".

// snippet.storages
import Foundation
import Holdfast

@Table("mail")
final class Mail {
    @PrimaryKey @Column(storage: .text) let id: UUID  // '5a0f3c8e-…'
    @Column("sent_at", storage: .text) var sentAt: Date  // '2026-11-21 09:30:00'
    @Column("is_read", storage: .words(true: "Y", false: "N")) var isRead = false
    @Column(storage: .array) var labels: [String] = []  // text[], or JSON on SQLite
    @Column(generated: true) var size: Int?  // GENERATED ALWAYS AS (…)
    init(id: UUID, sentAt: Date) { (self.id, self.sentAt) = (id, sentAt) }
}
// snippet.end

// snippet.unique-column
@Table("country") final class Country {
    @PrimaryKey(.database) var id: Int?
    @Unique var code: String
    var name: String
    init(code: String, name: String) { (self.code, self.name) = (code, name) }
}

@Table("city") final class City {
    @PrimaryKey(.database) var id: Int?
    @Relation(references: \Country.code) @Column("country_code") var country: Country?
    init() {}
}
// snippet.end

func recentMail(db: Database) async throws {
    // snippet.dates-as-text
    let start = Date(timeIntervalSinceNow: -86_400)
    let recent = try await db.query(Mail.self).where { $0.sentAt > start }.order { $0.sentAt.descending }.fetch()
    // PostgreSQL: … "sent_at"::timestamptz > $1        SQLite: holdfast_stored("sent_at", 7) > ?
    // snippet.end
    _ = recent
}

// snippet.postgres-types
@Table("host")
final class Host {
    let id: Int64
    @Column(storage: .text) var address: String  // inet
    @Column(storage: .text) var uptime: String?  // interval
    init(id: Int64, address: String) { (self.id, self.address) = (id, address) }
}
// snippet.end

func nearHosts(db: Database) async throws {
    // snippet.postgres-types-query
    let near = try await db.query(Host.self).where { $0.address > "10.0.0.9" }.order { $0.uptime }.fetch()
    // … WHERE "address" > $1 ORDER BY "uptime": as PostgreSQL compares the types, so that 10.0.0.10 is among them
    // snippet.end
    _ = near
}
