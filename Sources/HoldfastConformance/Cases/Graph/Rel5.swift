import Foundation
import Holdfast

/// Join tables of other programs, and those without positions.
extension ConformanceCase {
    static let rel5: [ConformanceCase] = [
        graph(
            "rel-5.others-join-table", "REL-5",
            "A join table that exists is read and written by its own names, without positions, and rows that stay are not touched"
        ) { environment in
            let db = try await environment.open()
            try await createChinook(db)
            let list = try expect(some: try await db.find(Chinook.Playlist.self, key: 1), "the list")
            try expect(list.tracks.map(\.name), equals: ["a", "b", "c"], "the tracks in the order of their keys")
            try expect(list.tracks[0].playlists.map(\.name), equals: ["one", "two"], "the lists of a track")
            let new = Chinook.Track(name: "new")
            list.tracks = [new, list.tracks[2], list.tracks[0]]
            try await db.save(list)
            let notes: SQLFragment =
                "SELECT note FROM \(identifier: "PlaylistTrack") WHERE \(identifier: "PlaylistId") = 1 ORDER BY \(identifier: "TrackId")"
            try expect(try await db.texts(notes), equals: ["n1", "n3", nil], "the notes of the rows of the list")
            let again = try expect(some: try await db.find(Chinook.Playlist.self, key: 1), "the list")
            try expect(again.tracks.map(\.name), equals: ["a", "c", "new"], "the tracks after a save")
            again.tracks.reverse()
            try await db.save(again)
            try expect(try await db.texts(notes), equals: ["n1", "n3", nil], "the notes after another order")
            try await db.save(Chinook.Playlist(name: "three", tracks: [again.tracks[0], Chinook.Track(name: "x")]))
            let all = try await db.fetch(Chinook.Playlist.self)
            try expect(
                all.map { $0.tracks.map(\.name).sorted() }, equals: [["a", "c", "new"], ["a"], ["new", "x"]],
                "the tracks of all lists")
        },
        graph(
            "rel-5.others-join-table-queries", "REL-5",
            "Queries, deletions and paths go through a join table by its own names"
        ) { environment in
            let db = try await environment.open()
            try await createChinook(db)
            let lists = db.query(Chinook.Playlist.self)
            let withB = try await lists.where { $0.tracks.contains { $0.name == "b" } }.fetch()
            try expect(withB.map(\.name), equals: ["one"], "the lists with a track")
            try expect(
                try await lists.where { $0.tracks.count > 1 }.fetch().map(\.name), equals: ["one"],
                "the lists of several tracks")
            let tracks = try await db.query(Chinook.Track.self).where { $0.playlists.contains { $0.name == "two" } }
                .fetch()
            try expect(tracks.map(\.name), equals: ["a"], "the tracks of a list")
            let flat = try await db.fetch(Chinook.Playlist.self, depth: 0)
            try await db.loadRelation(\.tracks, of: flat)
            try expect(flat[0].tracks.map(\.name), equals: ["a", "b", "c"], "the tracks that were loaded later")
            // Its foreign keys do nothing by themselves.
            try await db.delete(tracks[0])
            let left = try expect(some: try await db.find(Chinook.Playlist.self, key: 1), "the list")
            try expect(left.tracks.map(\.name), equals: ["b", "c"], "the tracks that are left")
            try await db.delete(left)
            try expect(
                try await db.number("SELECT count(*) FROM \(identifier: "PlaylistTrack")"), equals: 0, "the links")
            try expect(try await db.count(Chinook.Track.self), equals: 2, "the tracks, which stay")
        },
        graph(
            "rel-5.links-deleted-by-queries", "REL-5",
            "A deletion by a query, or of all, deletes links in a join table that has no foreign keys"
        ) { environment in
            let db = try await environment.open()
            try await createChinook(db, hasForeignKeys: false)
            func links() async throws -> Int {
                try await db.number("SELECT count(*) FROM \(identifier: "PlaylistTrack")")
            }
            let tracks = db.query(Chinook.Track.self)
            try expect(try await tracks.where { $0.name == "a" }.delete(), equals: 1, "the deleted tracks")
            try expect(try await links(), equals: 2, "the links after tracks were deleted")
            let lists = try await db.fetch(Chinook.Playlist.self)
            try expect(lists.map { $0.tracks.map(\.name) }, equals: [["b", "c"], []], "the tracks that are left")
            struct Refusal: Error {}
            do {
                try await db.transaction { transaction in
                    try await transaction.query(Chinook.Playlist.self).where { $0.name == "one" }.delete()
                    try expect(
                        try await transaction.sql("SELECT count(*) FROM \(identifier: "PlaylistTrack")")
                            .first(as: Int.self), equals: 0, "the links within a transaction")
                    throw Refusal()
                }
            } catch is Refusal {}
            try expect(try await links(), equals: 2, "the links after a rollback")
            let cut = db.query(Chinook.Track.self).order { $0.name.descending }.limit(1)
            try expect(try await cut.delete(), equals: 1, "the tracks of a query that is cut")
            try expect(try await links(), equals: 1, "the links after the last track was deleted")
            try expect(try await db.deleteAll(Chinook.Playlist.self), equals: 2, "the deleted lists")
            try expect(try await links(), equals: 0, "the links after all lists were deleted")
            try expect(try await db.count(Chinook.Track.self), equals: 1, "the tracks, which stay")
        },
        graph(
            "rel-5.set-duplicates", "REL-5", "A join table without positions holds an object once, or the save says so"
        ) { environment in
            let db = try await environment.open(Chinook.Queue.self)
            let (a, b) = (Chinook.Track(name: "a"), Chinook.Track(name: "b"))
            let queue = Chinook.Queue()
            queue.favourites = [b, a, b]
            let error = try await expect(.conflict, from: "saving a set with an object twice") {
                try await db.save(queue)
            }
            try expect(error.properties, equals: ["favourites"], "the property that the error names")
            queue.favourites = [b, a]
            try await db.save(queue)
            queue.favourites.append(a)
            try await expect(.conflict, from: "updating a set with an object twice") { try await db.save(queue) }
            try await db.reload(queue)
            let names = queue.favourites.map { "\($0.id ?? 0)" }
            try expect(names, equals: names.sorted(), "the keys of the set, in order")
            try expect(queue.favourites.count, equals: 2, "the number of objects in the set")
        },
        graph(
            "rel-5.inverse-of-set", "REL-5",
            "Two sides of one join table neither lose nor double links: the side that names it writes them"
        ) { environment in
            let db = try await environment.open()
            try await createChinook(db)
            let lists = try await db.fetch(Chinook.Playlist.self)
            let track = try expect(some: lists[0].tracks.first { $0.name == "b" }, "a track")
            lists[1].tracks.append(track)
            track.playlists.append(lists[1])
            try await db.save(lists)
            try await db.save(track)
            let links: SQLFragment = "SELECT count(*) FROM \(identifier: "PlaylistTrack")"
            try expect(try await db.number(links), equals: 5, "the links after one more")
            track.playlists = []
            try await expect(.unsupported, from: "changing the side that does not write") { try await db.save(track) }
            try expect(try await db.number(links), equals: 5, "the links after a refusal")
            try await expect(.conflict, from: "two properties that write one join table") {
                try await db.save(Chinook.Shelf())
            }
        },
        graph(
            "rel-5.named-positions", "REL-5",
            "migrate makes join tables with declared names and columns, with or without positions, and changes them to nothing"
        ) { environment in
            let db = try await environment.open(Chinook.Queue.self)
            try expect(
                try await db.schemaPlan(for: Chinook.Queue.self).steps.isEmpty, "The plan has steps after a migration.")
            let (a, b) = (Chinook.Track(name: "a"), Chinook.Track(name: "b"))
            let queue = Chinook.Queue(tracks: [b, a, b])
            queue.favourites = [b]
            try await db.save(queue)
            let found = try expect(
                some: try await db.fetch(Chinook.Queue.self, including: ["tracks"]).first, "the queue")
            try expect(found.tracks.map(\.name), equals: ["b", "a", "b"], "the tracks in their order")
            try expect(
                try await db.number("SELECT count(ordinal) FROM queued WHERE queue = \(queue.id ?? 0) AND track > 0"),
                equals: 3, "the rows of the named table")
            found.tracks.remove(at: 1)
            try await db.save(found)
            try expect(
                try await db.number("SELECT count(*) FROM queued"), equals: 2, "the rows after an element is gone")
            try expect(try await db.number("SELECT count(*) FROM queue_favourites"), equals: 1, "the rows of the set")
        },
        graph(
            "rel-5.generated-positions", "REL-5",
            "A join table whose rows have keys from the database keeps order and duplicates; what is appended is inserted"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Chinook.Setlist.self) { probe.attach(to: &$0) }
            let plain = try await environment.open()
            let steps = try await plain.schemaPlan(for: Chinook.Setlist.self).steps
            try expect(steps, equals: [], "the steps afterwards")
            try expect(try await plain.drift(Chinook.Setlist.self), equals: [], "the drift")
            let tracks = ["a", "b", "c", "d"].map { Chinook.Track(name: $0) }
            try await db.save(tracks)
            let lists = [
                Chinook.Setlist(tracks: [tracks[1], tracks[0], tracks[1]]), Chinook.Setlist(tracks: [tracks[2]]),
            ]
            try await db.save(lists)
            let key = try expect(some: lists[0].id, "the key")
            func entries() async throws -> [Int64] {
                try await db.sql("SELECT entry FROM setlist_entry WHERE setlist = \(key) ORDER BY entry").fetch(
                    as: Int64.self)
            }
            let stored = try expect(some: try await db.find(Chinook.Setlist.self, key: key), "the list")
            try expect(stored.tracks.map(\.name), equals: ["b", "a", "b"], "the tracks")
            let list = lists[0]
            // How many rows stay, from the first on.
            for (order, kept) in [
                ([1, 0, 1, 3], 3), ([1, 0, 3], 3), ([1, 3], 2), ([1, 3, 3, 2], 2), ([0, 1, 3, 3, 2], 0), ([], 0),
                ([3, 3, 3], 0), ([3, 3], 2),
            ] as [([Int], Int)] {
                let before = try await entries()
                list.tracks = order.map { tracks[$0] }
                try await db.save(list)
                let found = try expect(some: try await db.find(Chinook.Setlist.self, key: key), "the list")
                try expect(found.tracks.map(\.name), equals: order.map { tracks[$0].name }, "the tracks of \(order)")
                let after = try await entries()
                try expect(Set(before).intersection(after).count, equals: kept, "the rows that stay for \(order)")
                try expect(after.count, equals: order.count, "the rows of \(order)")
            }
            _ = probe.take()
            list.tracks.append(tracks[0])
            try await db.save(list)
            let writes = probe.take().filter { !$0.hasPrefix("SELECT") }
            try expect(writes.count, equals: 1, "the statements that write, where one is appended: \(writes)")
            let other = try await db.query(Chinook.Setlist.self).where { $0.tracks.contains { $0.name == "c" } }.fetch()
            try expect(other.map(\.id), equals: [lists[1].id], "the lists with a track")
            try await db.delete(list)
            try expect(try await db.number("SELECT count(*) FROM setlist_entry"), equals: 1, "the rows of the others")
        },
        graph(
            "rel-5.generated-positions-of-others", "REL-5",
            "A join table of another program, whose rows have keys, is read in their order and written in place"
        ) { environment in
            let db = try await environment.open(Chinook.Track.self)
            let isServer = db.capabilities.hasRoundTrips
            let made: SQLFragment =
                isServer ? "integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY" : "INTEGER PRIMARY KEY AUTOINCREMENT"
            let own: SQLFragment =
                isServer ? "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" : "INTEGER PRIMARY KEY"
            try await db.sql("CREATE TABLE setlist (id \(own))").execute()
            try await db.sql("CREATE TABLE setlist_entry (entry \(made), setlist bigint, track bigint, note text)")
                .execute()
            let tracks = ["a", "b"].map { Chinook.Track(name: $0) }
            try await db.save(tracks)
            try await db.sql("INSERT INTO setlist (id) VALUES (1)").execute()
            let (a, b) = (tracks[0].id ?? 0, tracks[1].id ?? 0)
            for track in [b, a, b] {
                try await db.sql("INSERT INTO setlist_entry (setlist, track, note) VALUES (1, \(track), 'n')").execute()
            }
            let schema = Schema(Chinook.Track.self, adopting: [Chinook.Setlist.self])
            try await db.migrate(schema)
            let list = try expect(some: try await db.find(Chinook.Setlist.self, key: 1), "the list")
            try expect(list.tracks.map(\.name), equals: ["b", "a", "b"], "the tracks")
            list.tracks.append(list.tracks[1])
            list.tracks.remove(at: 1)
            try await db.save(list)
            let again = try expect(some: try await db.find(Chinook.Setlist.self, key: 1), "the list")
            try expect(again.tracks.map(\.name), equals: ["b", "b", "a"], "the tracks after a save")
            try expect(
                try await db.number("SELECT count(*) FROM setlist_entry WHERE note = 'n'"), equals: 2,
                "the rows that were not touched")
        },
    ]

    private static func createChinook(_ db: Database, hasForeignKeys: Bool = true) async throws {
        func id(_ name: String) -> SQLFragment { "\(identifier: name)" }
        let isServer = db.capabilities.hasRoundTrips
        let key: SQLFragment = isServer ? "integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" : "INTEGER PRIMARY KEY"
        for (table, column) in [("Playlist", "PlaylistId"), ("Track", "TrackId")] {
            try await db.sql("CREATE TABLE \(id(table)) (\(id(column)) \(key), \(id("Name")) varchar(120) NOT NULL)")
                .execute()
        }
        func reference(_ table: String, _ column: String) -> SQLFragment {
            hasForeignKeys ? "REFERENCES \(id(table)) (\(id(column)))" : ""
        }
        try await db.sql(
            """
            CREATE TABLE \(id("PlaylistTrack")) (
                \(id("PlaylistId")) integer NOT NULL \(reference("Playlist", "PlaylistId")),
                \(id("TrackId")) integer NOT NULL \(reference("Track", "TrackId")),
                note text, PRIMARY KEY (\(id("PlaylistId")), \(id("TrackId"))))
            """
        ).execute()
        for name in ["one", "two"] {
            try await db.sql("INSERT INTO \(id("Playlist")) (\(id("Name"))) VALUES (\(name))").execute()
        }
        for name in ["a", "b", "c"] {
            try await db.sql("INSERT INTO \(id("Track")) (\(id("Name"))) VALUES (\(name))").execute()
        }
        for (list, track) in [(1, 3), (1, 1), (2, 1), (1, 2)] {
            let note = "n\(track)"
            try await db.sql("INSERT INTO \(id("PlaylistTrack")) VALUES (\(list), \(track), \(note))").execute()
        }
    }
}
