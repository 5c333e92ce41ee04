import Foundation
import Holdfast

extension ConformanceCase {
    static let connections: [ConformanceCase] = [
        ConformanceCase(
            "err-1.connection-lost",
            "ERR-1",
            "A connection that was lost is told inside a transaction, and mended after it",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self) { $0.maximumConnections = 2 }
            let note = Note("a")
            try await expect(.connectionLost, .transactionAborted, from: "a transaction whose connection is ended") {
                try await db.transaction { tx in
                    try await tx.save(note)
                    try await environment.terminateSessions()
                    try await expect(.connectionLost, from: "the next statement") { try await tx.save(Note("b")) }
                    try await expect(.connectionLost, .transactionAborted, from: "the one after it") {
                        _ = try await tx.count(Note.self)
                    }
                }
            }
            try expect(note.id, equals: nil, "the key of an object that was not kept")
            try expect(note.isDirty, "An object that was not kept is not dirty.")
            try await db.save(note)
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["a"], "the rows")
        },
        ConformanceCase(
            "err-1.idle-connections-lost",
            "ERR-1",
            "Connections that were lost while nobody used them are replaced",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.maximumConnections = 4 }
            for round in 0..<3 {
                try await withThrowingTaskGroup { group in
                    for number in 0..<20 {
                        group.addTask { try await db.insert(Numbered(Int64(round * 100 + number))) }
                    }
                    try await group.waitForAll()
                }
                try await environment.terminateSessions()
                try await Task.sleep(for: .milliseconds(300))
            }
            try await db.insert(Numbered(-1))
            try expect(try await db.count(Numbered.self), equals: 61, "the number of rows")
        },
        ConformanceCase(
            "err-1.lost-while-running",
            "ERR-1",
            "A statement whose connection is ended while it runs fails in time, and the next succeeds",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self) { $0.maximumConnections = 1 }
            let running = Task { _ = try await db.sql(SlowStatement.fragment).fetch() }
            try await Task.sleep(for: .milliseconds(300))
            try await environment.terminateSessions()
            // A statement of the caller's may have been committed by the time its connection ended.
            try await expect(.connectionLost, .commitOutcomeUnknown, from: "the statement") {
                try await expect(within: .seconds(10), "Failing after the loss") { try await running.value }
            }
            try await db.save(Note("afterwards"))
            try expect(try await db.count(Note.self), equals: 1, "the number of rows")
        },
        ConformanceCase(
            "err-1.lost-before-commit",
            "ERR-1",
            "A connection that is lost before COMMIT keeps nothing, and says whether that is certain",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("a")
            try await expect(.connectionLost, .commitOutcomeUnknown, from: "the transaction") {
                try await db.transaction { tx in
                    try await tx.save(note)
                    try await environment.terminateSessions()
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            try expect(note.isDirty, "An object that was not kept is not dirty.")
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
    ]
}
