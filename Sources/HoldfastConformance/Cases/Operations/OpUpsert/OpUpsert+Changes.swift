import Foundation
import Holdfast

/// Upserts that compute what a row becomes.
extension ConformanceCase {
    static let opUpsertChanges: [ConformanceCase] = [
        ConformanceCase(
            "op-upsert.changes", "OP-UPSERT",
            "An upsert computes what a row that exists becomes, of that and of the object"
        ) { environment in
            let db = try await environment.open(Counter.self, Stamped.self, Named.self, Note.self)
            let first = Counter("a")
            first.count = 5
            try await db.upsert(first, on: \.name) { row, new in row.count.set(row.count.current + new.count) }
            try expect(first.count, equals: 5, "the count of a new row")
            let second = Counter("a")
            second.count = 3
            try await db.upsert(second, on: \.name) { row, new in row.count.set(row.count.current + new.count * 10) }
            try expect(second.id, equals: first.id, "the key of the row")
            try expect(second.count, equals: 35, "the count of both")
            try expect(!second.isDirty, "The object differs from its row.")
            let third = Counter("a")
            try await db.upsert(third, on: \.name) { row, _ in row.count += 7 }
            try expect(third.count, equals: 42, "the count after a constant was added")
            try expect(third.version, equals: 2, "the version")
            // Several, with the same constants, some of which are new.
            let several = ["a", "b", "c"].map { Counter($0) }
            for (index, counter) in several.enumerated() { counter.count = index }
            try await db.upsert(several, on: \.name) { row, new in row.count.set(row.count.current * 2 + new.count) }
            try expect(several.map(\.count), equals: [84, 1, 2], "the counts of several")
            let stored = try await db.query(Counter.self).order { $0.name.ascending }.fetch()
            try expect(stored.map(\.count), equals: [84, 1, 2], "the counts in the database")
            _ = try await db.upsert(Named(name: "n", number: 4)) { row, new in row.number.set(new.number - 1) }
            let named = try await db.upsert(Named(name: "n", number: 4)) { row, new in row.number.set(new.number - 1) }
            try expect(named, equals: Named(name: "n", number: 3), "a struct")
            let notes = [Note("x", body: nil, rank: 1, code: "k"), Note("y", body: "b", rank: 2, code: "k")]
            try await db.upsert(notes[0], on: \.code) { row, new in row.body.set(new.body) }
            try await db.upsert(notes[1], on: \.code) { row, new in
                row.body.set(new.body)
                row.title.set(row.title.current + "," + new.title)
            }
            try expect(
                [notes[1].title, notes[1].body, "\(notes[1].rank)"], equals: ["x,y", "b", "1"], "the note after both")
            try await expect(.invalidValue, from: "nothing that is set") {
                try await db.upsert(Counter("a"), on: \.name) { _, _ in }
            }
            try await expect(.invalidValue, from: "a key") {
                try await db.upsert(Counter("a"), on: \.name) { row, _ in row.id.set(7) }
            }
        },
        ConformanceCase(
            "op-upsert.changes-concurrent", "OP-UPSERT", "Upserts that count lose nothing that others count"
        ) { environment in
            let db = try await environment.open(Counter.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            let counter = Counter("a")
                            counter.count = 1
                            try await db.upsert(counter, on: \.name) { row, new in
                                row.count.set(row.count.current + new.count)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await db.query(Counter.self).select { $0.count }.fetch(), equals: [40], "the count")
            struct Undone: Error {}
            let counter = Counter("a")
            do {
                try await db.transaction { tx in
                    try await tx.upsert(counter, on: \.name) { row, _ in row.count += 1 }
                    try expect(counter.count, equals: 41, "the count in a transaction")
                    throw Undone()
                }
            } catch is Undone {}
            try expect(counter.id == nil && counter.count == 0, "The object is not as before.")
            try expect(try await db.query(Counter.self).select { $0.count }.fetch(), equals: [40], "the count after it")
        },
    ]
}
