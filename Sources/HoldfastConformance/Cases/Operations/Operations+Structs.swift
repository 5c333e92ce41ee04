import Foundation
import Holdfast

extension ConformanceCase {
    static let structs: [ConformanceCase] = [
        ConformanceCase(
            "op-save.structs",
            "OP-SAVE",
            "A struct is saved whole, and every operation returns or sets what was saved"
        ) { environment in
            let db = try await environment.open(Named.self, StampedValue.self)
            var named = try await db.save(Named(name: "a", number: 1))
            named.number = 2
            try expect(try await db.update(named), equals: named, "what update returned")
            named.number = 3
            try await db.save(&named)
            try expect(try await db.find(Named.self, key: "a"), equals: named, "the row")
            var several = [Named(name: "b", number: 1), named, Named(name: "c", number: 1)]
            several[1].number = 9
            try await db.save(&several)
            try expect(try await db.fetch(Named.self).map(\.number), equals: [9, 1, 1], "the rows of several")
            several[0].number = 5
            try expect(try await db.update(several), equals: several, "what update of several returned")
            try await expect(.notFound, from: "updating a struct without a row") {
                _ = try await db.update(Named(name: "absent"))
            }
            try await db.sql("UPDATE \(Named.self) SET number = 100").execute()
            try await db.reload(&named)
            try expect(named.number, equals: 100, "the struct that was reloaded")
            try expect(
                try await db.reload(several).map(\.number),
                equals: [100, 100, 100],
                "the structs that were reloaded"
            )
            try expect(try await db.delete(several), equals: 3, "the number of rows deleted")

            var stamped = StampedValue(id: 1, text: "a")
            try await db.save(&stamped)
            try expect(
                stamped.createdAt != nil && stamped.modifiedAt != nil,
                "A struct that was saved lacks its timestamps."
            )
        },
        ConformanceCase(
            "op-save.rolled-back-struct",
            "OP-SAVE",
            "A struct is a value: a rollback leaves it as the save returned it"
        ) { environment in
            let db = try await environment.open(Named.self)
            var kept = Named(name: "a", number: 1)
            try await expect(.conflict, from: "the transaction") {
                try await db.transaction { tx in
                    kept = try await tx.save(Named(name: "a", number: 2))
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            try expect(kept.number, equals: 2, "the struct")
            try expect(try await db.count(Named.self), equals: 0, "the number of rows")
            _ = try await db.save(kept)
            try expect(try await db.fetch(Named.self), equals: [kept], "the rows after it was saved again")
        },
        ConformanceCase(
            "op-save.mapped-by-hand",
            "OP-SAVE",
            "A type that is mapped by hand works in every operation"
        ) { environment in
            let db = try await environment.open(Handmade.self, Untracked.self)
            var one = Handmade(code: "a", size: nil, parts: ["x", "y"])
            one = try await db.insert(one)
            one.size = 4
            one.parts.reverse()
            _ = try await db.save(one)
            try expect(try await db.find(Handmade.self, key: "a"), equals: one, "the row")
            try await db.sql("UPDATE \(Handmade.self) SET extent = 5").execute()
            try expect(try await db.reload(one).size, equals: 5, "the struct that was reloaded")
            try expect(try await db.delete(one), equals: 1, "the number of rows deleted")

            let untracked = Untracked(name: "a")
            try await db.save(untracked)
            let key = try expect(some: untracked.id, "the key of a class that is not tracked")
            untracked.name = "b"
            try await db.save(untracked)
            try await db.save(untracked)
            try expect(try await db.fetch(Untracked.self).map(\.name), equals: ["b"], "the rows of the class")
            try expect(try await db.find(Untracked.self, key: key)?.id, equals: key, "its key")
        },
        ConformanceCase(
            "op-save.contradictory-mapping",
            "OP-SAVE",
            "A mapping that contradicts itself is refused by every operation"
        ) { environment in
            let db = try await environment.open()
            try await expect(.conflict, from: "migrating") { try await db.migrate(Contradictory.self) }
            try await expect(.conflict, from: "saving") { _ = try await db.save(Contradictory()) }
            try await expect(.conflict, from: "fetching") { _ = try await db.fetch(Contradictory.self) }
            try await expect(.conflict, from: "counting") { _ = try await db.count(Contradictory.self) }
            try await expect(.conflict, from: "deleting") { try await db.deleteAll(Contradictory.self) }
        },
        ConformanceCase(
            "val-1.conversions-that-refuse",
            "VAL-1",
            "A conversion of one's own can refuse a value, on the way in and on the way out"
        ) { environment in
            let db = try await environment.open(Progressing.self)
            let value = Progressing(id: 1, share: Percentage(50), history: [Percentage(0), Percentage(100)])
            _ = try await db.insert(value)
            try expect(try await db.find(Progressing.self, key: 1), equals: value, "what was read back")
            let error = try await expect(.invalidValue, from: "a value that the conversion refuses") {
                _ = try await db.insert(Progressing(id: 2, share: Percentage(101)))
            }
            try expect(error.properties, equals: ["share"], "the property that the error names")
            let element = try await expect(.invalidValue, from: "an element that the conversion refuses") {
                _ = try await db.insert(Progressing(id: 2, share: Percentage(1), history: [Percentage(-1)]))
            }
            try expect(element.properties, equals: ["history"], "the property that the error names")
            try await db.sql("UPDATE \(Progressing.self) SET share = 200").execute()
            let stored = try await expect(.decoding, from: "a stored value that the conversion refuses") {
                _ = try await db.fetch(Progressing.self)
            }
            try expect(stored.properties, equals: ["share"], "the property that the error names")
            try expect(try await db.count(Progressing.self), equals: 1, "the number of rows")
        },
        ConformanceCase(
            "txn-2.counter",
            "TXN-2",
            "Many that read a number and write the next one lose none, if they are retried",
            requires: [.concurrentWriters]
        ) { environment in
            let db = try await environment.open(Named.self) { $0.maximumConnections = 4 }
            _ = try await db.insert(Named(name: "counter", number: 0))
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await db.transaction(maxRetries: 200) { tx in
                            var counter = try expect(some: try await tx.find(Named.self, key: "counter"), "the counter")
                            counter.number += 1
                            _ = try await tx.update(counter)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await db.find(Named.self, key: "counter")?.number, equals: 30, "the number")
        },
        ConformanceCase(
            "txn-2.nested-read",
            "TXN-2",
            "A read transaction can be nested in, and stays read-only and of one moment"
        ) { environment in
            let db = try await environment.open(Named.self)
            let other = try await environment.open()
            _ = try await db.insert(Named(name: "a"))
            try await db.read { tx in
                try expect(try await tx.count(Named.self), equals: 1, "the number of rows")
                _ = try await other.insert(Named(name: "b"))
                try await tx.transaction { nested in
                    try expect(try await nested.count(Named.self), equals: 1, "the number of rows in the nested one")
                }
                try await expect(.readOnly, from: "writing in a nested one") {
                    try await tx.transaction { nested in _ = try await nested.save(Named(name: "c")) }
                }
                try expect(try await tx.count(Named.self), equals: 1, "the number of rows after a write was refused")
            }
            try expect(try await db.count(Named.self), equals: 2, "the number of rows afterwards")
        },
    ]
}
