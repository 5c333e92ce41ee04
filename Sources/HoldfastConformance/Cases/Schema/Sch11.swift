import Foundation
import Holdfast

/// Types whose objects are only read.
extension ConformanceCase {
    static let sch11: [ConformanceCase] = [
        ConformanceCase(
            "sch-11.read", "SCH-11", "Objects of a view are fetched, queried and related, and no migration makes it"
        ) { environment in
            let db = try await environment.open()
            try await Looking.make(db)
            try await db.adopt(Music.Artist.self, Music.Album.self)
            try await db.migrate(Looking.Shelf.self, Looking.AlbumTitle.self, Looking.Title.self)
            try expect(
                try await db.migrate(Looking.Shelf.self, Looking.AlbumTitle.self).steps, equals: [],
                "the steps of a second time")
            let titles = try await db.fetch(Looking.AlbumTitle.self)
            try expect(titles.map(\.title), equals: ["For Those", "Balls"], "the titles")
            try expect(titles.map { $0.artist?.name }, equals: ["AC/DC", "Accept"], "their artists")
            let query = db.query(Looking.AlbumTitle.self)
            try expect(
                try await query.where { $0.artist.name == "Accept" }.fetch().map(\.id), equals: [2],
                "those of an artist")
            try expect(try await query.where { $0.title.hasPrefix("B") }.count(), equals: 1, "the number of some")
            try expect(try await db.find(Looking.Title.self, key: 1)?.title, equals: "For Those", "a title")

            let shelf = Looking.Shelf("a")
            shelf.first = titles[1]
            shelf.best = Looking.Title(id: 1, title: "unwritten")
            shelf.titles = titles.reversed()
            try await db.save(shelf)
            let found = try expect(some: try await db.query(Looking.Shelf.self).first(), "the shelf")
            try expect(found.first?.title, equals: "Balls", "what it leads to")
            try expect(found.best?.title, equals: "For Those", "what it leads to")
            try expect(found.titles.map(\.id), equals: [2, 1], "its titles in order")
            try expect(
                try await db.query(Looking.Shelf.self).where { $0.first.title == "Balls" }.count(), equals: 1,
                "those that lead to a title")
            found.titles = [found.titles[1]]
            try await db.save(found)
            try await db.delete(found)
            try expect(try await db.count(Looking.AlbumTitle.self), equals: 2, "the rows of the view")
        },
        ConformanceCase(
            "sch-11.refused", "SCH-11",
            "Nothing of a type that is only read is written, and that is said before anything is"
        ) { environment in
            let db = try await environment.open()
            try await Looking.make(db)
            try await db.migrate(Schema(Looking.Shelf.self, adopting: [Music.Artist.self, Music.Album.self]))
            let title = try expect(some: try await db.find(Looking.AlbumTitle.self, key: 1), "a title")
            var value = Looking.Title(id: 1, title: "other")
            let new = Looking.AlbumTitle(id: 7, title: "new")
            let query = db.query(Looking.Title.self)
            func refused(_ what: String, _ operation: nonisolated(nonsending) () async throws -> Void) async throws {
                let error = try await expect(.readOnly, from: what, operation)
                try expect(error.table, equals: "album_title", "the table of the error of \(what)")
            }
            try await refused("saving it") { try await db.save(title) }
            try await refused("saving a value") { _ = try await db.save(value) }
            try await refused("saving a value in place") { try await db.save(&value) }
            try await refused("saving several") { _ = try await db.save([value, value]) }
            try await refused("inserting") { try await db.insert(new) }
            try await refused("updating") { try await db.update(title) }
            try await refused("an upsert") { try await db.upsert(title) }
            try await refused("deleting") { try await db.delete(title) }
            try await refused("deleting several") { try await db.delete([value, value]) }
            try await refused("deleting all") { try await db.deleteAll(Looking.Title.self) }
            try await refused("a deletion by a query") { try await query.where { $0.id == 1 }.delete() }
            try await refused("an update by a query") { try await query.update { $0.title.set("x") } }
            let shelf = Looking.Shelf("a")
            shelf.first = new
            try await refused("saving what leads to a new one") { try await db.save(shelf) }
            title.title = "changed"
            shelf.first = title
            try await refused("saving what leads to a changed one") { try await db.save(shelf) }
            try expect(try await db.count(Looking.Shelf.self), equals: 0, "the rows saved")
            try expect(try await db.find(Looking.Title.self, key: 1)?.title, equals: "For Those", "the row")
        },
    ]
}
