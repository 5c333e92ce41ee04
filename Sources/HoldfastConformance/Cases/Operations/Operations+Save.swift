import Foundation
import Holdfast

extension ConformanceCase {
    static let saving: [ConformanceCase] = [
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
    ]
}
