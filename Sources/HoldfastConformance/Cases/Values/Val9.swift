import Holdfast

/// Objects that are left out for what they lack.
extension ConformanceCase {
    static let val9: [ConformanceCase] = [
        ConformanceCase(
            "val-9.own-columns", "VAL-9", "An object that lacks a value is left out of every result, and its row stays"
        ) { environment in
            let db = try await environment.open(Writer.self)
            try await db.save((0..<10).map { Writer($0 % 2 == 0 ? nil : "\($0)", rank: $0) })
            let query = db.query(Writer.self)
            try expect(try await db.fetch(Writer.self).map(\.rank), equals: [1, 3, 5, 7, 9], "all objects")
            try expect(try await query.fetch().map(\.rank), equals: [1, 3, 5, 7, 9], "the objects of a query")
            try expect(try await query.first()?.rank, equals: 1, "the first")
            try expect(
                try await query.order { $0.rank.ascending }.limit(2).offset(1).fetch().map(\.rank), equals: [3, 5],
                "some in the middle")
            try expect(try await query.count(), equals: 5, "the number of objects of a query")
            try expect(try await db.count(Writer.self), equals: 5, "the number of all objects")
            try expect(try await query.keys().count, equals: 5, "the number of keys")
            try expect(try await !query.where { $0.rank == 4 }.exists(), "One that is left out exists.")
            try expect(
                try await query.where { $0.rank > 3 || $0.rank == 2 }.count(), equals: 3, "a condition beside it")
            var streamed: [Int] = []
            for try await writer in query.stream() { streamed.append(writer.rank) }
            try expect(streamed, equals: [1, 3, 5, 7, 9], "a stream")
            let page = try await query.order { $0.rank.ascending }.page(size: 2)
            try expect(page.objects.map(\.rank), equals: [1, 3], "a page")
            let paged = try await pages(of: query.order { $0.rank.ascending }, size: 2).map(\.rank)
            try expect(paged, equals: [1, 3, 5, 7, 9], "all pages")
            let keys = try await query.select { ($0.id, $0.name) }.fetch()
            try expect(keys.count, equals: 10, "the rows that values are read of")
            for (key, name) in keys {
                let found = try await db.find(Writer.self, key: key ?? 0)
                try expect(found?.name, equals: name, "one object")
            }
            let part = try await query.properties(\.rank).fetch()
            try expect(part.map(\.rank), equals: [1, 3, 5, 7, 9], "objects with some properties")
        },
        ConformanceCase(
            "val-9.changed-columns", "VAL-9",
            "An object is left out once it lacks a value, and updates and deletions by a query see its row"
        ) { environment in
            let db = try await environment.open(Writer.self)
            try await db.save((0..<10).map { Writer($0 % 2 == 0 ? nil : "\($0)", rank: $0) })
            let query = db.query(Writer.self)
            let writer = try expect(some: try await query.first(), "a writer")
            writer.name = nil
            try await db.save(writer)
            try expect(try await query.count(), equals: 4, "the objects once one more lacks its name")
            try await db.reload(writer)
            writer.name = "again"
            try await db.save(writer)
            try expect(try await query.count(), equals: 5, "the objects once it has one")
            try expect(
                try await query.update { $0.rank += 1 }, equals: 10, "the rows that an update by a query changes")
            try expect(try await query.delete(), equals: 10, "the rows that a deletion by a query deletes")
        },
        ConformanceCase(
            "val-9.ancestors", "VAL-9", "Whoever refers to an object that is left out is left out, however far away"
        ) { environment in
            let db = try await environment.open(Library.self)
            let (known, unknown) = (Writer("known"), Writer(nil))
            let (good, bad, free) = (Volume("good", known), Volume("bad", unknown), Volume("free"))
            let shelf = Shelf("shelf", [good, bad, free])
            let libraries = [
                Library("whole", best: [good, free], shelf: shelf), Library("part", best: [good, bad], shelf: shelf),
                Library("none", best: [], shelf: shelf), Library("bare", best: [good], shelf: nil),
                Library("unlabeled", best: [good], shelf: Shelf("other", [], labels: [])),
            ]
            try await db.save(libraries)
            try expect(try await db.fetch(Volume.self).map(\.title), equals: ["good", "free"], "the volumes")
            try expect(try await db.query(Volume.self).count(), equals: 2, "the number of volumes")
            try expect(try await db.fetch(Shelf.self).map(\.name), equals: ["shelf"], "the shelves")
            try expect(try await db.query(Shelf.self).count(), equals: 1, "the number of shelves")
            try expect(try await db.fetch(Library.self).map(\.name), equals: ["whole"], "the libraries")
            try expect(try await db.query(Library.self).fetch().map(\.name), equals: ["whole"], "those of a query")
            try expect(try await db.query(Library.self).count(), equals: 1, "the number of libraries")
            let first = try await db.query(Library.self).order { $0.name.ascending }.first()
            try expect(first?.name, equals: "whole", "the first library")
            let stored = try expect(some: first?.shelf, "its shelf")
            try expect(stored.volumes.map(\.title), equals: ["good", "free"], "the volumes of the shelf")
            try expect(stored.libraries.map(\.name), equals: ["whole"], "the libraries of the shelf")
            try expect(
                try await db.find(Volume.self, key: bad.id ?? 0) == nil, "A volume of nobody's was found.")
            try await db.reload(bad)
            try expect(bad.title, equals: "bad", "an object that is there already")
        },
        ConformanceCase(
            "val-9.nothing-lost", "VAL-9", "What is left out of an array or a reference is not lost by a save"
        ) { environment in
            let db = try await environment.open(Shelf.self, Library.self)
            let shelf = Shelf("shelf", [Volume("a", Writer("w")), Volume("b", Writer(nil)), Volume("c")])
            try await db.save(shelf)
            let stored = try await db.query(Shelf.self).one()
            try expect(stored.volumes.map(\.title), equals: ["a", "c"], "the volumes")
            stored.name = "renamed"
            try await db.save(stored)
            try expect(try await db.number("SELECT count(*) FROM shelf_volumes"), equals: 3, "the links after a save")
            stored.volumes.append(Volume("d"))
            try await expect(.notLoaded, from: "a save of an array that leaves something out") {
                try await db.save(stored)
            }
            try await db.loadRelation(\.volumes, of: stored)
            stored.volumes.append(Volume("d"))
            try await expect(.notLoaded, from: "a save of an array that leaves something out though it was loaded") {
                try await db.save(stored)
            }
            try expect(try await db.number("SELECT count(*) FROM shelf_volumes"), equals: 3, "the links after errors")
            let library = Library("l", best: [Volume("e")], shelf: shelf)
            try await db.save(library)
            let again = try await db.query(Shelf.self).one()
            again.libraries = again.libraries
            try await db.save(again)
            try expect(
                try await db.query(Library.self).count(), equals: 1, "the libraries after a save of the other side")
        },
        ConformanceCase(
            "val-9.cycles", "VAL-9", "Objects that refer to each other are left out with one of them"
        ) { environment in
            let db = try await environment.open(Writer.self)
            let writers = (0..<6).map { Writer("\($0)", rank: $0) }
            for index in 0..<5 { writers[index].teacher = writers[index + 1] }
            writers[2].name = nil
            try await db.save(writers)
            try expect(try await db.fetch(Writer.self).map(\.rank).sorted(), equals: [3, 4, 5], "a chain")
            writers[5].teacher = writers[3]
            try await db.save(writers)
            try expect(try await db.fetch(Writer.self).map(\.rank).sorted(), equals: [3, 4, 5], "a cycle")
            let query = db.query(Writer.self).order { $0.rank.ascending }
            try expect(try await query.first()?.rank, equals: 3, "the first after those that are left out in memory")
            try expect(try await query.where { $0.rank < 4 }.one().rank, equals: 3, "the only one")
            let paged = try await pages(of: query, size: 1).map(\.rank)
            try expect(paged, equals: [3, 4, 5], "pages of which some are empty")
            writers[4].name = nil
            try await db.save(writers)
            try expect(try await db.fetch(Writer.self).count, equals: 0, "a cycle of which one is left out")
        },
        ConformanceCase(
            "val-9.on-demand", "VAL-9",
            "Pages and the first object pass over what is left out for a relation that was asked for"
        ) { environment in
            let db = try await environment.open(Leaflet.self)
            let (known, unknown) = (Writer("known"), Writer(nil))
            try await db.save((0..<12).map { Leaflet($0, $0 % 3 == 2 ? known : unknown) })
            let query = db.query(Leaflet.self).order { $0.number.ascending }
            try expect(try await query.fetch().count, equals: 12, "the leaflets, without their writers")
            let whole = query.including(["writer"])
            try expect(try await whole.fetch().map(\.number), equals: [2, 5, 8, 11], "the leaflets with their writers")
            try expect(try await whole.first()?.number, equals: 2, "the first")
            try expect(try await whole.where { $0.number > 8 }.one().number, equals: 11, "the only one")
            try expect(try await whole.where { $0.number < 2 }.first() == nil, "One that is left out is the first.")
            let paged = try await pages(of: whole, size: 5).map(\.number)
            try expect(paged, equals: [2, 5, 8, 11], "all pages")
        },
        ConformanceCase(
            "val-9.array-of-its-own", "VAL-9", "An array of objects of its owner's type leaves out what lacks something"
        ) { environment in
            let db = try await environment.open(Writer.self)
            let ann = Writer("Ann")
            ann.friends = [Writer("Bob"), Writer(nil), Writer("Cleo"), ann]
            try await db.save(ann)
            let stored = try expect(some: try await db.find(Writer.self, key: ann.id ?? 0), "Ann")
            try expect(stored.friends.map(\.name), equals: ["Bob", "Cleo", "Ann"], "her friends")
            stored.rank = 1
            try await db.save(stored)
            try expect(try await db.number("SELECT count(*) FROM writer_friends"), equals: 4, "the links after a save")
        },
        ConformanceCase(
            "val-9.given", "VAL-9", "An object that is there already is reloaded, unless what it needs is left out"
        ) { environment in
            let db = try await environment.open(Preface.self, Relic.self)
            let writer = Writer("w")
            let preface = Preface(writer)
            try await db.save(preface)
            try await db.sql("UPDATE writer SET name = NULL").execute()
            try await expect(.notFound, from: "a reload of an object whose author is left out") {
                try await db.reload(preface)
            }
            try expect(preface.author === writer, "The object was changed.")
            try expect(try await db.fetch(Preface.self).isEmpty, "An object whose author is left out was fetched.")
            try await db.save([Relic("a"), Relic(nil)])
            try expect(
                try await db.query(Relic.self).delete(), equals: 2,
                "the rows that a deletion by a query with hooks deletes")
        },
        ConformanceCase(
            "val-9.structs", "VAL-9",
            "A struct is left out with what it holds, since it can't remember that it lacks some"
        ) { environment in
            let db = try await environment.open(Kit.self)
            _ = try await db.save([
                Kit(id: 1, parts: [Part(id: 1, name: "a"), Part(id: 2, name: "b")]), Kit(id: 2),
                Kit(id: 3, parts: [Part(id: 3, name: "c"), Part(id: 4)]),
            ])
            try expect(try await db.fetch(Part.self).map(\.id), equals: [1, 2, 3], "the parts")
            try expect(try await db.fetch(Kit.self).map(\.id), equals: [1, 2], "the kits")
            try expect(try await db.query(Kit.self).count(), equals: 2, "the number of kits")
            try expect(try await db.find(Kit.self, key: 3) == nil, "A kit that lacks a part was found.")
        },
    ]

    /// The objects of all pages; of twenty, if there seems to be no end.
    private static func pages<Model>(of query: Query<Model>, size: Int) async throws -> [Model] {
        var objects: [Model] = []
        var cursor: PageCursor?
        for _ in 0..<20 {
            let page = try await query.page(size: size, after: cursor)
            objects += page.objects
            cursor = page.next
            if cursor == nil { break }
        }
        return objects
    }
}
