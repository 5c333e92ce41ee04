import HoldfastConformance
import Testing

@testable import Holdfast
@testable import HoldfastConformance

/// Tables of other people, whose triggers change the row that they are fired for, on SQLite: as in Sakila.
@Suite struct SelfTouchingTriggerTests {
    @Test(arguments: [3, 100]) func `every way of writing works, and delete rules recur`(count: Int) async throws {
        let home = try await SchemaEngine.sqlite.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        try await db.migrate(Note.self, Watched.self, Branch.self)
        for event in ["INSERT", "UPDATE"] {
            for (table, change) in [("note", "rank = rank + 1"), ("branch", "label = label || '.'")] {
                try await db.sql(
                    SQLFragment(
                        unsafe: """
                            CREATE TRIGGER \(table)_\(event) AFTER \(event) ON \(table)
                            BEGIN UPDATE \(table) SET \(change) WHERE id = NEW.id; END
                            """)
                ).execute()
            }
        }
        let notes = (0..<count).map { Note("a\($0)", code: "c\($0)") }
        try await db.save(notes[0])
        try await db.save(Array(notes[1...]))
        for note in notes { note.title += "!" }
        try await db.save(notes[0])
        try await db.save(Array(notes[1...]))
        try await db.upsert(Note("b", rank: 9, code: "c0"), on: \.code)
        #expect(try await db.insertOrIgnore(Note("b", code: "c0")) == false)
        try await db.query(Note.self).where { $0.title == "b" }.update { $0.body.set("x") }
        #expect(try await db.query(Note.self).where { $0.rank == 3 }.count() == count - 1)
        #expect(try await db.query(Note.self).where { $0.body == "x" }.one().rank == 11)
        try await db.delete(notes[1])

        // Both rules recur: an array of the same table, and the other side of a reference to it.
        let (top, log) = (Watched("0", log: HookLog()), HookLog())
        var last = top
        for number in 1...5 {
            let next = Watched("\(number)", log: log)
            last.parts = [next]
            last = next
        }
        try await db.save(top)
        let branch = Branch("a")
        branch.branches = [Branch("b")]
        branch.branches[0].branches = [Branch("c")]
        try await db.save(branch)
        try await db.sql("DELETE FROM watched WHERE name = '0'").execute()
        #expect(try await db.sql("SELECT count(*) FROM watched").fetch(as: Int.self) == [0])
        try await db.delete(branch)
        #expect(try await db.count(Branch.self) == 0)
        #expect(try await db.query(Note.self).delete() == count - 1)
        try await db.close()
        try await home.destroy()
    }
}
