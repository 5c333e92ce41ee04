import Foundation
import Holdfast

/// Saves so large that a driver may get rows while others are still being encoded.
extension ConformanceCase {
    static let thousands: [ConformanceCase] = [
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
