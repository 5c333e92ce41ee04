import Foundation
import Holdfast

extension ConformanceCase {
    static let opTime: [ConformanceCase] = [
        ConformanceCase(
            "op-time.created-and-modified",
            "OP-TIME",
            "The creation time is set once, the modification time with every change, and neither by a save of nothing"
        ) { environment in
            let db = try await environment.open(Stamped.self)
            let start = Date(timeIntervalSinceNow: -1)
            let stamped = Stamped("a")
            try await db.save(stamped)
            let created = try expect(some: stamped.createdAt, "the creation time")
            try expect(stamped.modifiedAt, equals: created, "the modification time after the insert")
            try expect(
                created > start && created < Date(timeIntervalSinceNow: 1),
                "The creation time is not the time of the insert."
            )
            try await db.save(stamped)
            try expect(stamped.modifiedAt, equals: created, "the modification time after a save of nothing")
            try await Task.sleep(for: .milliseconds(5))
            stamped.text = "b"
            try await db.save(stamped)
            let modified = try expect(some: stamped.modifiedAt, "the modification time")
            try expect(modified > created, "The modification time did not move.")
            try expect(stamped.createdAt, equals: created, "the creation time after a change")
            try expect(!stamped.isDirty, "A timestamp that was set by a save counts as a change.")
            let same = try expect(some: try await db.find(Stamped.self, key: stamped.id ?? 0), "the row")
            try expect(same.createdAt, equals: created, "the creation time in the row")
            try expect(same.modifiedAt, equals: modified, "the modification time in the row")
        },
        ConformanceCase(
            "op-time.given",
            "OP-TIME",
            "A creation time that was given is kept, and a struct saved over a row keeps the row's"
        ) { environment in
            let db = try await environment.open(Stamped.self, StampedValue.self)
            let stamped = Stamped("a")
            stamped.createdAt = Date(timeIntervalSince1970: 1000)
            try await db.save(stamped)
            try expect(stamped.createdAt, equals: Date(timeIntervalSince1970: 1000), "the creation time that was given")

            let first = try await db.save(StampedValue(id: 1, text: "a"))
            let created = try expect(some: first.createdAt, "the creation time of a struct")
            try await Task.sleep(for: .milliseconds(5))
            let second = try await db.save(StampedValue(id: 1, text: "b"))
            try expect(second.createdAt, equals: created, "the creation time after the struct was saved over")
            try expect(
                try expect(some: second.modifiedAt, "the modification time") > created,
                "The modification time did not move."
            )
            try expect(try await db.find(StampedValue.self, key: 1), equals: second, "the row")
        },
        ConformanceCase(
            "op-time.rollback",
            "OP-TIME",
            "Timestamps that a transaction set are taken back when it rolls back"
        ) { environment in
            let db = try await environment.open(Stamped.self)
            let old = Stamped("old")
            try await db.save(old)
            let before = old.modifiedAt
            let new = Stamped("new")
            try await Task.sleep(for: .milliseconds(5))
            old.text = "changed"
            try await expect(.conflict, from: "a transaction that fails") {
                try await db.transaction { tx in
                    try await tx.save([old, new])
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            try expect(old.modifiedAt, equals: before, "the modification time of the old object")
            try expect(new.createdAt, equals: nil, "the creation time of the new object")
            try expect(new.id, equals: nil, "the key of the new object")
            try expect(old.isDirty && new.isDirty, "An object that was rolled back is not dirty.")
        },
    ]
}
