import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let opEqualGraphs: [ConformanceCase] = [
        graph(
            "op-equal.arrays", "OP-EQUAL", "An array that is set to an equal one keeps what another client appended"
        ) { environment in
            let (db, other) = (try await environment.open(Letter.self), try await environment.open())
            let new = Letter("one")
            (new.tags, new.notes, new.marks, new.words) = (["a", "b"], [], [1, 2], ["x": 1])
            (new.details.topics, new.readers) = (["t"], [Correspondent("ann"), Correspondent("bob")])
            try await db.save(new)
            let key = try expect(some: new.id, "the key")
            let found = try expect(some: try await db.find(Letter.self, key: key), "the letter")
            for (letter, what) in [(new, "a saved one"), (found, "a fetched one")] {
                let theirs = try expect(some: try await other.find(Letter.self, key: key), "the letter")
                let (count, before) = (theirs.tags.count, theirs.version)
                theirs.tags.append("theirs")
                try await other.save(theirs)
                (letter.tags, letter.notes, letter.marks) = (["a", "b"], [], [1, 2])
                (letter.words, letter.details) = (["x": 1], Letter.Details(topics: ["t"]))
                letter.readers = letter.readers.reversed().reversed()
                letter.tags.append("mine")
                letter.tags.removeLast()
                letter.details.topics.append("mine")
                letter.details.topics.removeLast()
                try expect(!letter.isDirty, "Equal arrays of \(what) are a change.")
                try await db.save(letter)
                let after = try expect(some: try await other.find(Letter.self, key: key), "the letter")
                try expect(after.tags.count, equals: count + 1, "the tags beside \(what)")
                try expect(after.version, equals: before + 1, "the version beside \(what)")
            }
            try await db.reload(found)
            for change: (Letter) -> Void in [
                { $0.tags.append("mine") }, { $0.tags.reverse() }, { $0.notes = nil }, { $0.marks.append(3) },
                { $0.marks = [] }, { $0.words["x"] = 2 }, { $0.details.topics = [] }, { $0.readers.swapAt(0, 1) },
                { $0.readers.append($0.readers[0]) }, { $0.readers = [] }, { $0.tags = [] },
            ] {
                let before = found.version
                change(found)
                try expect(found.isDirty, "A change is none.")
                try await db.save(found)
                try expect(found.version, equals: before + 1, "the version after a change")
                let same = try expect(some: try await other.find(Letter.self, key: key), "the letter")
                try expect(
                    same.tags == found.tags && same.notes == found.notes && same.marks == found.marks
                        && same.words == found.words && same.details == found.details
                        && same.readers.map(\.name) == found.readers.map(\.name), "A change was not saved.")
            }
        },
        graph(
            "op-equal.deleted", "OP-EQUAL",
            "What was deleted, inserted again and put where it was is stored there again"
        ) { environment in
            let db = try await environment.open(Panel.self, Employee.self)
            for isDeletedByQuery in [false, true] {
                let (one, other, panel) = (Employee("one"), Employee("other"), Panel("panel"))
                (panel.members, panel.deputies, other.spouse) = ([one], [one, other], one)
                try await db.save(panel)
                if isDeletedByQuery {
                    let key = try expect(some: one.id, "the key")
                    try await db.query(Employee.self).where { $0.id == key }.delete()
                    _ = try await db.sql("INSERT INTO employee (id, name) VALUES (\(key), 'one')").execute()
                } else {
                    (panel.members, panel.deputies, other.spouse) = ([], [other], nil)
                    try await db.delete(one)
                    try await db.save(one)
                }
                (panel.members, panel.deputies, other.spouse) = ([one], [one, other], one)
                try await db.save(panel)
                let key = try expect(some: panel.id, "the key")
                let found = try expect(some: try await db.find(Panel.self, key: key), "the panel")
                try expect(found.members.map(\.name), equals: ["one"], "the members")
                try expect(found.deputies?.map(\.name), equals: ["one", "other"], "the deputies")
                try expect(found.deputies?.last?.spouse?.name, equals: "one", "the spouse")
                for person in [other, found.deputies?.last].compactMap(\.self) { person.spouse = nil }
            }
        },
        graph(
            "op-equal.relations", "OP-EQUAL",
            "A relation that is set to the same object, or to another instance of its row, is no change"
        ) { environment in
            let (db, other) = (try await environment.open(Letter.self), try await environment.open())
            let letter = Letter("one")
            let (ann, bob) = (Correspondent("ann"), Correspondent("bob"))
            (letter.author, letter.readers) = (ann, [ann, bob])
            try await db.save(letter)
            let modified = letter.modifiedAt
            let cleo = Correspondent("cleo")
            try await db.save(cleo)
            func author() async throws -> Int { try await other.number("SELECT author_id FROM letter") }
            try await other.sql("UPDATE letter SET author_id = \(cleo.id ?? 0)").execute()
            let annAgain = try expect(some: try await db.find(Correspondent.self, key: ann.id ?? 0), "ann")
            letter.author = ann
            letter.readers = [ann, bob]
            try await db.save(letter)
            (letter.author, letter.readers) = (nil, [])
            (letter.author, letter.readers) = (annAgain, [annAgain, bob])
            try expect(!letter.isDirty, "Another instance of a row is a change.")
            try await db.save(letter)
            try expect(letter.version == 0 && letter.modifiedAt == modified, "An equal relation was written.")
            try expect(try await author(), equals: Int(cleo.id ?? 0), "the author that another set")
            letter.readers = [bob, annAgain]
            try await db.save(letter)
            try expect(letter.version, equals: 1, "the version after an array was reordered")
            try expect(try await author(), equals: Int(cleo.id ?? 0), "the author that another set")
            letter.author = bob
            try await db.save(letter)
            try expect(try await author(), equals: Int(bob.id ?? 0), "the author")
            letter.author = Correspondent("dan")
            try expect(letter.isDirty, "A new object is no change.")
            try await db.save(letter)
            let same = try expect(some: try await other.find(Letter.self, key: letter.id ?? 0), "the letter")
            try expect(same.author?.name, equals: "dan", "the author")
        },
        graph(
            "op-equal.objects-are-let-go", "OP-EQUAL", "What an object no longer holds is not kept by it"
        ) { environment in
            let db = try await environment.open(Letter.self)
            let new = Letter("one")
            (new.author, new.readers) = (Correspondent("ann"), [Correspondent("bob")])
            try await db.save(new)
            for letter in [new, try expect(some: try await db.find(Letter.self, key: new.id ?? 0), "the letter")] {
                let (author, reader) = (Weak(object: letter.author), Weak(object: letter.readers.first))
                try expect(author.object != nil && reader.object != nil, "The letter holds nobody.")
                (letter.author, letter.readers) = (nil, [])
                try expect(author.object == nil && reader.object == nil, "The letter keeps what it does not hold.")
            }
        },
        graph(
            "op-equal.not-loaded", "OP-EQUAL", "What was not loaded is not compared with what stands in its place"
        ) { environment in
            let db = try await environment.open(Letter.self)
            let letter = Letter("one")
            (letter.drafts, letter.tags) = ([Correspondent("ann")], ["a"])
            try await db.save(letter)
            let found = try expect(some: try await db.find(Letter.self, key: letter.id ?? 0), "the letter")
            found.drafts = []
            try await expect(.notLoaded, from: "a relation that was emptied before it was loaded") {
                try await db.save(found)
            }
            try await db.loadRelation(\.drafts, of: found)
            try expect(found.drafts.count == 1 && !found.isDirty, "The relation is not what was loaded.")
            found.drafts = found.drafts + []
            try expect(!found.isDirty, "What was loaded later is a change.")
            found.drafts = []
            try await db.save(found)
            try expect(try await db.number("SELECT count(*) FROM letter_drafts"), equals: 0, "the links")
            let some = try await db.query(Letter.self).properties(\.subject).one()
            some.text = ""
            try await expect(.notLoaded, from: "a property that was set and not loaded") { try await db.save(some) }
        },
    ]

    private struct Weak {
        weak var object: Correspondent?
    }
}
