@_spi(Driver) import Holdfast

/// Objects that are deleted when they are taken out of a relation.
extension ConformanceCase {
    static let rel3Orphans: [ConformanceCase] = [
        graph(
            "rel-3.orphans", "REL-3",
            "What is taken out of a relation that keeps no orphans is deleted with the save, and what it owns with it"
        ) { environment in
            let db = try await environment.open(Parcels.Parcel.self, Note.self)
            let parcel = try await saveParcel("a", in: db)
            let (first, old) = (parcel.lines[0], parcel.lines[1])
            old.parts = []
            let new = Parcels.Line(1)
            new.parts = [Parcels.Part("new")]
            parcel.lines = [parcel.lines[2], new]
            parcel.tag = Parcels.Tag("second")
            try await db.save(parcel)
            try expect(try await lines(db), equals: ["a 1", "a 2"], "the lines")
            try expect(
                try await db.texts("SELECT name FROM parcel_part ORDER BY name"), equals: ["a2", "new"], "the parts")
            try expect(try await db.texts("SELECT text FROM parcel_tag"), equals: ["second"], "the tags")
            try expect(
                try await db.texts("SELECT title FROM note ORDER BY title"),
                equals: ["will delete a0", "will delete a1"], "the hooks")
            let probed = try await db.query(Parcels.Parcel.self).first()
            try await db.save(try expect(some: probed, "the parcel"))
            try expect(try await lines(db), equals: ["a 1", "a 2"], "the lines after a save without them")
            parcel.lines = []
            parcel.tag = nil
            try await db.save(parcel)
            try expect(try await lines(db), equals: [], "the lines of an emptied parcel")
            try expect(try await db.count(Parcels.Part.self), equals: 0, "the parts of an emptied parcel")
            try expect(try await db.count(Parcels.Tag.self), equals: 0, "the tags of an emptied parcel")
            release([parcel], [first, old, new])
        },
        graph(
            "rel-3.orphans-moved", "REL-3",
            "What is given to another owner, or says by itself whose it is, is no orphan"
        ) { environment in
            let db = try await environment.open(Parcels.Parcel.self, Note.self)
            let (one, two) = (try await saveParcel("a", in: db), Parcels.Parcel("b"))
            try await db.save(two)
            let line = one.lines.removeLast()
            two.lines.append(line)
            try await db.save([one, two])
            try expect(try await lines(db), equals: ["a 0", "a 1", "b 2"], "a line that is moved by the arrays")
            let other = one.lines.removeLast()
            other.parcel = two
            try await db.save(one)
            try expect(try await lines(db), equals: ["a 0", "b 2"], "a line that the save does not reach")
            let last = one.lines.removeLast()
            last.parcel = two
            try await db.save(last)
            try await db.save(one)
            try expect(try await lines(db), equals: ["b 0", "b 2"], "a line that is moved before")
            let tag = try expect(some: one.tag, "the tag")
            one.tag = nil
            tag.parcel = nil
            tag.text = "kept"
            try await db.save(tag)
            try await db.save(one)
            try expect(try await db.texts("SELECT text FROM parcel_tag"), equals: ["kept"], "a tag that is detached")
            tag.parcel = one
            try await db.save(tag)
            one.tag = nil
            tag.text = "changed"
            tag.parcel = two
            try await db.save(one)
            tag.parcel = nil
            try expect(try await db.count(Parcels.Tag.self), equals: 0, "a tag that is given away and not saved")
            release([one, two], [line, other, last])
        },
        graph(
            "rel-3.orphans-failure", "REL-3",
            "A save that fails or is rolled back deletes no orphans, and can be repeated"
        ) { environment in
            let db = try await environment.open(Parcels.Parcel.self, Note.self)
            let parcel = try await saveParcel("a", in: db)
            let removed = parcel.lines.removeLast()
            struct Stop: Error {}
            do {
                try await db.transaction { transaction in
                    try await transaction.save(parcel)
                    throw Stop()
                }
            } catch is Stop {}
            try expect(try await lines(db), equals: ["a 0", "a 1", "a 2"], "the lines after a rollback")
            try await db.sql("UPDATE parcel SET version = 7").execute()
            parcel.name = "b"
            try await expect(.staleVersion, from: "an owner that others have changed") { try await db.save(parcel) }
            try expect(try await lines(db), equals: ["a 0", "a 1", "a 2"], "the lines of a stale owner")
            try await db.sql("UPDATE parcel SET version = 0").execute()
            // The version of an orphan is nobody's concern any more, as with delete rules.
            try await db.sql("UPDATE parcel_line SET version = 7 WHERE position = 2").execute()
            try await db.save(parcel)
            try expect(try await lines(db), equals: ["b 0", "b 1"], "the lines after the save was repeated")
            removed.position = 9
            try await expect(.notFound, from: "saving an orphan") { try await db.save(removed, scope: .object) }
            release([parcel], [removed])
        },
        graph(
            "rel-3.orphans-of-others", "REL-3",
            "What others have moved or added meanwhile stays, and so does what was not loaded"
        ) { environment in
            let db = try await environment.open(Parcels.Parcel.self, Note.self)
            let (one, two) = (try await saveParcel("a", in: db), Parcels.Parcel("b"))
            try await db.save(two)
            let removed = Array(one.lines.suffix(2))
            one.lines.removeLast(2)
            try await db.sql("UPDATE parcel_line SET parcel_id = \(two.id ?? 0) WHERE position = 2").execute()
            try await db.sql("INSERT INTO parcel_line (parcel_id, position, version) VALUES (\(one.id ?? 0), 5, 0)")
                .execute()
            try await db.save(one)
            try expect(try await lines(db), equals: ["a 0", "a 5", "b 2"], "the lines")
            let bare = try expect(some: try await db.query(Parcels.Parcel.self).where { $0.name == "a" }.first(), "one")
            bare.name = "c"
            try await db.save(bare)
            try expect(try await lines(db), equals: ["b 2", "c 0", "c 5"], "the lines of what was not loaded")
            try await expect(.conflict, from: "orphans of a join table") {
                _ = try await environment.open(Parcels.Shared.self)
            }
            release([one, two, bare], removed)
        },
        graph(
            "rel-3.orphans-of-batches", "REL-3",
            "What another client has moved from one owner to another stays, though both are saved at once"
        ) { environment in
            let db = try await environment.open(Parcels.Parcel.self, Note.self)
            let (one, two) = (try await saveParcel("a", in: db), try await saveParcel("b", in: db))
            let removed = one.lines.removeLast()
            two.lines.append(Parcels.Line(8))
            try await db.sql(
                "UPDATE parcel_line SET parcel_id = \(two.id ?? 0), position = 7 WHERE id = \(removed.id ?? 0)"
            ).execute()
            try await db.save([one, two])
            try expect(
                try await lines(db), equals: ["a 0", "a 1", "b 0", "b 1", "b 2", "b 7", "b 8"], "the lines")
            release([one, two], [removed])
        },
    ]

    /// A parcel with three lines of one part each, and a tag, and all of it loaded.
    private static func saveParcel(_ name: String, in db: Database) async throws -> Parcels.Parcel {
        let parcel = Parcels.Parcel(name)
        parcel.lines = (0..<3).map { Parcels.Line($0) }
        for line in parcel.lines { line.parts = [Parcels.Part("\(name)\(line.position)")] }
        parcel.tag = Parcels.Tag("first")
        try await db.save(parcel)
        return parcel
    }

    private static func lines(_ db: Database) async throws -> [String] {
        try await db.query(Parcels.Line.self).including(\.parcel).fetch().map { line in
            defer { line.parcel = nil }
            return "\(line.parcel?.name ?? "-") \(line.position)"
        }.sorted()
    }

    private static func release(_ parcels: [Parcels.Parcel], _ lines: [Parcels.Line]) {
        for parcel in parcels {
            for line in parcel.lines + lines {
                for part in line.parts { part.line = nil }
                (line.parts, line.parcel) = ([], nil)
            }
            parcel.tag?.parcel = nil
            (parcel.lines, parcel.tag) = ([], nil)
        }
    }
}
