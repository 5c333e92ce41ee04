import Foundation
import Holdfast

/// Keys of any type that the database makes.
extension ConformanceCase {
    static let opMadeKeys: [ConformanceCase] = [
        ConformanceCase(
            "op-made-keys.uuid", "OP-MADE-KEYS",
            "A UUID that the database makes is the key of the object, by itself and in a graph",
            level: .graph
        ) { environment in
            let db = try await environment.open(Made.ByUUID.self, Made.Flat.self)
            try expect(try await db.migrate(Made.ByUUID.self).steps, equals: [], "the steps of a second time")
            let flat = Made.Flat("one")
            try await db.save(flat)
            let id = try expect(some: flat.id, "the key")
            try expect(try await db.find(Made.Flat.self, key: id)?.name, equals: "one", "the row")
            flat.name = "two"
            try await db.save(flat)
            try expect(try await db.fetch(Made.Flat.self).map(\.name), equals: ["two"], "the rows")

            let child = Made.ByUUID("child")
            child.parent = Made.ByUUID("parent")
            child.words = ["a", "b"]
            try await db.save(child)
            let key = try expect(some: child.id, "the key of the child")
            let found = try expect(some: try await db.find(Made.ByUUID.self, key: key), "the child")
            try expect(found.parent?.name, equals: "parent", "whom it refers to")
            try expect(found.parent?.id, equals: child.parent?.id, "the key of that")
            try expect(found.words, equals: ["a", "b"], "its words")
            let given = Made.Flat("given")
            given.id = UUID()
            try await db.insert(given)
            try expect(
                try await db.find(Made.Flat.self, key: given.id ?? id)?.name, equals: "given", "a key of the caller's")
        },
        ConformanceCase(
            "op-made-keys.batches", "OP-MADE-KEYS",
            "Each of many objects gets the key of its own row, whatever its type",
            level: .graph
        ) { environment in
            let db = try await environment.open(
                Made.ByInt.self, Made.ByInt32.self, Made.ByInt16.self, Made.Flat.self)
            let flats = (0..<200).map { Made.Flat("\($0)") }
            try await db.save(flats)
            for flat in flats {
                let key = try expect(some: flat.id, "a key")
                try expect(try await db.find(Made.Flat.self, key: key)?.name, equals: flat.name, "the row of a key")
            }
            let numbered = (0..<200).map { Made.ByInt("\($0)") }
            try await db.insert(numbered)
            try expect(numbered.map(\.number), equals: (1...200).map { $0 }, "the numbers")
            let values = try await db.save((0..<100).map { Made.ByInt32(id: nil, name: "\($0)") })
            try expect(try await db.fetch(Made.ByInt32.self), equals: values, "the values")
            let small = try await db.save(Made.ByInt16(id: nil, name: "a"))
            try expect(small.id, equals: 1, "the small number")
            // The next one is not that of the caller.
            _ = try await db.insert(Made.ByInt32(id: 101, name: "given"))
            try expect(try await db.save(Made.ByInt32(id: nil, name: "next")).id, equals: 102, "the next number")
        },
        ConformanceCase(
            "op-made-keys.others", "OP-MADE-KEYS",
            "A text that another's table makes is the key; a key that nobody makes is refused"
        ) { environment in
            let db = try await environment.open()
            let refused = try await expect(.conflict, from: "making a table with texts as keys") {
                try await db.migrate(Made.ByText.self)
            }
            try expect(refused.properties, equals: ["id"], "the property of the error")
            try await db.sql(
                """
                CREATE TABLE made_text (
                    id varchar(40) DEFAULT (CAST(random() AS varchar(40))) NOT NULL PRIMARY KEY, name varchar(40))
                """
            ).execute()
            try await db.adopt(Made.ByText.self)
            try await db.migrate(Made.ByText.self)
            let texts = (0..<100).map { Made.ByText("\($0)") }
            try await db.save(texts)
            try await db.save(Made.ByText("last"))
            for text in texts {
                let key = try expect(some: text.id, "a key")
                try expect(try await db.find(Made.ByText.self, key: key)?.name, equals: text.name, "the row of a key")
            }
            try await db.sql("CREATE TABLE made_flat (id varchar(40) PRIMARY KEY, name varchar(40))").execute()
            let nothing = try await expect(.notNullViolation, from: "a key that nobody makes") {
                try await db.save(Made.Flat("a"))
            }
            try expect(nothing.properties, equals: ["id"], "the property of the error")
            try await expect(.notNullViolation, from: "keys that nobody makes") {
                try await db.save([Made.Flat("b"), Made.Flat("c")])
            }
        },
    ]
}
