import Holdfast

/// Views, which are only read.
enum Looking {
    @Table("album_title", readOnly: true)
    final class AlbumTitle {
        @PrimaryKey var id: Int
        var title: String
        @Column("artist") var artist: Music.Artist?

        init(id: Int, title: String) {
            self.id = id
            self.title = title
        }
    }

    @Table("album_title", readOnly: true)
    struct Title: Equatable {
        @PrimaryKey var id: Int
        var title: String
    }

    /// Leads to views, by one reference and by an array.
    @Table
    final class Shelf {
        var id: Int64?
        var name: String
        var first: AlbumTitle?
        var best: Title?
        var titles: [AlbumTitle] = []
        init(_ name: String) { self.name = name }
    }

    static func make(_ db: Database) async throws {
        try await Music.make(db)
        try await db.sql(
            """
            CREATE VIEW album_title AS SELECT "AlbumId" AS id, "Title" AS title, "ArtistId" AS artist FROM "Album"
            """
        ).execute()
    }
}
