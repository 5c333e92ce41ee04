import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let opBatch: [ConformanceCase] = [
        ConformanceCase(
            "op-batch.mixed",
            "OP-BATCH",
            "A batch of new, changed and unchanged objects is saved as each would be"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (0..<6).map { Note("n\($0)") }
            try await db.save(Array(notes[0..<4]))
            notes[1].title = "changed"
            notes[2].rank = 7
            try await db.save(notes)
            try expect(Set(notes.compactMap(\.id)).count, equals: 6, "the number of different keys")
            let titles = try await db.fetch(Note.self).map(\.title)
            try expect(
                titles,
                equals: ["n0", "changed", "n2", "n3", "n4", "n5"],
                "the titles in the order of the keys"
            )
            try expect(notes.allSatisfy { !$0.isDirty }, "An object of a saved batch is dirty.")
            try await db.save([Note]())
            notes[5].title = "once"
            try await db.save([notes[5], notes[5], notes[5]])
            let new = Note("new")
            try await db.save([new, new])
            try expect(try await db.count(Note.self), equals: 7, "the number of rows after one object was given twice")
        },
        ConformanceCase(
            "op-batch.failure",
            "OP-BATCH",
            "If one object of a batch fails, the error tells which, and database and objects are as before"
        ) { environment in
            let db = try await environment.open(Note.self)
            let old = Note("old", code: "taken")
            try await db.save(old)
            old.title = "changed"
            let notes = [old, Note("a", code: "a"), Note("b", code: "b"), Note("c", code: "taken"), Note("d")]
            let error = try await expect(.uniqueViolation, from: "saving the batch") { try await db.save(notes) }
            try expect(error.objectIndex, equals: 3, "the position that the error names")
            try expect(error.properties, equals: ["code"], "the property that the error names")
            try expect(notes.dropFirst().allSatisfy { $0.id == nil }, "An object has a key, but no row.")
            try expect(notes.allSatisfy(\.isDirty), "An object that was not saved is not dirty.")
            let rows = try await db.fetch(Note.self)
            try expect(rows.map(\.title), equals: ["old"], "the rows")
            notes[3].code = nil
            try await db.save(notes)
            try expect(
                try await db.fetch(Note.self).map(\.title),
                equals: ["changed", "a", "b", "c", "d"],
                "the rows after the cause was removed"
            )
        },
        ConformanceCase(
            "op-batch.failure-among-many",
            "OP-BATCH",
            "If one of hundreds of objects is refused, the error tells which, and database and objects are as before"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("old", code: "taken"))
            let notes = (0..<300).map { Note("n\($0)", code: "c\($0)") }
            notes[217].code = "taken"
            let inserting = try await expect(.uniqueViolation, from: "inserting many") { try await db.save(notes) }
            try expect(inserting.objectIndex, equals: 217, "the position that the error of inserting names")
            try expect(notes.allSatisfy { $0.id == nil && $0.isDirty }, "An object seems to be saved.")
            try expect(try await db.count(Note.self), equals: 1, "the number of rows")
            notes[217].code = nil
            try await db.save(notes)
            for note in notes { note.rank = 5 }
            notes[150].code = "taken"
            let updating = try await expect(.uniqueViolation, from: "updating many") { try await db.save(notes) }
            try expect(updating.objectIndex, equals: 150, "the position that the error of updating names")
            try expect(notes.allSatisfy(\.isDirty), "An object that was not updated is not dirty.")
            try expect(try await db.fetch(Note.self).map(\.rank).max(), equals: 0, "the greatest rank in the database")
            notes[150].code = "free"
            try await db.save(notes)
            let rows = try await db.fetch(Note.self).dropFirst()
            try expect(rows.map(\.title), equalsEach: notes.map(\.title), "the titles")
            try expect(rows.map(\.code), equalsEach: notes.map(\.code), "the codes")
            try expect(rows.allSatisfy { $0.rank == 5 }, "A change was lost.")
        },
        ConformanceCase(
            "op-batch.reload-many",
            "OP-BATCH",
            "Reloading thousands of objects takes one statement, and a time that grows as they do"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Note.self) { probe.attach(to: &$0) }
            let notes = (0..<10_000).map { Note("n\($0)") }
            try await db.save(notes)
            try await db.sql("UPDATE \(Note.self) SET rank = 7").execute()
            for note in notes { note.title = "lost" }
            _ = probe.take()
            // Some tenths of a second; if each object took a look at all others, it would be minutes.
            try await expect(within: .seconds(30), "Reloading") { try await db.reload(notes) }
            try expect(probe.take().count, equals: 1, "the number of statements")
            try expect(notes.map(\.title), equalsEach: (0..<10_000).map { "n\($0)" }, "the titles")
            try expect(notes.allSatisfy { $0.rank == 7 && !$0.isDirty }, "An object was not reloaded.")
        },
        ConformanceCase(
            "op-batch.row-is-gone",
            "OP-BATCH",
            "If the row of one object of a batch is gone, the error tells which"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (0..<5).map { Note("n\($0)") }
            try await db.save(notes)
            let gone = try expect(some: notes[3].id, "the key")
            try await db.sql("DELETE FROM \(Note.self) WHERE id = \(gone)").execute()
            for note in notes { note.title += "!" }
            let error = try await expect(.notFound, from: "saving the batch") { try await db.save(notes) }
            try expect(error.objectIndex, equals: 3, "the position that the error names")
            try expect(notes.allSatisfy(\.isDirty), "An object that was not saved is not dirty.")
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["n0", "n1", "n2", "n4"], "the rows")
            let reload = try await expect(.notFound, from: "reloading the batch") { try await db.reload(notes) }
            try expect(reload.objectIndex, equals: 3, "the position that the error of reload names")
            try expect(notes.map(\.title), equals: (0..<5).map { "n\($0)!" }, "the titles after a reload that failed")
        },
        ConformanceCase(
            "op-batch.contradictions",
            "OP-BATCH",
            "Two instances of one row with different contents in one save are refused"
        ) { environment in
            let db = try await environment.open(Note.self, Named.self)
            let note = Note("a")
            try await db.save(note)
            let same = try expect(some: try await db.find(Note.self, key: note.id ?? 0), "the same row")
            note.title = "b"
            same.title = "c"
            try await expect(.conflict, from: "saving both") { try await db.save([note, same]) }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["a"], "the row")
            same.rank = 5
            try await expect(.conflict, from: "saving both with different properties") {
                try await db.save([note, same])
            }
            try await expect(.conflict, from: "saving two structs of one key") {
                _ = try await db.save([Named(name: "x", number: 1), Named(name: "x", number: 2)])
            }
            let equal = try await db.save([Named(name: "x", number: 1), Named(name: "x", number: 1)])
            try expect(equal.count, equals: 2, "the structs that were saved")
            try expect(try await db.count(Named.self), equals: 1, "the number of rows")
        },
        ConformanceCase(
            "op-batch.thousands",
            "OP-BATCH",
            "Thousands of objects with arrays are inserted, fetched by keys and deleted"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = (0..<3_000).map { Tagged("n\($0)", tags: Array(repeating: "t\($0)", count: $0 % 3)) }
            try await db.insert(tagged)
            let keys = tagged.compactMap(\.id)
            try expect(keys, equals: keys.sorted(), "the keys in the order of the objects")
            let fetched = try await db.fetch(Tagged.self, keys: keys.reversed())
            try expect(fetched.map(\.name), equals: tagged.reversed().map(\.name), "the names in the order of the keys")
            try expect(fetched.map(\.tags) == tagged.reversed().map(\.tags), "An array is not its owner's.")
            try expect(try await db.delete(tagged), equals: 3_000, "the number of rows deleted")
            try expect(try await db.count(Tagged.self), equals: 0, "the number of rows that are left")
        },
        ConformanceCase(
            "op-batch.delete",
            "OP-BATCH",
            "Deleting a batch tells how many rows there were, and refuses what has no key"
        ) { environment in
            let db = try await environment.open(Numbered.self, Note.self)
            let objects = (1...4).map { Numbered($0) }
            try await db.insert(objects)
            try await db.sql("DELETE FROM \(Numbered.self) WHERE number = 2").execute()
            try expect(
                try await db.delete([objects[0], objects[1], objects[0]]),
                equals: 1,
                "the number of rows deleted"
            )
            try expect(try await db.fetch(Numbered.self).map(\.number), equals: [3, 4], "the rows that are left")
            let saved = Note("saved")
            try await db.save(saved)
            let error = try await expect(.notFound, from: "deleting an object without a key") {
                try await db.delete([saved, Note("new")])
            }
            try expect(error.objectIndex, equals: 1, "the position that the error names")
            try expect(try await db.count(Note.self), equals: 1, "the number of notes")
        },
        ConformanceCase(
            "op-batch.thousands-saved", "OP-BATCH",
            "Thousands of objects are saved as each would be: new ones, changed ones, and both together"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (0..<9_001).map { Note("n\($0)", body: $0 % 7 == 0 ? "body" : nil, rank: $0, code: "c\($0)") }
            try await db.save(notes)
            try expect(notes.allSatisfy { !$0.isDirty }, "A saved object is dirty.")
            try expect(
                notes.compactMap(\.id), equalsEach: notes.compactMap(\.id).sorted(),
                "the keys, in the order of the objects")
            var rows = try await db.fetch(Note.self)
            try expect(rows.compactMap(\.id), equalsEach: notes.compactMap(\.id), "the keys")
            try expect(rows.map(\.title), equalsEach: notes.map(\.title), "the titles")
            try expect(rows.map(\.body), equalsEach: notes.map(\.body), "the bodies")
            try expect(rows.map(\.code), equalsEach: notes.map(\.code), "the codes")
            for note in notes { note.rank += 1 }
            notes[17].title = "and its title"
            try await db.save(notes + notes.suffix(3))
            for note in notes { note.rank += 1 }
            try await db.update(notes)
            let more = (0..<8_500).map { Note("m\($0)", rank: -1) }
            for note in notes { note.body = nil }
            try await db.save(more + notes)
            rows = try await db.fetch(Note.self)
            try expect(rows.map(\.rank), equalsEach: (2..<9_003) + more.map { _ in -1 }, "the ranks")
            try expect(rows.allSatisfy { $0.body == nil }, "A change was lost.")
            try expect(rows[17].title, equals: "and its title", "the title that was changed, too")
            try await db.insert((0..<8_200).map { Note("i\($0)") })
            try expect(try await db.count(Note.self), equals: 9_001 + 8_500 + 8_200, "the number of rows")
        },
        ConformanceCase(
            "op-batch.thousands-refused", "OP-BATCH",
            "If one of thousands of objects can't be stored, or is refused, the error tells which, and all is as before"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("old", code: "taken"))
            // So that the last one may be sent by itself.
            let notes = (0..<8_193).map { Note("n\($0)") }
            func expectNothing(_ when: String) async throws {
                try expect(
                    notes.allSatisfy { $0.id == nil && $0.isDirty }, "An object seems to be saved, after \(when).")
                try expect(try await db.count(Note.self), equals: 1, "the number of rows after \(when)")
            }
            for position in [3, 8_191, 8_192] {
                notes[position].title = "a\0b"
                let encoding = try await expect(.invalidValue, from: "saving what can't be stored") {
                    try await db.save(notes)
                }
                try expect(encoding.objectIndex, equals: position, "the position that the error of encoding names")
                try await expectNothing("an object can't be encoded")
                notes[position].title = "n\(position)"
                notes[position].code = "taken"
                let refusal = try await expect(.uniqueViolation, from: "saving what is refused") {
                    try await db.save(notes)
                }
                try expect(refusal.objectIndex, equals: position, "the position that the error of the engine names")
                try expect(refusal.properties, equals: ["code"], "the property that the error of the engine names")
                try await expectNothing("an object is refused")
                notes[position].code = nil
            }
            try await db.save(notes)
            for note in notes { note.rank = 5 }
            let gone = try expect(some: notes[8_190].id, "the key")
            try await db.sql("DELETE FROM \(Note.self) WHERE id = \(gone)").execute()
            let missing = try await expect(.notFound, from: "updating a row that is gone") { try await db.save(notes) }
            try expect(missing.objectIndex, equals: 8_190, "the position that the error of updating names")
            try expect(notes.allSatisfy(\.isDirty), "An object that was not updated is not dirty.")
            try expect(try await db.fetch(Note.self).map(\.rank).max(), equals: 0, "the greatest rank in the database")
        },
        ConformanceCase(
            "op-batch.thousands-written-back", "OP-BATCH",
            "What a save of thousands of objects sets in them is what their rows hold"
        ) { environment in
            let db = try await environment.open(Stamped.self)
            let objects = (0..<8_200).map { Stamped("\($0)") }
            try await db.save(objects)
            func check() async throws {
                let rows = try await db.fetch(Stamped.self)
                try expect(objects.map(\.id), equalsEach: rows.map(\.id), "the keys")
                try expect(objects.map(\.text), equalsEach: rows.map(\.text), "the texts")
                try expect(objects.allSatisfy { $0.createdAt != nil }, "A time was not set.")
                try expect(objects.map(\.createdAt), equalsEach: rows.map(\.createdAt), "the times of creation")
                try expect(objects.map(\.modifiedAt), equalsEach: rows.map(\.modifiedAt), "the times of change")
                try expect(objects.allSatisfy { !$0.isDirty }, "A saved object is dirty.")
            }
            try await check()
            for object in objects { object.text += "!" }
            try await db.save(objects)
            try await check()
        },
        ConformanceCase(
            "op-batch.thousands-cancelled", "OP-BATCH",
            "A save of thousands of objects in a task that is cancelled saves all of them or none"
        ) { environment in
            let db = try await environment.open(Note.self)
            var total = 0
            for delay in [0, 1, 5, 20, 60] {
                let isSaved = try await saveCancelled(in: db, after: .milliseconds(delay))
                if isSaved { total += 9_001 }
                try expect(try await db.count(Note.self), equals: total, "the rows, cancelled after \(delay) ms")
            }
        },
    ]

    /// Saves objects in a task that is cancelled after some time.
    ///
    /// - Returns: Whether they were saved.
    private static func saveCancelled(in db: Database, after delay: Duration) async throws -> Bool {
        let task = Task {
            let notes = (0..<9_001).map { Note("n\($0)") }
            do {
                try await db.save(notes)
                try expect(notes.allSatisfy { $0.id != nil && !$0.isDirty }, "A saved object has no key, or is dirty.")
                return true
            } catch let error as DatabaseError where error.code == .cancelled {
                try expect(notes.allSatisfy { $0.id == nil && $0.isDirty }, "An object seems to be saved.")
                return false
            }
        }
        try await Task.sleep(for: delay)
        task.cancel()
        return try await task.value
    }
}
