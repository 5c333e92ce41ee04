import Foundation
import Holdfast

extension ConformanceCase {
    static let txn1: [ConformanceCase] = [
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
