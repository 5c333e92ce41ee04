import Holdfast

/// Tables as other programs have made them: with their names, and with join tables without positions.
enum Chinook {
    @Table("Artist", naming: .asDeclared)
    final class Artist {
        @Column("ArtistId") var id: Int64?
        @Column("Name") var name: String
        @Relation(inverse: \Album.artist, loading: .eager) var albums: [Album] = []

        init(name: String) { self.name = name }
    }

    @Table("Album", naming: .asDeclared)
    final class Album {
        @Column("AlbumId") var id: Int64?
        @Column("Title") var title: String
        @Column("ArtistId") var artist: Artist?

        init(title: String, artist: Artist? = nil) {
            self.title = title
            self.artist = artist
        }
    }

    @Table("Playlist", naming: .asDeclared)
    final class Playlist {
        @Column("PlaylistId") var id: Int64?
        @Column("Name") var name: String
        @Relation(joinTable: .named("PlaylistTrack", owner: "PlaylistId", element: "TrackId", position: nil))
        var tracks: [Track] = []

        init(name: String, tracks: [Track] = []) {
            self.name = name
            self.tracks = tracks
        }
    }

    @Table("Track", naming: .asDeclared)
    final class Track {
        @Column("TrackId") var id: Int64?
        @Column("Name") var name: String
        @Relation(inverse: \Playlist.tracks, loading: .eager) var playlists: [Playlist] = []

        init(name: String) { self.name = name }
    }

    /// A queue whose join table, with positions, has names of its own.
    @Table
    final class Queue {
        var id: Int64?
        @Relation(
            loading: .onDemand,
            joinTable: .named("queued", owner: "queue", element: ["track"], position: "ordinal"))
        var tracks: [Track] = []
        /// A set whose table `migrate` makes.
        @Relation(joinTable: .unordered) var favourites: [Track] = []
        @Relation(foreignKey: false) var current: Track?

        init(tracks: [Track] = []) { self.tracks = tracks }
    }

    /// A list of a program that gives each row of its join table a key.
    @Table
    final class Setlist {
        var id: Int64?
        @Relation(
            joinTable: .named("setlist_entry", owner: "setlist", element: "track", generatedKey: "entry"),
            foreignKey: false)
        var tracks: [Track] = []

        init(tracks: [Track] = []) { self.tracks = tracks }
    }

    /// Albums, one of which has the same join table as `Playlist` without being its other side.
    @Table
    final class Shelf {
        var id: Int64?
        @Relation(joinTable: .named("shelf_book")) var books: [ShelfBook] = []

        init() {}
    }

    @Table
    final class ShelfBook {
        var id: Int64?
        @Relation(joinTable: .named("shelf_book")) var shelves: [Shelf] = []

        init() {}
    }
}
