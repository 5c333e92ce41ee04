import Foundation
import Holdfast

extension ConformanceCase {
    static let transactions: [ConformanceCase] = [
        ConformanceCase(
            "txn-1.aborted-by-an-error",
            "TXN-1",
            "After an error of the engine inside a transaction, further statements fail until it rolls back"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("taken", code: "c"))
            let error = try await expect(.uniqueViolation, from: "a transaction that ends with the error") {
                try await db.transaction { tx in
                    try await tx.save(Note("first"))
                    do {
                        try await tx.save(Note("second", code: "c"))
                    } catch let violation as DatabaseError where violation.code == .uniqueViolation {
                        for operation in Self.operations {
                            try await expect(.transactionAborted, from: "using the transaction") {
                                try await operation(tx)
                            }
                        }
                        throw violation
                    }
                }
            }
            try expect(error.properties, equals: ["code"], "the property that the error names")
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["taken"], "the rows")
        },
        ConformanceCase(
            "txn-1.swallowed-error",
            "TXN-1",
            "A closure that swallows the engine's error and returns gets a rollback, and the error thrown"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("taken", code: "c"))
            let notes = [Note("first"), Note("second", code: "c")]
            try await expect(.uniqueViolation, from: "the transaction") {
                try await db.transaction { tx in
                    try await tx.save(notes[0])
                    do { try await tx.save(notes[1]) } catch {}
                }
            }
            try expect(notes.map(\.id), equals: [nil, nil], "the keys after the rollback")
            try await expect(.syntax, from: "a transaction that swallows a syntax error") {
                try await db.transaction { tx in
                    try await tx.save(notes[0])
                    do { try await tx.sql("SELEKT 1").execute() } catch {}
                }
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["taken"], "the rows")
        },
        ConformanceCase(
            "txn-1.errors-before-sending",
            "TXN-1",
            "An error that was raised before anything was sent does not end a transaction"
        ) { environment in
            let db = try await environment.open(Note.self, Scalars.self)
            try await db.transaction { tx in
                try await tx.save(Note("first"))
                var value = Scalars(id: 1)
                value.double = .nan
                let refused = value
                try await expect(.invalidValue, from: "inserting NaN") { _ = try await tx.insert(refused) }
                try await expect(.invalidValue, from: "binding NUL") { try await tx.sql("SELECT \("\0")").execute() }
                try await expect(.notFound, from: "deleting an object without a key") { try await tx.delete(Note()) }
                try await tx.save(Note("second"))
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["first", "second"], "the rows")
        },
        ConformanceCase(
            "txn-1.savepoint-recovers",
            "TXN-1",
            "What may fail is nested: its error undoes the savepoint, and the rest goes on"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("taken", code: "c"))
            try await db.transaction { tx in
                try await tx.save(Note("first"))
                try await expect(.uniqueViolation, from: "the nested transaction") {
                    try await tx.transaction { nested in
                        try await nested.save(Note("lost"))
                        try await nested.save(Note("second", code: "c"))
                    }
                }
                try await expect(.uniqueViolation, from: "a nested transaction that swallows its error") {
                    try await tx.transaction { nested in
                        try await nested.save(Note("lost too"))
                        do { try await nested.save(Note("third", code: "c")) } catch {}
                    }
                }
                try await tx.save(Note("last"))
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["taken", "first", "last"], "the rows")
        },
        ConformanceCase(
            "txn-1.failed-operation",
            "TXN-1",
            "An operation of several statements that fails inside a transaction leaves nothing of itself, if the rest goes on"
        ) { environment in
            let db = try await environment.open(Note.self)
            let gone = Note("gone")
            try await db.save(gone)
            try await db.sql("DELETE FROM \(Note.self)").execute()
            gone.title = "changed"
            let kept = Note("kept")
            try await db.transaction { tx in
                try await expect(.notFound, from: "saving a batch of which one row is gone") {
                    try await tx.save([Note("a"), gone, Note("b")])
                }
                try await tx.save(kept)
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["kept"], "the rows")
        },
        ConformanceCase("txn-2.rollback", "TXN-2", "A closure that throws leaves nothing behind, in rows or in objects")
        { environment in
            let db = try await environment.open(Note.self, Tagged.self)
            let old = Note("old", rank: 1)
            try await db.save(old)
            let new = Note("new")
            let tagged = Tagged(tags: ["a"])
            struct Unrelated: Error {}
            do {
                try await db.transaction { tx in
                    old.title = "changed"
                    old.rank = 2
                    try await tx.save([old, new])
                    try await tx.save(tagged)
                    try expect(try await tx.count(Note.self), equals: 2, "the number of rows inside the transaction")
                    throw Unrelated()
                }
                throw ExpectationFailure("The transaction succeeded although its closure threw.", #fileID, #line)
            } catch is Unrelated {}
            try expect(new.id, equals: nil, "the key of a new object")
            try expect(tagged.id, equals: nil, "the key of a new object with arrays")
            try expect(old.title, equals: "changed", "the title, which the closure itself had set")
            try expect(old.isDirty && new.isDirty && tagged.isDirty, "An object that was rolled back is not dirty.")
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["old"], "the rows")
            try await db.save([old, new])
            try await db.save(tagged)
            let notes = try await db.fetch(Note.self)
            try expect(notes.map(\.title), equals: ["changed", "new"], "the rows after all was saved again")
            try expect(notes.map(\.rank), equals: [2, 0], "the ranks after all was saved again")
            try expect(
                try await db.fetch(Tagged.self).map(\.tags),
                equals: [["a"]],
                "the tags after all was saved again"
            )
        },
        ConformanceCase(
            "txn-2.deletion-is-undone",
            "TXN-2",
            "An object whose deletion was rolled back is still a saved one"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("a")
            try await db.save(note)
            try await expect(.conflict, from: "a transaction that fails") {
                try await db.transaction { tx in
                    try await tx.delete(note)
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            note.title = "b"
            try await db.save(note)
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["b"], "the rows")
        },
        ConformanceCase("txn-2.ended", "TXN-2", "A transaction that has ended refuses to be used") { environment in
            let db = try await environment.open(Note.self)
            let kept = try await db.transaction { tx in tx }
            try await expect(.closed, from: "saving through it") { try await kept.save(Note()) }
            try await expect(.closed, from: "reading through it") { _ = try await kept.count(Note.self) }
            try await expect(.closed, from: "nesting in it") { try await kept.transaction { _ in } }
            let nested = try await db.transaction { tx in try await tx.transaction { $0 } }
            try await expect(.closed, from: "saving through a nested one") { try await nested.save(Note()) }
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
    ]

    /// Operations of every kind, none of which may run in a transaction that an error ended.
    private static let operations: [@Sendable (Transaction) async throws -> Void] = [
        { _ = try await $0.count(Note.self) },
        { _ = try await $0.fetch(Note.self) },
        { try await $0.save(Note("third")) },
        { try await $0.sql("SELECT 1").execute() },
        { try await $0.deleteAll(Note.self) },
    ]
}
