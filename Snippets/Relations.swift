// The examples of the article "Relations".

import Foundation
import Holdfast

// snippet.models
@Table
final class Artist {
    var id: Int64?
    var name: String
    var mentor: Artist?  // artist.mentor_id REFERENCES artist
    @Relation(inverse: \Album.artist) var albums: [Album] = []  // no column: the albums hold the key; on demand

    init(_ name: String) { self.name = name }
}

@Table
final class Album {
    var id: Int64?
    var title: String
    @Required var artist: Artist?  // NOT NULL: an album without an artist is refused
    @Relation(deleteRule: .cascade) var tracks: [Track] = []  // album_tracks (album_id, position, track_id)
    @Relation(loading: .onDemand) var similar: [Album] = []
    var label: Reference<Label>?  // a key; loads its object on request

    init(_ title: String, by artist: Artist) {
        self.title = title
        self.artist = artist
    }
}

@Table
final class Track {
    var id: Int64?
    var title: String
    weak var cover: Album?

    init(_ title: String) { self.title = title }
}

@Table
struct Label {
    @PrimaryKey let name: String
    var country: String
}
// snippet.end

func saveAlbum(db: Database) async throws {
    // snippet.saving
    let artist = Artist("Nina")
    let album = Album("Pastel", by: artist)
    album.tracks = [Track("One"), Track("Two")]
    try await db.save(album)  // inserts the artist, the album, both tracks, and two rows of album_tracks
    album.tracks.insert(Track("Intro"), at: 0)
    try await db.save(album)  // inserts a track, and one row of album_tracks
    print(artist.albums.count)  // 1: the other side shows it
    // snippet.end
}

func saveInScopes(db: Database) async throws {
    // snippet.scopes
    let artist = Artist("Nina")
    try await db.save(artist, scope: .object)  // only this object
    try await db.save(artist, scope: .following(["mentor", "albums.tracks"]))  // these, and nothing else
    // snippet.end
}

func loadAlbums(db: Database) async throws {
    // snippet.loading
    let albums = try await db.fetch(Album.self, including: ["similar.artist"], depth: 1)
    for album in albums where !album.isLoaded(\.similar) { print("on demand: not loaded") }
    try await db.loadRelation(\.similar, of: albums)  // one statement for each level, for any number of albums
    let artists = try await db.fetch(Artist.self, including: ["albums"])  // an array with an inverse
    print(artists.first?.albums.count ?? 0)
    let label = try await albums.first?.label?.load(from: db)
    print(label?.country ?? "nowhere")
    // snippet.end
}

func loadParts(db: Database) async throws {
    // snippet.parts
    let artists = try await db.query(Artist.self)
        .including(\.albums) {
            $0.where { $0.title != "" }.order(\.title, .descending).limit(3)
                .including(\.tracks) { $0.limit(2) }
        }
        .fetch()
    for artist in artists { print(artist.albums.count, artist.isLoaded(\.albums)) }  // at most 3, false
    // snippet.end
}

func linkTracks(db: Database, album: Album, tracks: [Track]) async throws {
    // snippet.linking
    try await db.link(album, \.tracks, to: tracks)  // appends those that it has not: the number of new links
    try await db.unlink(album, \.tracks, from: tracks[0])
    try await db.link(Artist.self, key: 7, \.albums, toKeys: [1, 2])  // sets the reference of the albums
    // snippet.end
}

func readKeys(db: Database) async throws {
    // snippet.keys
    for album in try await db.fetch(Album.self, depth: 0) {
        print(album.artist == nil)  // true: it was not loaded
        print(try album.key(of: \.artist)?.int64 ?? 0)  // 7: it is in the album's row
        print(try album.json())  // {"id":1,"title":"Pastel","artist":7,"label":null}
    }
    // snippet.end
}

func replaceArtist(db: Database, nina: Artist) async throws {
    // snippet.replacing
    for album in try await db.fetch(Album.self, depth: 0) { album.artist = nina }
    // UPDATE "album" SET "artist_id" = $1 WHERE "id" = $2, for the albums of others; nothing is loaded
    // snippet.end
}

func readLoaded(album: Album) throws {
    // snippet.required
    for similar in try album.loaded(\.similar) { print(similar.title) }
    // notLoaded: "similar" of Album is read at App/Albums.swift:12, and was not loaded. Load it first, …
    // snippet.end
}

func deleteAlbum(db: Database) async throws {
    // snippet.deleting
    if let album = try await db.query(Album.self).first() {
        try await db.delete(album, including: ["similar.tracks"], keeping: [\.tracks])
    }
    // snippet.end
}

// snippet.order
@Table
final class Station {
    var id: Int64?
    @Relation(inverse: \Play.station, order: [.descending(\Play.at), .ascending(\Play.title)]) var plays: [Play] = []

    init() {}
}

@Table
final class Play {
    var id: Int64?
    var title: String
    var at = Date()
    var station: Station?

    init(_ title: String, in station: Station) { (self.title, self.station) = (title, station) }
}
// snippet.end

// snippet.exactly-one
@Table(checks: [.exactlyOne("ticket", "comment")])
final class File {
    var id: Int64?
    var name: String
    var ticket: Ticket?  // "ticket_id" REFERENCES "ticket"
    var comment: Comment?  // "comment_id" REFERENCES "comment"

    init(_ name: String) { self.name = name }
}

@Table
final class Ticket {
    var id: Int64?
    @Relation(inverse: \File.ticket, deleteRule: .cascade, orphans: .delete) var files: [File] = []

    init() {}
}

@Table
final class Comment {
    var id: Int64?
    @Relation(inverse: \File.comment, deleteRule: .cascade, orphans: .delete) var files: [File] = []

    init() {}
}
// snippet.end

func takeOut(db: Database, ticket: Ticket) async throws {
    // snippet.orphans
    ticket.files.removeFirst()
    try await db.save(ticket)
    // SELECT "id", "ticket_id" FROM "file" WHERE "ticket_id" = ANY ($1::bigint[])
    // DELETE FROM "file" WHERE "id" = ANY ($1::bigint[])
    // snippet.end
}

// snippet.declared-names
@Table("Song", naming: .asDeclared)
final class Song {
    @Column("SongId") var id: Int64?
    var Name: String
    @Column("MediaTypeId") var format: MediaType?
    @Relation(inverse: \Playlist.songs) var playlists: [Playlist] = []

    init(_ name: String) { Name = name }
}

@Table("MediaType", naming: .asDeclared)
final class MediaType {
    @Column("MediaTypeId") var id: Int64?
    var Name: String

    init(_ name: String) { Name = name }
}

@Table("Playlist", naming: .asDeclared)
final class Playlist {
    @Column("PlaylistId") var id: Int64?
    @Relation(joinTable: .named("PlaylistSong", owner: "PlaylistId", element: "SongId", position: nil))
    var songs: [Song] = []

    init() {}
}
// snippet.end

// snippet.keys-of-foreign-keys
@Table("order_details")
final class OrderDetail {
    @PrimaryKey let orderID: Int64
    @PrimaryKey let productID: Int64
    @Column("order_id") var order: Order?
    @Column("product_id") var product: Product?
    var quantity: Int

    init(_ order: Order, _ product: Product, quantity: Int) {
        (orderID, productID) = (order.id, product.id)
        (self.order, self.product) = (order, product)
        self.quantity = quantity
    }
}

@Table("orders")
final class Order {
    @PrimaryKey @Column("order_id") var id: Int64
    @Relation(inverse: \OrderDetail.order, deleteRule: .cascade) var details: [OrderDetail] = []

    init(id: Int64) { self.id = id }
}

@Table("products")
final class Product {
    @PrimaryKey @Column("product_id") var id: Int64
    var name: String

    init(id: Int64, name: String) { (self.id, self.name) = (id, name) }
}
// snippet.end

// snippet.shared-columns
@Table
final class Invoice {
    @PrimaryKey var tenant: Int64
    @PrimaryKey var number: Int64
    @Column(["tenant", "customer_number"]) var customer: Customer?

    init(tenant: Int64, number: Int64) { (self.tenant, self.number) = (tenant, number) }
}

@Table
final class Customer {
    @PrimaryKey var tenant: Int64
    @PrimaryKey var number: Int64

    init(tenant: Int64, number: Int64) { (self.tenant, self.number) = (tenant, number) }
}
// snippet.end

// snippet.through
@Table(indexes: [.unique("band", "player")])
final class Engagement {
    var id: Int64?
    var band: Band
    var player: Player
    var instrument: String?
    @Timestamp(.created) var since: Date?

    init(_ player: Player, in band: Band) { (self.player, self.band) = (player, band) }
}

@Table
final class Band {
    var id: Int64?
    var name: String
    @Relation(inverse: \Engagement.band, deleteRule: .cascade) var engagements: [Engagement] = []
    @Relation(inverse: \Engagement.band, through: \Engagement.player) var players: [Player] = []

    init(_ name: String) { self.name = name }
}

@Table
final class Player {
    var id: Int64?
    var name: String
    @Relation(inverse: \Engagement.player, through: \Engagement.band) var bands: [Band] = []

    init(_ name: String) { self.name = name }
}
// snippet.end

func engage(_ ann: Player, _ bob: Player, in band: Band, db: Database) async throws {
    // snippet.through-asked
    let found = try await db.query(Band.self)
        .where { $0.players.contains { $0.name == "Ann" } && $0.players.count > 2 }
        .including(["players"]).fetch()
    // snippet.through-linked
    try await db.link(band, \.players, to: ann)  // an Engagement with its defaults
    try await db.link(band, \.players, to: bob, as: Engagement.self) { $0.instrument = "oboe" }
    try await db.unlink(band, \.players, from: ann)
    // snippet.end
    _ = found
}

// snippet.unique-properties
@Table
final class Airport {
    var id: Int64?
    @Unique var code: String
    @Relation(inverse: \Flight.origin) var departures: [Flight] = []

    init(code: String) { self.code = code }
}

@Table
final class Flight {
    var id: Int64?
    @Relation(references: \Airport.code) var origin: Airport?  // "origin_code" … REFERENCES "airport" ("code")

    init(from origin: Airport) { self.origin = origin }
}
// snippet.end
