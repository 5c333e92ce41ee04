import Foundation
import Holdfast

extension ConformanceCase {
    static let opSave: [ConformanceCase] = [
        ConformanceCase(
            "op-save.inserts-and-updates",
            "OP-SAVE",
            "save inserts a new object and sets its key, updates one that was saved, and a fetch reads both back"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("first", body: "text", rank: 3, code: "a")
            try await db.save(note)
            let id = try expect(some: note.id, "the key after the insert")
            try expect(!note.isDirty, "A saved object is dirty.")
            note.title = "second"
            note.body = nil
            try await db.save(note)
            try expect(note.id, equals: id, "the key after the update")
            let same = try expect(some: try await db.find(Note.self, key: id), "the object found by its key")
            try expect([same.title, same.code], equals: ["second", "a"], "what was read back")
            try expect(same.body, equals: nil, "the body that was set to nil")
            try expect(same.rank, equals: 3, "the rank")
            try expect(try await db.count(Note.self), equals: 1, "the number of objects")
        },
        ConformanceCase(
            "op-save.only-what-changed",
            "OP-SAVE",
            "save writes only what changed: what another program wrote into other columns stays"
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            let note = Note("mine", body: "mine", rank: 1)
            try await db.save(note)
            try await other.sql("UPDATE \(Note.self) SET body = 'theirs', rank = 2").execute()
            note.title = "changed"
            try await db.save(note)
            let same = try expect(some: try await other.find(Note.self, key: note.id ?? 0), "the row")
            try expect([same.title, same.body], equals: ["changed", "theirs"], "the texts in the row")
            try expect(same.rank, equals: 2, "the rank that another program wrote")
        },
        ConformanceCase(
            "op-save.nothing-changed",
            "OP-SAVE",
            "Saving an object that did not change sends nothing"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("mine")
            try await db.save(note)
            try await db.sql("DELETE FROM \(Note.self)").execute()
            try await db.save(note)
            try await db.update(note)
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "op-save.row-is-gone",
            "OP-SAVE",
            "Saving or updating an object whose row is gone throws, and leaves it as it was"
        ) { environment in
            let db = try await environment.open(Note.self, Numbered.self)
            let note = Note("a")
            try await db.save(note)
            try await db.sql("DELETE FROM \(Note.self)").execute()
            note.title = "b"
            try await expect(.notFound, from: "saving it") { try await db.save(note) }
            try await expect(.notFound, from: "updating it") { try await db.update(note) }
            try expect(note.title, equals: "b", "the title in the object")
            try expect(note.isDirty, "An object that could not be saved is no longer dirty.")
            try await expect(.notFound, from: "updating an object that never had a row") {
                try await db.update(Numbered(7, "never"))
            }
            try await expect(.notFound, from: "updating an object without a key") { try await db.update(Note()) }
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "op-save.key-exists",
            "OP-SAVE",
            "Inserting a key that exists throws, and the row and the object are as before"
        ) { environment in
            let db = try await environment.open(Numbered.self, Named.self, Note.self)
            try await db.insert(Numbered(1, "first"))
            let second = Numbered(1, "second")
            let error = try await expect(.uniqueViolation, from: "inserting the key again") {
                try await db.insert(second)
            }
            try expect(error.table, equals: "numbered", "the table that the error names")
            try expect(error.properties, equals: ["number"], "the property that the error names")
            try await expect(.uniqueViolation, from: "saving a new object with the key") { try await db.save(second) }
            try expect(second.isDirty, "An object that could not be saved is not dirty.")
            try expect(try await db.fetch(Numbered.self).map(\.title), equals: ["first"], "the row")
            _ = try await db.insert(Named(name: "a", number: 1))
            try await expect(.uniqueViolation, from: "inserting a struct again") {
                _ = try await db.insert(Named(name: "a", number: 2))
            }
            let replaced = try await db.save(Named(name: "a", number: 3))
            try expect(try await db.fetch(Named.self), equals: [replaced], "the row after a struct was saved over it")
            try await db.save(Note("x", code: "taken"))
            let note = Note("y", code: "taken")
            let violation = try await expect(.uniqueViolation, from: "a unique property") { try await db.save(note) }
            try expect(violation.properties, equals: ["code"], "the property that the error names")
            try expect(note.id, equals: nil, "the key of the object that could not be inserted")
            note.code = "free"
            try await db.save(note)
            try expect(try await db.count(Note.self), equals: 2, "the number of notes")
        },
        ConformanceCase(
            "op-save.key-was-changed",
            "OP-SAVE",
            "Changing the key of a saved object is refused, not turned into another row"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = [Note("a"), Note("b")]
            try await db.save(notes)
            notes[0].id = notes[1].id
            notes[0].title = "c"
            try await expect(.conflict, from: "saving it") { try await db.save(notes[0]) }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["a", "b"], "the rows")
        },
        ConformanceCase(
            "op-save.insert-again",
            "OP-SAVE",
            "An object that was deleted is new again: saving it inserts it"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            let object = Numbered(3, "kept")
            try await db.save(object)
            try expect(try await db.delete(object), equals: 1, "the number of rows deleted")
            try expect(try await db.delete(object), equals: 0, "the number of rows deleted the second time")
            try await db.save(object)
            try expect(try await db.find(Numbered.self, key: 3)?.title, equals: "kept", "the row")
        },
        ConformanceCase(
            "op-save.make-dirty",
            "OP-SAVE",
            "After makeDirty a save writes every property, whoever changed its column"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("mine", body: "mine", rank: 1)
            try await db.save(note)
            try await db.sql("UPDATE \(Note.self) SET body = 'theirs', rank = 2, title = 'theirs'").execute()
            note.makeDirty()
            do {
                try await db.save(note)
            } catch let error as DatabaseError where error.code == .conflict {
                throw ExpectationFailure("makeDirty counts as a change of the key.", #fileID, #line)
            }
            let same = try expect(some: try await db.find(Note.self, key: note.id ?? 0), "the row")
            try expect([same.title, same.body], equals: ["mine", "mine"], "the texts in the row")
            try expect(same.rank, equals: 1, "the rank in the row")
        },
        ConformanceCase(
            "op-save.structs",
            "OP-SAVE",
            "A struct is saved whole, and every operation returns or sets what was saved"
        ) { environment in
            let db = try await environment.open(Named.self, StampedValue.self)
            var named = try await db.save(Named(name: "a", number: 1))
            named.number = 2
            try expect(try await db.update(named), equals: named, "what update returned")
            named.number = 3
            try await db.save(&named)
            try expect(try await db.find(Named.self, key: "a"), equals: named, "the row")
            var several = [Named(name: "b", number: 1), named, Named(name: "c", number: 1)]
            several[1].number = 9
            try await db.save(&several)
            try expect(try await db.fetch(Named.self).map(\.number), equals: [9, 1, 1], "the rows of several")
            several[0].number = 5
            try expect(try await db.update(several), equals: several, "what update of several returned")
            try await expect(.notFound, from: "updating a struct without a row") {
                _ = try await db.update(Named(name: "absent"))
            }
            try await db.sql("UPDATE \(Named.self) SET number = 100").execute()
            try await db.reload(&named)
            try expect(named.number, equals: 100, "the struct that was reloaded")
            try expect(
                try await db.reload(several).map(\.number),
                equals: [100, 100, 100],
                "the structs that were reloaded"
            )
            try expect(try await db.delete(several), equals: 3, "the number of rows deleted")

            var stamped = StampedValue(id: 1, text: "a")
            try await db.save(&stamped)
            try expect(
                stamped.createdAt != nil && stamped.modifiedAt != nil,
                "A struct that was saved lacks its timestamps."
            )
        },
        ConformanceCase(
            "op-save.rolled-back-struct",
            "OP-SAVE",
            "A struct is a value: a rollback leaves it as the save returned it"
        ) { environment in
            let db = try await environment.open(Named.self)
            var kept = Named(name: "a", number: 1)
            try await expect(.conflict, from: "the transaction") {
                try await db.transaction { tx in
                    kept = try await tx.save(Named(name: "a", number: 2))
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            try expect(kept.number, equals: 2, "the struct")
            try expect(try await db.count(Named.self), equals: 0, "the number of rows")
            _ = try await db.save(kept)
            try expect(try await db.fetch(Named.self), equals: [kept], "the rows after it was saved again")
        },
        ConformanceCase(
            "op-save.mapped-by-hand",
            "OP-SAVE",
            "A type that is mapped by hand works in every operation"
        ) { environment in
            let db = try await environment.open(Handmade.self, Untracked.self)
            var one = Handmade(code: "a", size: nil, parts: ["x", "y"])
            one = try await db.insert(one)
            one.size = 4
            one.parts.reverse()
            _ = try await db.save(one)
            try expect(try await db.find(Handmade.self, key: "a"), equals: one, "the row")
            try await db.sql("UPDATE \(Handmade.self) SET extent = 5").execute()
            try expect(try await db.reload(one).size, equals: 5, "the struct that was reloaded")
            try expect(try await db.delete(one), equals: 1, "the number of rows deleted")

            let untracked = Untracked(name: "a")
            try await db.save(untracked)
            let key = try expect(some: untracked.id, "the key of a class that is not tracked")
            untracked.name = "b"
            try await db.save(untracked)
            try await db.save(untracked)
            try expect(try await db.fetch(Untracked.self).map(\.name), equals: ["b"], "the rows of the class")
            try expect(try await db.find(Untracked.self, key: key)?.id, equals: key, "its key")
        },
        ConformanceCase(
            "op-save.contradictory-mapping",
            "OP-SAVE",
            "A mapping that contradicts itself is refused by every operation"
        ) { environment in
            let db = try await environment.open()
            try await expect(.conflict, from: "migrating") { try await db.migrate(Contradictory.self) }
            try await expect(.conflict, from: "saving") { _ = try await db.save(Contradictory()) }
            try await expect(.conflict, from: "fetching") { _ = try await db.fetch(Contradictory.self) }
            try await expect(.conflict, from: "counting") { _ = try await db.count(Contradictory.self) }
            try await expect(.conflict, from: "deleting") { try await db.deleteAll(Contradictory.self) }
        },
        ConformanceCase(
            "op-save.inserted-once",
            "OP-SAVE",
            "Two saves of one new object at the same time insert it once"
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self)
            for round in 0..<10 { try await saveTwice(db, round) }
            try expect(try await db.count(Note.self), equals: 10, "the number of notes")
            try expect(try await db.count(Tagged.self), equals: 10, "the number of tagged objects")
        },
        ConformanceCase(
            "op-save.changed-while-suspended",
            "OP-SAVE",
            "A property that is changed while its save is suspended stays dirty"
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            // Twice: the first time its statement has to be prepared.
            for _ in 0..<2 { try await changeWhileSaving(db, other) }
        },
    ]

    @SuiteActor
    private static func saveTwice(_ db: Database, _ round: Int) async throws {
        let note = Note("note \(round)")
        let tagged = Tagged("tagged \(round)", tags: ["a"])
        let tasks = (0..<3).map { _ in
            Task { @SuiteActor in
                try await db.save(note)
                try await db.save([tagged])
            }
        }
        for task in tasks { try await task.value }
        try expect(note.id != nil && !note.isDirty, "An object that was saved twice is not a saved one.")
    }

    /// Saves an object while another transaction keeps the save waiting, and changes it meanwhile.
    @SuiteActor
    private static func changeWhileSaving(_ db: Database, _ other: Database) async throws {
        let note = Note("new", body: "old", rank: 1)
        try await db.save(note)
        let key = try expect(some: note.id, "the key")
        let (locked, enough) = (Signal(), Signal())
        let holder = Task {
            try await other.transaction(isolation: .readCommitted) { tx in
                try await tx.sql("UPDATE \(Note.self) SET code = \("locked \(key)") WHERE id = \(key)").execute()
                locked.give()
                await enough.wait()
            }
        }
        await locked.wait()
        note.title = "saved"
        note.body = "saved"
        let started = Signal()
        let saving = Task { @SuiteActor in
            started.give()
            try await db.save(note)
        }
        await started.wait()
        // The save gives this actor up only once everything is encoded.
        note.rank = 3
        note.body = "meanwhile"
        enough.give()
        try await saving.value
        try await holder.value
        try expect(note.isDirty, "What was changed while the save was suspended is no longer dirty.")
        let row = try expect(some: try await db.find(Note.self, key: key), "the row")
        try expect([row.title, row.body], equals: ["saved", "saved"], "the texts that were saved")
        try expect(row.rank, equals: 1, "the rank, which was not changed when the save began")
        try await db.save(note)
        let after = try expect(some: try await db.find(Note.self, key: key), "the row")
        try expect([after.title, after.body], equals: ["saved", "meanwhile"], "the texts after another save")
        try expect(after.rank, equals: 3, "the rank after another save")
        try expect(!note.isDirty, "A saved object is dirty.")
    }
}
