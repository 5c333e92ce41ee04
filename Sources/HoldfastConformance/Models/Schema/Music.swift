import Holdfast

/// Tables that others have made, as those of Chinook: names, types and keys are not ours.
enum Music {
    @Table("Artist")
    final class Artist {
        @PrimaryKey @Column("ArtistId") var id: Int
        @Column("Name") var name: String?
        @Relation(inverse: \Album.artist, loading: .eager) var albums: [Album] = []

        init(id: Int, name: String?) {
            self.id = id
            self.name = name
        }
    }

    @Table("Album")
    final class Album {
        @PrimaryKey @Column("AlbumId") var id: Int
        @Column("Title") var title: String
        @Column("ArtistId") var artist: Artist?

        init(id: Int, title: String, artist: Artist?) {
            self.id = id
            self.title = title
            self.artist = artist
        }
    }

    @Table("Genre")
    struct Genre: Equatable {
        @PrimaryKey @Column("Code") var code: String
        @Column("Name") var name: String?
    }

    /// A type of the program's own that leads to tables of others.
    @Table
    final class Review {
        var id: Int64?
        var stars: Int
        var album: Album?
        var genre: Genre?
        var compared: [Album] = []

        init(stars: Int, album: Album?) {
            self.stars = stars
            self.album = album
        }
    }

    /// Has a column that the table has not.
    @Table("Artist")
    struct Famous: Equatable {
        @PrimaryKey @Column("ArtistId") var id: Int
        @Column("Fame") var fame: Int?
    }

    /// Has the column but for case.
    @Table("Artist")
    struct Lowered: Equatable {
        @PrimaryKey @Column("ArtistId") var id: Int
        var name: String?
    }

    /// Would need triggers.
    @Table("Artist", log: true)
    struct Logged: Equatable {
        @PrimaryKey @Column("ArtistId") var id: Int
        @Column("Name") var name: String?
    }

    @Table("Composer")
    struct Composer: Equatable {
        var id: Int64?
    }

    /// Would need a trigger on the table of albums.
    @Table("Album")
    final class Owning {
        @PrimaryKey @Column("AlbumId") var id: Int
        @Column("ArtistId") @Relation(deleteRule: .cascade) var artist: Artist?
        init(id: Int) { self.id = id }
    }

    /// Has arrays, which the tables of others do not know.
    @Table("Genre")
    final class Tagged {
        @PrimaryKey @Column("Code") var code: String
        @Column("genre_words") var words: [String] = []
        @Column("genre_albums") @Relation(deleteRule: .cascade) var albums: [Album] = []
        init(code: String) { self.code = code }
    }

    /// A key that is none in the table.
    @Table("Artist")
    final class Named {
        @PrimaryKey @Column("Name") var name: String
        init(name: String) { self.name = name }
    }

    @Table
    final class Fan {
        var id: Int64?
        var named: Named?
        init() {}
    }

    static func make(_ db: Database) async throws {
        try await db.sql(
            """
            CREATE TABLE "Artist" ("ArtistId" INTEGER NOT NULL PRIMARY KEY, "Name" VARCHAR(120), "Rank" SMALLINT DEFAULT 1)
            """
        ).execute()
        try await db.sql(
            """
            CREATE TABLE "Album" (
                "AlbumId" INTEGER NOT NULL, "Title" VARCHAR(160) NOT NULL, "ArtistId" INTEGER NOT NULL,
                CONSTRAINT "PK_Album" PRIMARY KEY ("AlbumId"),
                FOREIGN KEY ("ArtistId") REFERENCES "Artist" ("ArtistId") ON DELETE NO ACTION ON UPDATE NO ACTION)
            """
        ).execute()
        try await db.sql("CREATE TABLE \"Genre\" (\"Code\" VARCHAR(9) NOT NULL PRIMARY KEY, \"Name\" VARCHAR(120))")
            .execute()
        try await db.sql("INSERT INTO \"Artist\" (\"ArtistId\", \"Name\") VALUES (1, 'AC/DC'), (2, 'Accept')").execute()
        try await db.sql(
            "INSERT INTO \"Album\" (\"AlbumId\", \"Title\", \"ArtistId\") VALUES (1, 'For Those', 1), (2, 'Balls', 2)"
        ).execute()
        try await db.sql("INSERT INTO \"Genre\" (\"Code\", \"Name\") VALUES ('R', 'Rock')").execute()
    }
}
