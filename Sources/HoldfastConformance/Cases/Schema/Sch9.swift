import Foundation
import Holdfast

extension ConformanceCase {
    static let sch9: [ConformanceCase] = [
        ConformanceCase(
            "sch-9.not-logged", "SCH-9", "An adopted table and a type without a table are not said to be logged",
            level: .live
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            let schemas = [
                Schema(adopting: [Music.Logged.self]),
                Schema(adopting: [Music.Genre.self], logging: [Music.Genre.self]),
            ]
            for (schema, table) in zip(schemas, ["Artist", "Genre"]) {
                for action in ["a migration", "a plan"] {
                    let error = try await expect(.conflict, from: "\(action) that logs an adopted table") {
                        _ = action == "a plan" ? try await db.schemaPlan(for: schema) : try await db.migrate(schema)
                    }
                    try expect(error.table, equals: table, "the table of the error")
                }
            }
            try await expect(.conflict, from: "adopting what is logged") { try await db.adopt(Music.Logged.self) }
            try await db.adopt(Music.Artist.self)
            try await expect(.conflict, from: "logging what was adopted") { try await db.migrate(Music.Logged.self) }
            try await expect(.conflict, from: "logging a type of which no table is made") {
                try await db.migrate(Schema(Note.self, logging: [Tagged.self]))
            }
            try await expect(.notMigrated, from: "the table of the other type") { _ = try await db.count(Note.self) }
        },
        ConformanceCase(
            "sch-9.unchanged", "SCH-9", "Adopted tables are left as they are, and tables of the program refer to them",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            let before = try await db.schema().tables
            try await db.adopt(Music.Artist.self, Music.Album.self, Music.Genre.self)
            try await db.adopt(Music.Artist.self)
            let plan = try await db.schemaPlan(for: Music.Review.self)
            let done = try await db.migrate(Music.Review.self)
            try expect(done, equals: plan, "what was done")
            for step in done.steps {
                try expect(
                    !step.sql.hasPrefix("ALTER TABLE \"A") && !step.sql.contains("ON \"A"), "A step is \(step.sql).")
            }
            let after = try await db.schema()
            for table in before { try expect(after.table(table.name), equals: table, "the table \(table.name)") }
            try expect(
                after.table("review")?.foreignKeys.map(\.table).sorted(), equals: ["Album", "Genre"], "the keys")
            try expect(try await db.migrate(Music.Review.self).steps, equals: [], "the steps of a second time")

            let album = try expect(some: try await db.find(Music.Album.self, key: 2), "an album")
            try expect(album.artist?.name, equals: "Accept", "its artist")
            let review = Music.Review(stars: 4, album: album)
            review.genre = Music.Genre(code: "R", name: "Rock")
            review.compared = [album, Music.Album(id: 9, title: "New", artist: album.artist)]
            try await db.save(review)
            let found = try expect(some: try await db.query(Music.Review.self).first(), "the review")
            try expect(found.compared.map(\.id), equals: [2, 9], "the albums in order")
            try expect(found.genre, equals: review.genre, "the genre")
            try expect(
                try await db.query(Music.Artist.self).where { $0.name == "Accept" }.first()?.albums.count, equals: 2,
                "the albums of an artist")
            try await expect(.foreignKeyViolation, from: "deleting an artist with albums") {
                try await db.sql("DELETE FROM \"Artist\" WHERE \"ArtistId\" = 2").execute()
            }
            try await db.delete(album)
            try expect(
                try await db.query(Music.Review.self).first()?.compared.map(\.id), equals: [9],
                "the albums that are left")
        },
        ConformanceCase(
            "sch-9.optional", "SCH-9", "Tables of others are used without a migration"
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            let artist = try expect(some: try await db.find(Music.Artist.self, key: 1), "an artist")
            artist.name = "AC"
            try await db.save(artist)
            try await db.insert(Music.Artist(id: 3, name: nil))
            try expect(try await db.fetch(Music.Artist.self).map(\.name), equals: ["AC", "Accept", nil], "the artists")
            try expect(try await db.delete(artist.albums), equals: 1, "the albums deleted")
        },
        ConformanceCase(
            "sch-9.refused", "SCH-9",
            "What an adopted table lacks, and a table that a migration has made, are refused by name"
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            let famous = try await expect(.conflict, from: "adopting without a column") {
                try await db.adopt(Music.Genre.self, Music.Famous.self)
            }
            try expect(famous.table, equals: "Artist", "the table of the error")
            try expect(famous.properties, equals: ["fame"], "the property of the error")
            try expect(famous.message.contains("\"Fame\""), "The error does not name the column: \(famous.message)")
            let lowered = try await expect(.conflict, from: "adopting with a name in another case") {
                try await db.adopt(Music.Lowered.self)
            }
            try expect(lowered.message.contains("\"Name\""), "The error does not tell of it: \(lowered.message)")
            let absent = try await expect(.conflict, from: "adopting what is not there") {
                try await db.adopt(Music.Composer.self)
            }
            try expect(absent.table, equals: "Composer", "the table of the error")
            // Nothing of them was noted, so that they are compared.
            try await expect(.conflict, from: "migrating what was not adopted") {
                try await db.migrate(Music.Genre.self)
            }

            try await db.migrate(Note.self)
            try await expect(.conflict, from: "adopting what a migration has made") { try await db.adopt(Note.self) }
            try await db.adopt(Music.Artist.self, Music.Album.self)
            let later = try await expect(.conflict, from: "migrating a type with a column more") {
                try await db.migrate(Music.Famous.self)
            }
            try expect(later.properties, equals: ["fame"], "the property of the error")
        },
        ConformanceCase(
            "sch-9.kept", "SCH-9", "No migration with a name, no permission and no removal changes an adopted table"
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            try await db.migrate(Note.self)
            try await db.adopt(Music.Artist.self, Music.Album.self)
            let table = "Artist"
            let renaming = Migration("1") { $0.rename(column: "Name", of: table, to: "Title") }
            let dropping = Migration("2") { $0.drop(column: "Rank", of: table) }
            for migration in [renaming, dropping] {
                try await expect(.conflict, from: "a migration of an adopted table") {
                    try await db.migrate(Schema(Music.Artist.self, migrations: [migration]))
                }
            }
            try await expect(.conflict, from: "dropping a column of it") {
                try await db.migrate(Schema(Music.Artist.self, allowing: [.dropping(column: "Rank", of: table)]))
            }
            try await expect(.conflict, from: "dropping it") { try await db.dropTable(Music.Album.self) }
            try expect(try await db.count(Music.Artist.self), equals: 2, "the rows")
            try await db.migrate(Schema(Music.Artist.self, migrations: [Migration("3") { $0.sql("SELECT 1") }]))
        },
        ConformanceCase(
            "sch-9.delete-rules", "SCH-9",
            "A delete rule that would need a trigger on an adopted table is refused; arrays of its rows are the program's",
            level: .graph
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            let owning = try await expect(.conflict, from: "a rule that needs a trigger") {
                try await db.adopt(Music.Owning.self)
            }
            try expect(owning.properties, equals: ["artist"], "the property of the error")
            try expect(owning.table, equals: "Album", "the table of the error")

            try await db.migrate(Schema(adopting: [Music.Artist.self, Music.Album.self, Music.Tagged.self]))
            let genre = Music.Tagged(code: "X")
            genre.words = ["a", "b"]
            genre.albums = try await db.fetch(Music.Album.self)
            try await db.save(genre)
            try expect(try await db.find(Music.Tagged.self, key: "X")?.words, equals: ["a", "b"], "the words")
            // The rule is kept by the program's own table.
            try await db.sql("DELETE FROM \"Genre\" WHERE \"Code\" = 'X'").execute()
            try expect(try await db.count(Music.Album.self), equals: 0, "the albums")
            try expect(
                try await db.migrate(Schema(adopting: [Music.Tagged.self])).steps, equals: [],
                "the steps of a second time")
        },
        ConformanceCase(
            "sch-9.no-key", "SCH-9", "A table of the program can refer only to a key of an adopted one"
        ) { environment in
            let db = try await environment.open()
            try await Music.make(db)
            let error = try await expect(.conflict, from: "a reference to what is no key") {
                try await db.migrate(Schema(Music.Fan.self, adopting: [Music.Named.self]))
            }
            try expect(error.properties, equals: ["named"], "the property of the error")
            try await db.sql("CREATE UNIQUE INDEX names ON \"Artist\" (\"Name\")").execute()
            try await db.migrate(Schema(Music.Fan.self, adopting: [Music.Named.self]))
            let fan = Music.Fan()
            fan.named = try await db.find(Music.Named.self, key: "Accept")
            try await db.save(fan)
            try expect(try await db.query(Music.Fan.self).first()?.named?.name, equals: "Accept", "whom it refers to")
        },
        ConformanceCase(
            "sch-9.eight-at-once", "SCH-9",
            "Eight that adopt and migrate at the same time all succeed, and it is done once"
        ) { environment in
            let first = try await environment.open()
            try await Music.make(first)
            let done = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let db = try await environment.open { $0.pool.maximumConnections = 2 }
                        let adopted: [any TableObject.Type] = [Music.Artist.self, Music.Album.self, Music.Genre.self]
                        if number.isMultiple(of: 2) { try await db.adopt(adopted) }
                        let plan = try await db.migrate(Schema(Music.Review.self, adopting: adopted))
                        return plan.steps.isEmpty ? 0 : 1
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(done, equals: 1, "the number of those that had something to do")
            try expect(try await first.number("SELECT count(*) FROM holdfast_adopted"), equals: 3, "what was noted")
        },
        ConformanceCase(
            "sch-9.unique-key", "SCH-9",
            "References lead to any unique columns that they name, or that the type has as its key; else they are refused"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE nation (name text PRIMARY KEY NOT NULL, code text NOT NULL UNIQUE)")
                .execute()
            try await db.sql(
                "CREATE TABLE town (name text PRIMARY KEY NOT NULL, nation_code text REFERENCES nation (code))"
            ).execute()
            let error = try await expect(.conflict, from: "a reference to what is not the key of the type") {
                try await db.adopt(Nation.Village.self, Nation.Named.self)
            }
            try expect(error.properties, equals: ["nation"], "the property that the error names")
            try expect(error.message.contains("(code)"), "The error does not name the columns: \(error)")

            try await db.adopt(Nation.self, Nation.Town.self)
            let (chile, peru) = (Nation("cl", "Chile"), Nation("pe", "Peru"))
            chile.towns = [Nation.Town("Arica", nil), Nation.Town("Iquique", nil)]
            try await db.save([chile, peru])
            try await db.save(Nation.Town("Tacna", peru))
            let codes = try await db.sql("SELECT nation_code FROM town ORDER BY name").fetch(as: String?.self)
            try expect(codes, equals: ["cl", "cl", "pe"], "what the references hold")
            let found = try expect(some: try await db.find(Nation.self, key: "cl"), "a nation")
            try expect(found.towns.map(\.name).sorted(), equals: ["Arica", "Iquique"], "the other side")
            try expect(found.towns.allSatisfy { $0.nation === found }, "One row is two instances.")
            let counts = [
                try await db.query(Nation.Town.self).where { $0.nation == found }.count(),
                try await db.query(Nation.Town.self).where { $0.nation.name == "Peru" }.count(),
            ]
            try expect(counts, equals: [2, 1], "the towns that meet conditions")

            // By the primary key of the table, with references that name the other.
            try await db.adopt(Nation.Place.self)
            let place = try expect(some: try await db.find(Nation.Place.self, key: "Tacna"), "a place")
            try expect(place.nation?.name, equals: "Peru", "the nation of the place")
            place.nation = try await db.find(Nation.Named.self, key: "Chile")
            try await db.save(place)
            try expect(
                try await db.query(Nation.Place.self).where { $0.nation.name == "Chile" }.count(), equals: 3,
                "the places of the other nation")
        },
        ConformanceCase(
            "sch-9.released", "SCH-9", "A table that is released is compared and extended again"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE composer (id INTEGER NOT NULL PRIMARY KEY, born INTEGER)").execute()
            let before = Migration("before", for: .existingData) { $0.sql("SELECT 1") }
            try await db.release(Music.Composer.self)
            try await db.migrate(Schema(adopting: [Pianist.self], migrations: [before]))
            try await db.release(Pianist.self)
            try await db.release(Pianist.self)
            let plan = try await db.schemaPlan(for: Schema(Pianist.Younger.self, migrations: [before]))
            try expect(plan.description.contains("ADD COLUMN"), "The plan is \(plan).")
        },
    ]
}

@Table("composer")
struct Pianist: Equatable {
    @PrimaryKey var id: Int32

    @Table("composer")
    struct Younger: Equatable {
        @PrimaryKey var id: Int32
        var teacher: String?
    }
}

/// Refers by a unique column that is not the primary key of its table.
@Table
final class Nation {
    @PrimaryKey let code: String
    var name: String
    @Relation(inverse: \Town.nation, loading: .eager) var towns: [Town] = []

    init(_ code: String, _ name: String) { (self.code, self.name) = (code, name) }

    @Table("town")
    final class Town {
        @PrimaryKey let name: String
        @Column("nation_code") var nation: Nation?

        init(_ name: String, _ nation: Nation?) { (self.name, self.nation) = (name, nation) }
    }

    /// Has the primary key of the table as its key.
    @Table("nation")
    struct Named {
        @PrimaryKey let name: String
        @Unique var code: String
    }

    @Table("town")
    final class Place {
        @PrimaryKey let name: String
        @Relation(references: \Named.code) @Column("nation_code") var nation: Named?

        init(_ name: String) { self.name = name }
    }

    @Table("town")
    struct Village {
        @PrimaryKey let name: String
        @Column("nation_code") var nation: Named?
    }
}
