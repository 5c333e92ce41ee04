import Foundation
import Holdfast

/// Updates of some properties, and what raw SQL knows of mappings.
extension ConformanceCase {
    static let opUpdate: [ConformanceCase] = [
        ConformanceCase(
            "op-update.only", "OP-UPDATE",
            "An update of some properties writes those, changed or not, and leaves the rest to be saved"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("first", body: "text", rank: 3)
            try await db.save(note)
            note.title = "second"
            note.rank = 4
            note.body = nil
            try await db.update(note, only: \.title, \.body)
            let stored = try await db.find(Note.self, key: note.id ?? 0)
            try expect(stored?.title, equals: "second", "the title")
            try expect(stored?.body == nil, "The body was not set to NULL.")
            try expect(stored?.rank, equals: 3, "the rank, which was not asked for")
            try expect(note.isDirty, "What was left out counts as saved.")
            try await db.sql("UPDATE \(Note.self) SET title = \("elsewhere")").execute()
            try await db.update(note, only: \.title)
            try expect(
                try await db.find(Note.self, key: note.id ?? 0)?.title, equals: "second", "a title that had not changed"
            )
            try await db.save(note)
            try expect(try await db.find(Note.self, key: note.id ?? 0)?.rank, equals: 4, "the rank after a save")
            try expect(!note.isDirty, "Something is left to be saved.")
            try await expect(.notFound, from: "an update of a new object without a key") {
                try await db.update(Note(), only: \.title)
            }
            let new = Note()
            new.id = note.id
            try await expect(.conflict, from: "an update of a new object") { try await db.update(new, only: \.title) }
            try await expect(.conflict, from: "an update of the key") { try await db.update(note, only: \.id) }
            try await expect(.syntax, from: "an update of what is not kept") {
                try await db.update(note, only: \.isDirty)
            }
            note.title = "third"
            try await db.query(Note.self).delete()
            try await expect(.notFound, from: "an update of a row that is gone") {
                try await db.update(note, only: \.title)
            }
            try expect(note.isDirty, "What could not be updated counts as saved.")
        },
        ConformanceCase(
            "op-update.only-relations", "OP-UPDATE",
            "An update of some properties saves what relations among them lead to, and nothing that others lead to"
        ) { environment in
            let db = try await environment.open(Engineer.self, Team.self, Review.self)
            let engineer = Engineer("Ada", age: 36)
            engineer.reviews = [Review(1)]
            engineer.tags = ["a", "b"]
            try await db.save(engineer)
            engineer.tags = ["b", "c"]
            engineer.reviews.append(Review(2))
            engineer.team = Team("new")
            try await db.update(engineer, only: \.tags, \.reviews)
            let stored = try await db.query(Engineer.self).one()
            try expect(stored.tags, equals: ["b", "c"], "the tags")
            try expect(stored.reviews.map(\.points), equals: [1, 2], "the reviews")
            try expect(try await db.count(Team.self), equals: 0, "the teams")
            do {
                try await db.transaction { tx in
                    engineer.age = 37
                    try await tx.update(engineer, only: \.age)
                    throw CancellationError()
                }
            } catch is CancellationError {}
            try await db.save(engineer)
            let saved = try await db.query(Engineer.self).one()
            try expect(saved.team?.name, equals: "new", "the team, saved later")
            try expect(saved.age, equals: 37, "the age, whose update was rolled back")
        },
        ConformanceCase(
            "op-update.only-inverse", "OP-UPDATE",
            "An update of a reference by itself leaves what the other side holds besides as it is"
        ) { environment in
            let db = try await environment.open(Engineer.self, Team.self, Review.self)
            let team = Team("old")
            let members = [Engineer("a", age: 1), Engineer("b", age: 2)]
            for member in members { member.team = team }
            let late = Engineer("c", age: 3)
            try await db.save(members + [late])
            let found = try await db.query(Team.self).one()
            try expect(found.members.count, equals: 2, "the members")
            let third = try await db.query(Engineer.self).where { $0.name == "c" }.one()
            third.team = found
            try await db.update(third, only: \.team)
            try expect(Set(found.members.map(\.name)).isSuperset(of: ["a", "b"]), "Members disappeared in memory.")
            try expect(
                try await db.query(Team.self).one().members.map(\.name), equals: ["a", "b", "c"], "the stored members")
            try await db.reload(found)
            found.members = []
            try await db.save(found)
            try expect(
                try await db.query(Engineer.self).where { $0.team == nil }.count(), equals: 3, "those without a team")
        },
        ConformanceCase(
            "op-update.only-structs", "OP-UPDATE", "Some properties of structs can be updated, and times are set"
        ) { environment in
            let db = try await environment.open(StampedValue.self, Chapter.self)
            let value = try await db.save(StampedValue(id: 1, text: "first"))
            var changed = value
            changed.text = "second"
            let saved = try await db.update(changed, only: \.text)
            let stored = try await db.find(StampedValue.self, key: 1)
            try expect(stored, equals: saved, "what is stored")
            try expect(stored?.text, equals: "second", "the text")
            try expect(stored?.createdAt, equals: value.createdAt, "the creation time")
            let chapters = [Chapter(1, "a"), Chapter(2, "b")]
            try await db.save(chapters)
            let before = chapters.map(\.modifiedAt)
            for chapter in chapters { chapter.title += "!" }
            try await Task.sleep(for: .milliseconds(2))
            try await db.update(chapters, only: [\.title])
            try expect(
                zip(before, chapters).allSatisfy { $0 != $1.modifiedAt }, "A modification time was not set.")
            try expect(try await db.fetch(Chapter.self).map(\.title), equals: ["b!", "a!"], "the titles")
            try expect(
                try await db.fetch(Chapter.self).map(\.modifiedAt), equals: chapters.reversed().map(\.modifiedAt),
                "the times")
        },
    ]
}
