import Foundation
import Holdfast

/// Arrays of values.
extension ConformanceCase {
    static let rel1: [ConformanceCase] = [
        ConformanceCase("rel-1.order-and-duplicates", "REL-1", "An array keeps order and duplicates") { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged(tags: ["b", "a", "b", "", "a", "B"], scores: [3, 1, 3, 2, 1])
            try await db.save(tagged)
            let same = try expect(some: try await db.find(Tagged.self, key: tagged.id ?? 0), "the object")
            try expect(same.tags, equals: tagged.tags, "the tags")
            try expect(same.scores, equals: tagged.scores, "the scores")
            same.tags.reverse()
            same.tags.append("a")
            try await db.save(same)
            try await db.reload(tagged)
            try expect(tagged.tags, equals: ["B", "a", "", "b", "a", "b", "a"], "the tags after a change")
            try expect(tagged.scores, equals: [3, 1, 3, 2, 1], "the scores, which did not change")
        },
        ConformanceCase("rel-1.nil-and-empty", "REL-1", "nil and [] of an optional array are told apart") {
            environment in
            let db = try await environment.open(Tagged.self)
            let tagged = [Tagged(scores: nil), Tagged(scores: []), Tagged(scores: [0])]
            try await db.save(tagged)
            func scores() async throws -> [[Int]?] { try await db.fetch(Tagged.self).map(\.scores) }
            try expect(try await scores(), equals: [nil, [], [0]], "the arrays as inserted")
            tagged[0].scores = []
            tagged[1].scores = [1, 2]
            tagged[2].scores = nil
            try await db.save(tagged)
            try expect(try await scores(), equals: [[], [1, 2], nil], "the arrays after a change")
            tagged[1].scores?.removeAll()
            try await db.save(tagged)
            try expect(try await scores(), equals: [[], [], nil], "the arrays after the last element was removed")
        },
        ConformanceCase("rel-1.nil-elements", "REL-1", "An array of optionals keeps its nils where they are") {
            environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged(gaps: [nil, 1, nil, nil, 2, nil])
            try await db.save(tagged)
            try await db.reload(tagged)
            try expect(tagged.gaps, equals: [nil, 1, nil, nil, 2, nil], "the elements")
            tagged.gaps = [nil]
            try await db.save(tagged)
            let same = try await db.fetch(Tagged.self)
            try expect(same.map(\.gaps), equals: [[nil]], "a single nil")
        },
        ConformanceCase("rel-1.long-arrays", "REL-1", "An array of ten thousand elements is kept, in order") {
            environment in
            let db = try await environment.open(Tagged.self)
            let tagged = Tagged(tags: (0..<10_000).map { "tag \($0 &* 7919 % 1000)" }, scores: Array(0..<2_000))
            try await db.save(tagged)
            let same = try expect(some: try await db.find(Tagged.self, key: tagged.id ?? 0), "the object")
            try expect(same.tags == tagged.tags, "The long array was changed.")
            try expect(same.scores == tagged.scores, "The other array was changed.")
        },
        ConformanceCase("rel-1.struct", "REL-1", "The arrays of a struct are replaced whole when it is saved") {
            environment in
            let db = try await environment.open(Arrays.self)
            var owner = Arrays(id: 4)
            owner.string = ["a", "b", "c"]
            owner.int = [1]
            try expect(try await db.save(owner), equals: owner, "what the first save returned")
            owner.string = ["c"]
            owner.int = []
            owner.bool = [true, false, true]
            try expect(try await db.save(owner), equals: owner, "what the second save returned")
            try expect(try await db.find(Arrays.self, key: 4), equals: owner, "what was read back")
        },
        ConformanceCase(
            "rel-1.composite-owner",
            "REL-1",
            "The arrays of owners with composite keys stay with their owners"
        ) { environment in
            let db = try await environment.open(Place.self)
            let tokens = [UUID(), UUID()]
            var places: [Place] = []
            for country in ["a", "ab"] {
                for number in [Int32(1), -1] {
                    for token in tokens {
                        let name = "\(country) \(number) \(token)"
                        places.append(Place(country, number, token, name: name, aliases: [name, name + "'"]))
                    }
                }
            }
            try await db.save(places)
            for place in try await db.fetch(Place.self) {
                try expect(place.aliases, equals: [place.name, place.name + "'"], "the array of one owner")
            }
            let key = Key("ab", Int32(-1), tokens[1])
            let one = try expect(some: try await db.find(Place.self, key: key), "the owner found by its key")
            one.aliases = []
            try await db.save(one)
            let lengths = try await db.fetch(Place.self).map(\.aliases.count)
            try expect(lengths.filter { $0 == 0 }.count, equals: 1, "the number of owners without elements")
            try expect(lengths.filter { $0 == 2 }.count, equals: 7, "the number of owners with their elements")
        },
        ConformanceCase(
            "rel-1.deletion",
            "REL-1",
            "Deleting an owner deletes its elements, and no others"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let tagged = (0..<3).map { Tagged("\($0)", tags: ["a", "b"], scores: [$0], gaps: [nil]) }
            try await db.save(tagged)
            try expect(try await db.delete(tagged[1]), equals: 1, "the number of rows deleted")
            func elements(_ table: String) async throws -> Int {
                try await db.sql("SELECT count(*) FROM \(identifier: table)").fetch(as: Int.self)[0]
            }
            try expect(try await elements("tagged_tags"), equals: 4, "the tags that are left")
            try expect(try await elements("tagged_scores"), equals: 2, "the scores that are left")
            try expect(try await elements("tagged_gaps"), equals: 2, "the gaps that are left")
            try expect(try await db.fetch(Tagged.self).map(\.name), equals: ["0", "2"], "the owners that are left")
            try expect(try await db.deleteAll(Tagged.self), equals: 2, "the number of rows deleted")
            try expect(try await elements("tagged_tags"), equals: 0, "the tags after all was deleted")
        },
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
