@_spi(Driver) import Holdfast

/// Arrays whose order is declared.
extension ConformanceCase {
    static let rel4Order: [ConformanceCase] = [
        graph(
            "rel-4.declared-order", "REL-4",
            "An array without positions comes in the order that is declared, by whatever way it is loaded"
        ) { environment in
            let db = try await environment.open(Shelving.Rack.self)
            try await saveShelves(db)
            let titles = [["d", "b", "c", "a"], ["e"], []]
            let words = [["Ada", "bee", "cat"], ["cat"], []]
            let all = try await db.fetch(Shelving.Rack.self, including: ["volumes"])
            try expect(all.map { $0.volumes.map(\.title) }, equals: titles, "the books of all shelves")
            try expect(all.map { $0.labels.map(\.word) }, equals: words, "the tags of all shelves")
            let some = try await db.query(Shelving.Rack.self).where { $0.name != "x" }.order(\.id).including(\.volumes)
                .fetch()
            try expect(some.map { $0.volumes.map(\.title) }, equals: titles, "the books of some shelves")
            try expect(some.map { $0.labels.map(\.word) }, equals: words, "the tags of some shelves")
            let tags = try await db.query(Shelving.Label.self).order(\.word).depth(0).fetch()
            try await db.loadRelation(\.racks, of: tags, depth: 1)
            try expect(
                tags.map { $0.racks.map(\.name) }, equals: [["s1"], ["s1"], ["s2", "s1"]], "the shelves of the tags")
            let part = try await db.query(Shelving.Rack.self).order(\.id).depth(0)
                .including(\.volumes) { $0.limit(2) }.including(\.labels) { $0.limit(1) }.fetch()
            try expect(part.map { $0.volumes.map(\.title) }, equals: [["d", "b"], ["e"], []], "the first books")
            try expect(part.map { $0.labels.map(\.word) }, equals: [["Ada"], ["cat"], []], "the first tags")
            let other = try await db.query(Shelving.Rack.self).order(\.id).depth(0)
                .including(\.volumes) { $0.order(\.title).limit(2) }.fetch()
            try expect(other[0].volumes.map(\.title), equals: ["a", "b"], "the first books in another order")
            release(all + some + part + other + tags.flatMap(\.racks))
        },
        graph("rel-4.declared-order-saved", "REL-4", "A save takes no order for a change, and an update is one") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Shelving.Rack.self) { probe.attach(to: &$0) }
            try await saveShelves(db)
            let shelf = try expect(
                some: try await db.query(Shelving.Rack.self).where { $0.name == "s1" }.including(\.volumes).first(),
                "the shelf")
            _ = probe.take()
            try await db.save(shelf)
            try expect(probe.take(), equals: [], "the statements of a save that changes nothing")
            shelf.volumes[0].year = 1
            try await db.save(shelf.volumes[0])
            shelf.labels.append(Shelving.Label("Ant"))
            try await db.save(shelf)
            try await db.reload(shelf)
            try expect(shelf.volumes.map(\.title), equals: ["b", "c", "d", "a"], "the books after a change of one")
            try expect(shelf.labels.map(\.word), equals: ["Ada", "Ant", "bee", "cat"], "the tags with a new one")
            shelf.volumes.removeLast()
            try await db.save(shelf)
            try expect(
                try await db.texts("SELECT title FROM rack_volume WHERE rack_id IS NULL ORDER BY title"),
                equals: ["a", "f"], "the books of no shelf, one of them taken out")
            release([shelf])
        },
        graph(
            "rel-4.declared-order-random", "REL-4",
            "An order that is declared is that of Swift, with nil and equal values, by each way to load several owners"
        ) { environment in
            let db = try await environment.open(Shelving.Rack.self)
            var random = SplitMix64(state: 7)
            let racks = (0..<4).map { Shelving.Rack("r\($0)") }
            let words = (0..<9).map { Shelving.Label("\(Bool.random(using: &random) ? "W" : "w")\($0 % 4)") }
            for rack in racks { rack.labels = words.filter { _ in Bool.random(using: &random) } }
            try await db.save(racks)
            try await db.save(words)
            let volumes = (0..<60).map { _ in
                Shelving.Volume(
                    ["a", "B", "b", "é"].randomElement(using: &random) ?? "",
                    [nil, 1, 2, 3].randomElement(using: &random) ?? nil, in: racks.randomElement(using: &random))
            }
            for volume in volumes { volume.series = volumes.prefix(3).randomElement(using: &random) }
            try await db.save(volumes)
            let expected = racks.map { rack in volumes.filter { $0.rack === rack }.inOrder().map(\.id) }
            let sets = racks.map { rack in
                rack.labels.sorted { ($0.word.lowercased(), $0.id ?? 0) < ($1.word.lowercased(), $1.id ?? 0) }.map(\.id)
            }
            let parts = volumes.prefix(3).map { first in volumes.filter { $0.series === first }.inPartOrder().map(\.id)
            }
            let series = volumes.prefix(3).compactMap(\.id)
            for volume in volumes { (volume.rack, volume.series) = (nil, nil) }
            func check(_ found: [Shelving.Rack], _ way: String) throws {
                let found = found.sorted { $0.name < $1.name }
                try expect(found.map { $0.volumes.map(\.id) }, equals: expected, "the volumes by \(way)")
                try expect(found.map { $0.labels.map(\.id) }, equals: sets, "the labels by \(way)")
                release(found)
            }
            try check(try await db.fetch(Shelving.Rack.self, including: ["volumes.rack"]), "a fetch of all")
            var each: [Shelving.Rack?] = []
            for id in racks.compactMap(\.id) {
                each.append(try await db.find(Shelving.Rack.self, key: id, including: ["volumes"]))
            }
            try check(each.compactMap(\.self), "finds")
            let bare = try await db.query(Shelving.Rack.self).depth(0).fetch()
            try await db.loadRelation(\.volumes, of: bare, depth: 0)
            try await db.loadRelation(\.labels, of: bare, depth: 0)
            try check(bare, "the relation alone")
            var streamed: [Shelving.Rack] = []
            for try await rack in db.query(Shelving.Rack.self).including(\.volumes).stream() { streamed.append(rack) }
            try check(streamed, "a stream")
            let first = try await db.query(Shelving.Volume.self).where { $0.id.in(series) }.order(\.id)
                .including(\.parts).fetch()
            try expect(first.map { $0.parts.map(\.id) }, equals: parts, "objects of the same class")
            for volume in first.flatMap(\.parts) + first { (volume.series, volume.parts) = (nil, []) }
        },
        graph(
            "rel-4.declared-order-refused", "REL-4",
            "An order by what is no value of the objects is refused before anything is made"
        ) { environment in
            try await expect(.conflict, from: "an order by a name that there is not") {
                _ = try await environment.open(Shelving.WrongName.self)
            }
            try await expect(.conflict, from: "an order by a property of another type") {
                _ = try await environment.open(Shelving.WrongType.self)
            }
            try await expect(.conflict, from: "an order by an array") {
                _ = try await environment.open(Shelving.WrongKind.self)
            }
            let db = try await environment.open(Shelving.Rack.self)
            try await expect(.invalidValue, from: "an order of racks by a property of labels") {
                _ = try await db.query(Shelving.Rack.self).order(by: [.ascending(\Shelving.Label.id)]).fetch()
            }
            try await db.save(["b", "a"].map { Shelving.Rack($0) })
            let found = try await db.query(Shelving.Rack.self).order(by: [.ascending(\Shelving.Rack.name)]).fetch()
            try expect(found.map(\.name), equals: ["a", "b"], "the racks by a key path")
        },
    ]

    private static func saveShelves(_ db: Database) async throws {
        let shelves = ["s1", "s2", "s3"].map { Shelving.Rack($0) }
        let tags = ["cat", "Ada", "bee"].map { Shelving.Label($0) }
        (shelves[0].labels, shelves[1].labels) = (tags, [tags[0]])
        let books = [
            Shelving.Volume("a", nil, in: shelves[0]), Shelving.Volume("c", 1999, in: shelves[0]),
            Shelving.Volume("b", 1999, in: shelves[0]), Shelving.Volume("d", 2001, in: shelves[0]),
            Shelving.Volume("e", 1980, in: shelves[1]), Shelving.Volume("f", 1990),
        ]
        try await db.save(shelves)
        try await db.save(books)
        for book in books { book.rack = nil }
        release(shelves)
    }

    private static func release(_ shelves: [Shelving.Rack]) {
        for shelf in shelves {
            for book in shelf.volumes { book.rack = nil }
            for tag in shelf.labels { tag.racks = [] }
            (shelf.volumes, shelf.labels) = ([], [])
        }
    }
}

extension [Shelving.Volume] {
    fileprivate func inOrder() -> [Shelving.Volume] {
        sorted { left, right in
            if left.year != right.year { return (left.year ?? .min) > (right.year ?? .min) }
            if left.title != right.title {
                return left.title.unicodeScalars.lexicographicallyPrecedes(right.title.unicodeScalars)
            }
            return left.id ?? 0 < right.id ?? 0
        }
    }

    fileprivate func inPartOrder() -> [Shelving.Volume] {
        sorted { left, right in
            if left.year != right.year { return (left.year ?? .max) > (right.year ?? .max) }
            return left.id ?? 0 < right.id ?? 0
        }
    }
}
