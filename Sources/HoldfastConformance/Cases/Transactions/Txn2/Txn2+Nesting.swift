import Foundation
import Holdfast

extension ConformanceCase {
    static let txn2Nesting: [ConformanceCase] = [
        ConformanceCase(
            "txn-2.nested",
            "TXN-2",
            "A nested transaction is kept or undone by itself, and with the one around it"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d", "e"].map { ($0, Note($0)) })
            func note(_ name: String) throws -> Note { try expect(some: notes[name], "a note of the case") }
            try await db.transaction { tx in
                try await tx.save(try note("a"))
                try await tx.transaction { nested in
                    try await nested.save(try note("b"))
                    try await expect(.conflict, from: "the innermost") {
                        try await nested.transaction { innermost in
                            try await innermost.save(try note("c"))
                            throw DatabaseError(.conflict, "on purpose")
                        }
                    }
                    try expect(try note("c").id, equals: nil, "the key that was undone")
                    try await nested.save(try note("d"))
                }
                try await tx.save(try note("e"))
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["a", "b", "d", "e"], "the rows")
            try expect(try note("c").isDirty, "An object that was undone is not dirty.")
            try expect(!(try note("d").isDirty), "An object that was kept is dirty.")
        },
        ConformanceCase(
            "txn-2.isolation", "TXN-2",
            "The closure of a transaction runs where its caller is, from its beginning to its end"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await QueueActor().stayInTransactions(of: db)
        },
        ConformanceCase(
            "txn-2.outer-rollback",
            "TXN-2",
            "When the outer transaction rolls back, so does what nested ones had kept"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("a", rank: 1)
            try await db.save(note)
            let new = Note("new")
            try await expect(.conflict, from: "the outer transaction") {
                try await db.transaction { tx in
                    try await tx.transaction { nested in
                        note.rank = 2
                        try await nested.save([note, new])
                    }
                    note.title = "b"
                    try await tx.save(note)
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            try expect(new.id, equals: nil, "the key of the new object")
            try await db.save(note)
            let same = try expect(some: try await db.fetch(Note.self).first, "the row")
            try expect(same.title, equals: "b", "the title after it was saved again")
            try expect(same.rank, equals: 2, "the rank after it was saved again")
        },
        ConformanceCase(
            "txn-2.changed-since",
            "TXN-2",
            "A rollback leaves a property that was changed after the save as it was changed"
        ) { environment in
            let db = try await environment.open(Stamped.self)
            let stamped = Stamped("a")
            let mine = Date(timeIntervalSince1970: 5)
            try await expect(.conflict, from: "the transaction") {
                try await db.transaction { tx in
                    try await tx.save(stamped)
                    stamped.createdAt = mine
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            try expect(stamped.createdAt, equals: mine, "the creation time that was set after the save")
            try expect(stamped.modifiedAt, equals: nil, "the modification time that the save had set")
            try expect(stamped.id, equals: nil, "the key that the save had set")
        },
        ConformanceCase(
            "txn-2.savepoints-are-released",
            "TXN-2",
            "A thousand nested transactions one after the other, and twenty in each other"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            try await db.transaction { tx in
                for number in 0..<1_000 {
                    try await tx.transaction { nested in try await nested.insert(Numbered(Int64(number))) }
                }
            }
            try expect(try await db.count(Numbered.self), equals: 1_000, "the number of rows")
            try await db.transaction { tx in try await descend(tx, 20) }
            try expect(try await db.count(Numbered.self), equals: 1_020, "the number of rows after twenty levels")
        },
        ConformanceCase(
            "txn-2.outer-handle-inside",
            "TXN-2",
            "What is done through the outer transaction inside a nested one belongs to the nested one"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.transaction { tx in
                try await expect(.conflict, from: "the nested transaction") {
                    try await tx.transaction { _ in
                        try await tx.save(Note("through the outer handle"))
                        throw DatabaseError(.conflict, "on purpose")
                    }
                }
                try await tx.save(Note("kept"))
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["kept"], "the rows")
        },
        ConformanceCase(
            "txn-2.child-tasks",
            "TXN-2",
            "Child tasks share a transaction; their operations run one after the other"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            try await db.transaction { tx in
                try await withThrowingTaskGroup { group in
                    for number in 0..<40 {
                        group.addTask {
                            if number % 4 == 0 {
                                try await tx.transaction { try await $0.insert(Numbered(Int64(number))) }
                            } else {
                                try await tx.insert(Numbered(Int64(number)))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try expect(try await db.fetch(Numbered.self).map(\.number), equals: Array(0..<40), "the rows")
        },
    ]

    private static func descend(_ transaction: Transaction, _ levels: Int) async throws {
        guard levels > 0 else { return }
        try await transaction.insert(Numbered(Int64(10_000 + levels)))
        try await transaction.transaction { try await descend($0, levels - 1) }
    }
}

extension QueueActor {
    fileprivate func stayInTransactions(of db: Database) async throws {
        func expectStay(_ after: String) throws { try expect(executor.isCurrent, "It is elsewhere after \(after).") }
        try expectStay("the call of an actor's method")
        let note = Note("a")
        for _ in 0..<2 {
            try await db.transaction { tx in
                try expectStay("the beginning of a transaction")
                try await tx.save(note)
                try expectStay("a save")
                try await tx.transaction { nested in
                    try expectStay("the beginning of a nested transaction")
                    note.title += "b"
                    try await nested.save(note)
                    _ = try await nested.fetch(Note.self)
                    try expectStay("a fetch")
                }
                try expectStay("the end of a nested transaction")
            }
            try expectStay("the end of a transaction")
        }
        try await db.read { tx in
            try expectStay("the beginning of a transaction that reads")
            _ = try await tx.query(Note.self).count()
            try expectStay("a query")
        }
        try expectStay("the end of a transaction that reads")
    }
}
