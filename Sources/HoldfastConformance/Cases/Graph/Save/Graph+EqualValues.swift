import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let graphEqualValues: [ConformanceCase] = [
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
        graph(
            "op-hooks.reached", "OP-HOOKS", "The hooks of what a save reaches and does not write are not called"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Letter.self) { probe.attach(to: &$0) }
            let other = try await environment.open()
            let letter = Letter("one")
            let (ann, bob) = (Correspondent("ANN"), Correspondent("bob"))
            (letter.author, letter.readers) = (ann, [ann, bob])
            try await db.save(letter)
            try expect([ann.saves, bob.saves], equals: [1, 1], "the calls for new objects")
            try expect(ann.email, equals: "ann@example.org", "what the hook set")
            let found = try expect(some: try await db.find(Letter.self, key: letter.id ?? 0), "the letter")
            try await other.sql("UPDATE correspondent SET email = 'Newest@example.org'").execute()
            found.text = "status"
            _ = probe.take()
            try await db.save(found)
            let statements = probe.take().filter { !$0.hasPrefix("SELECT") }
            try expect(
                statements.count == 1 && statements[0].hasPrefix("UPDATE \"letter\""), "The statements: \(statements)")
            try expect(
                try await other.texts("SELECT DISTINCT email FROM correspondent"), equals: ["Newest@example.org"],
                "the addresses that another wrote")
            try expect([ann.saves, bob.saves], equals: [1, 1], "the calls for objects that were only reached")
            // One that is given is hooked, and written if the hook changes it.
            let fresh = try expect(some: try await db.find(Correspondent.self, key: ann.id ?? 0), "ann")
            try await db.save(fresh)
            try expect(fresh.saves == 1 && fresh.email == "newest@example.org", "The given object was not hooked.")
            _ = probe.take()
            try await db.save(fresh)
            try expect(fresh.saves == 2 && probe.take() == [], "A hook that sets what is there is a change.")
        },
        graph(
            "op-hooks.changed-by-others", "OP-HOOKS",
            "An object that another side of a relation changes, or another one's hook, is hooked once and written"
        ) { environment in
            let db = try await environment.open(Household.self, Letter.self)
            let (ann, bob) = (Correspondent("ann"), Correspondent("bob"))
            try await db.save([ann, bob])
            try await db.sql("UPDATE correspondent SET email = upper(email)").execute()
            try await db.reload([ann, bob])
            let house = Household("High Street")
            house.members = [ann]
            try await db.save(house)
            try expect(ann.saves == 2 && ann.home === house, "An object that another side changed was not hooked.")
            try expect(ann.email == "ann@example.org" && !ann.isDirty, "What the hook set was not saved.")
            try expect(bob.saves, equals: 1, "the calls for an object that is not reached")
            house.members.append(bob)
            try await db.save(house)
            try expect([ann.saves, bob.saves], equals: [2, 2], "the calls where an array grew")
            try expect(
                try await db.texts("SELECT DISTINCT email FROM correspondent ORDER BY email"),
                equals: ["ann@example.org", "bob@example.org"], "the addresses")
        },
        graph(
            "op-hooks.concurrent", "OP-HOOKS", "Saves of different objects that lead to the same ones don't meet"
        ) { environment in
            let db = try await environment.open(Letter.self)
            let readers = (0..<8).map { Correspondent("reader\($0)") }
            try await db.save(readers)
            let keys = readers.compactMap(\.id)
            let letters = (0..<200).map { number in
                let letter = Letter("\(number)")
                letter.readers = readers.shuffled()
                return letter
            }
            try await db.save(letters)
            try await db.sql("UPDATE correspondent SET email = upper(email)").execute()
            let letterKeys = letters.compactMap(\.id)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in letterKeys {
                    group.addTask {
                        let letter = try expect(some: try await db.find(Letter.self, key: key), "a letter")
                        letter.text = "read"
                        try await db.save(letter)
                    }
                }
                try await group.waitForAll()
            }
            try expect(
                try await db.number("SELECT count(*) FROM letter WHERE text = 'read' AND version = 1"), equals: 200,
                "the letters that were saved")
            try expect(
                try await db.number("SELECT count(*) FROM correspondent WHERE email <> upper(email)"), equals: 0,
                "the readers that were written")
            try expect(keys.count, equals: 8, "the readers")
        },
    ]

    private struct Weak {
        weak var object: Correspondent?
    }
}
