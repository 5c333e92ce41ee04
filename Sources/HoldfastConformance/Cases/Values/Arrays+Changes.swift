import Foundation
import Holdfast

extension ConformanceCase {
    static let arrayChanges: [ConformanceCase] = [
        ConformanceCase(
            "rel-1.only-what-changed",
            "REL-1",
            "Saving an object leaves the elements of an array that did not change alone"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged("n", tags: ["a", "b"], scores: [1])
            try await db.save(tagged)
            try await db.sql("UPDATE tagged_tags SET value = 'changed' WHERE value = 'b'").execute()
            tagged.name = "m"
            tagged.scores = [2]
            try await db.save(tagged)
            let same = try expect(some: try await db.fetch(Tagged.self).first, "the object")
            try expect(same.tags, equals: ["a", "changed"], "the tags that another program changed")
            try expect(same.scores, equals: [2], "the scores")
        },
        ConformanceCase("rel-1.gaps-in-positions", "REL-1", "Positions order; gaps in them are legal") { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged(tags: ["a", "b", "c"])
            try await db.save(tagged)
            for (value, position) in [("a", 700), ("b", -5), ("c", 30)] {
                try await db.sql("UPDATE tagged_tags SET position = \(position) WHERE value = \(value)").execute()
            }
            let same = try expect(some: try await db.fetch(Tagged.self).first, "the object")
            try expect(same.tags, equals: ["b", "c", "a"], "the tags in the order of their positions")
            same.tags.append("d")
            try await db.save(same)
            try await db.reload(tagged)
            try expect(tagged.tags, equals: ["b", "c", "a", "d"], "the tags after a change")
        },
        ConformanceCase(
            "rel-1.missing-owner",
            "REL-1",
            "Changing an array of an object whose row is gone throws, and adds no elements"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged(tags: ["a"])
            try await db.save(tagged)
            try await db.sql("DELETE FROM \(Tagged.self)").execute()
            tagged.tags = ["b"]
            try await expect(.notFound, from: "saving an array of a row that is gone") { try await db.save(tagged) }
            try expect(tagged.isDirty, "An object that could not be saved is no longer dirty.")
            try expect(tagged.tags, equals: ["b"], "the tags of the object")
            let count = try await db.sql("SELECT count(*) FROM tagged_tags").fetch(as: Int.self)
            try expect(count, equals: [0], "the number of elements")
        },
        ConformanceCase(
            "rel-1.foreign-key",
            "REL-1",
            "An element without an owner is refused, also through SQL of one's own"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            try await expect(.foreignKeyViolation, from: "inserting an element without an owner") {
                try await db.sql(
                    "INSERT INTO tagged_tags (tagged_id, position, value) VALUES (\(1), \(0), \("a"))"
                ).execute()
            }
        },
        ConformanceCase(
            "rel-1.two-savers",
            "REL-1",
            "Two that save one array at the same time leave one of the two arrays, whole",
            requires: [.concurrentWriters]
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let other = try await environment.open()
            let tagged = Tagged()
            try await db.save(tagged)
            let key = try expect(some: tagged.id, "the key")
            for round in 0..<12 {
                let arrays = (0...1).map { saver in (0...(round * 3 + saver * 5)).map { "\(saver) \(round) \($0)" } }
                try await withThrowingTaskGroup { group in
                    for (database, tags) in [(db, arrays[0]), (other, arrays[1])] {
                        group.addTask {
                            let mine = try expect(some: try await database.find(Tagged.self, key: key), "the object")
                            mine.tags = tags
                            try await database.save(mine)
                        }
                    }
                    try await group.waitForAll()
                }
                let tags = try expect(some: try await db.find(Tagged.self, key: key), "the object").tags
                try expect(arrays.contains(tags), "The array is neither of the two that were saved: \(tags).")
            }
        },
        ConformanceCase(
            "rel-1.failure-in-the-middle",
            "REL-1",
            "If an element is refused, the owner and its arrays are as before"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged("before", tags: ["a", "b"])
            try await db.save(tagged)
            // A name of one's own that is taken is refused only when its row arrives.
            try await db.sql("CREATE UNIQUE INDEX one_of_each ON tagged_tags (value)").execute()
            tagged.name = "after"
            tagged.tags = ["c", "d", "c", "e"]
            let error = try await expect(.uniqueViolation, from: "saving an element twice") {
                try await db.save(tagged)
            }
            try expect(error.properties, equals: ["tags"], "the property that the error names")
            try expect(tagged.isDirty, "An object that could not be saved is no longer dirty.")
            let same = try expect(some: try await db.fetch(Tagged.self).first, "the object")
            try expect(same.name, equals: "before", "the name in the row")
            try expect(same.tags, equals: ["a", "b"], "the tags in the database")
            tagged.tags = ["c"]
            try await db.save(tagged)
            let again = try expect(some: try await db.fetch(Tagged.self).first, "the object")
            try expect(again.name, equals: "after", "the name after a save that succeeded")
            try expect(again.tags, equals: ["c"], "the tags after a save that succeeded")
        },
    ]
}
