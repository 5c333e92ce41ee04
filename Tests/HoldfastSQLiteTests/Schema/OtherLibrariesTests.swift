import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Files as Fluent and GRDB lay them out, with the models of the article on moving from them.
@Suite struct OtherLibrariesTests {
    @Table("stars") final class Star {
        @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
        var name: String
        @Relation(inverse: \Planet.star, loading: .eager) var planets: [Planet] = []
        init(id: UUID = UUID(), name: String) { (self.id, self.name) = (id, name) }
    }

    @Table("planets") final class Planet {
        @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
        var name: String
        @Column("star_id") var star: Star?
        @Timestamp(.created) @Column(storage: .secondsSince1970) var createdAt: Date?
        init(id: UUID = UUID(), name: String, star: Star?) { (self.id, self.name, self.star) = (id, name, star) }
    }

    @Table("player", naming: .asDeclared) struct Player: Equatable {
        var id: Int64?
        var name: String
        var score: Int
        @Column(storage: .text) var createdAt: Date
        var team: UUID?
    }

    @Test func `a file of Fluent is adopted, read and written in its own forms`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in [
                #"CREATE TABLE "stars"("id" UUID PRIMARY KEY, "name" TEXT NOT NULL)"#,
                """
                CREATE TABLE "planets"("id" UUID PRIMARY KEY, "name" TEXT NOT NULL, "star_id" UUID NOT NULL,
                    "created_at" REAL, FOREIGN KEY ("star_id") REFERENCES "stars" ("id"))
                """,
                "INSERT INTO stars VALUES ('F7F2A1B0-1C57-4B7C-9A15-3E1B7F5D7C11', 'Sun')",
                """
                INSERT INTO planets VALUES ('0E0B2B9C-9D3E-4E53-8B0E-0B5B0B1E2F22', 'Earth',
                    'F7F2A1B0-1C57-4B7C-9A15-3E1B7F5D7C11', 1700000000.25)
                """,
            ] { try await db.sql("\(unsafe: sql)").execute() }
            try await db.migrate(Schema(adopting: [Star.self, Planet.self]))
            let earth = try #require(try await db.query(Planet.self).where { $0.star.name == "Sun" }.first())
            #expect(earth.createdAt == Date(timeIntervalSince1970: 1_700_000_000.25))
            #expect(earth.star?.planets.first === earth)
            earth.name = "Terra"
            let mars = Planet(name: "Mars", star: earth.star)
            try await db.save([earth, mars])
            let stored = try await db.sql("SELECT id || typeof(created_at) FROM planets WHERE name = 'Mars'")
                .fetch(as: String.self)
            #expect(stored == [mars.id.uuidString + "real"])
            #expect(try await db.find(Planet.self, key: earth.id)?.name == "Terra")
            #expect(try await db.delete(mars) == 1)
            #expect(try await db.count(Planet.self) == 1)
        }
    }

    @Test func `a file of GRDB is adopted, read and written in its own forms`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in [
                """
                CREATE TABLE "player" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL,
                    "score" INTEGER NOT NULL, "createdAt" DATETIME NOT NULL, "team" BLOB)
                """,
                "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                """
                INSERT INTO player VALUES (1, 'Arthur', 1000, '2026-11-21 09:30:00.500',
                    x'00112233445566778899AABBCCDDEEFF')
                """,
            ] { try await db.sql("\(unsafe: sql)").execute() }
            try await db.migrate(Schema(adopting: [Player.self]))
            var arthur = try #require(try await db.find(Player.self, key: 1))
            #expect(arthur.createdAt == Date(timeIntervalSince1970: 1_795_253_400.5))
            #expect(arthur.team == UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
            arthur.score += 1
            arthur = try await db.save(arthur)
            let stored = try await db.sql("SELECT createdAt || typeof(team) FROM player").fetch(as: String.self)
            #expect(stored == ["2026-11-21 09:30:00.500blob"])
            let late = Date(timeIntervalSince1970: 1_795_253_400)
            #expect(try await db.query(Player.self).where { $0.createdAt > late }.fetch() == [arthur])
        }
    }
}
