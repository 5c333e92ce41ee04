// The examples of the article "Moving from Fluent".

// snippet.stars-and-planets
import Foundation
import Holdfast

@Table("stars")
final class Star {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    var name: String
    @Relation(inverse: \Planet.star) var planets: [Planet] = []
    init(id: UUID = UUID(), name: String) { (self.id, self.name) = (id, name) }
}

@Table("planets")
final class Planet {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    var name: String
    @Column("star_id") var star: Star?
    @Timestamp(.created) @Column(storage: .secondsSince1970) var createdAt: Date?
    init(id: UUID = UUID(), name: String, star: Star?) { (self.id, self.name, self.star) = (id, name, star) }
}
// snippet.end

// snippet.pivot
@Table("tags")
final class Tag {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    var name: String
    @Relation(inverse: \PlanetTag.tag) var links: [PlanetTag] = []
    init(id: UUID = UUID(), name: String) { (self.id, self.name) = (id, name) }
}

@Table("planet+tag", indexes: [.unique("planet", "tag")])
final class PlanetTag {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    @Required @Column("planet_id") var planet: Planet?
    @Required @Column("tag_id") var tag: Tag?
    var note: String?  // a property of the pivot

    init(_ planet: Planet, _ tag: Tag, note: String? = nil) {
        id = UUID()
        (self.planet, self.tag, self.note) = (planet, tag, note)
    }
}
// snippet.end

func useSiblings(db: Database, earth: Planet, small: Tag) async throws {
    // snippet.siblings
    try await db.save(PlanetTag(earth, small, note: "12,756 km"))  // earth.$tags.attach(small, on: db) { … }

    let link = db.query(PlanetTag.self).where { $0.planet == earth && $0.tag == small }
    print(try await link.exists())  // earth.$tags.isAttached(to: small, on: db)
    try await link.delete()  // earth.$tags.detach(small, on: db)

    let tags = try await db.query(Tag.self)  // earth.$tags.query(on: db).all()
        .where { $0.links.contains { $0.planet == earth } }
        .fetch()
    // snippet.end
    _ = tags
}

func loadRelations(db: Database) async throws {
    // snippet.eager-loading
    let stars = try await db.query(Star.self).including(\.planets).fetch()  // Star.query(on: db).with(\.$planets).all()
    let links = try await db.query(PlanetTag.self).fetch()  // .with(\.$tag).with(\.$planet) { $0.with(\.$star) }
    let tags = try await db.query(Tag.self).including(["links.planet.star"]).fetch()

    let others = try await db.fetch(Star.self)
    try await db.loadRelation(\.planets, of: others)  // for star in others { try await star.$planets.load(on: db) }
    // snippet.end
    _ = (stars, links, tags)
}

// snippet.hooks
@Table("users")
final class User {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    var email: String
    init(email: String) { (id, self.email) = (UUID(), email) }

    func willSave() throws { email = email.lowercased() }  // create and update, before next
    func didSave(in transaction: Transaction) async throws {}  // after next, still in the transaction
    func willDelete(in transaction: Transaction) async throws {
        try await transaction.sql("DELETE FROM sessions WHERE email = \(email)").execute()
    }
    func afterCommit() { print("saved or deleted") }  // never after a rollback
}
// snippet.end
