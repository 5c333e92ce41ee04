import Foundation
import Holdfast

extension ConformanceCase {
    static let val5: [ConformanceCase] = [
        ConformanceCase(
            "val-5.nul-in-text",
            "VAL-5",
            "A NUL character in text is refused before anything is sent, wherever it is"
        ) { environment in
            let db = try await environment.open(Tagged.self, Named.self, Note.self)
            for text in ["\0", "a\0", "\0b", "a\0b", "é\0\0"] {
                let tagged = Tagged(text)
                let error = try await expect(.invalidValue, from: "inserting NUL") { try await db.insert(tagged) }
                try expect(error.properties, equals: ["name"], "the property that the error names")
                try expect(tagged.id, equals: nil, "the key of an object that was refused")
                try await expect(.invalidValue, from: "inserting NUL in an array") {
                    try await db.insert(Tagged("x", tags: ["a", text]))
                }
                try await expect(.invalidValue, from: "inserting NUL in a key") {
                    _ = try await db.insert(Named(name: text))
                }
                try await expect(.invalidValue, from: "finding by NUL") { _ = try await db.find(Named.self, key: text) }
                try await expect(.invalidValue, from: "binding NUL") {
                    try await db.sql("UPDATE \(Named.self) SET name = \(text)").execute()
                }
            }
            let note = Note("fine")
            try await db.save(note)
            note.body = "not \0 fine"
            try await expect(.invalidValue, from: "updating to NUL") { try await db.save(note) }
            try expect(note.isDirty, "An object that could not be saved is no longer dirty.")
            let counts = [try await db.count(Tagged.self), try await db.count(Named.self)]
            try expect(counts, equals: [0, 0], "the numbers of rows")
        },
        ConformanceCase(
            "val-5.nul-elsewhere",
            "VAL-5",
            "NUL is a byte like any other in a blob, and refused in the texts of JSON"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            var value = Scalars(id: 1)
            value.data = Data([0, 1, 0, 0])
            value.address = Address(street: #"\u0000 \\u0000"#, unit: "\u{1}")
            _ = try await db.insert(value)
            try expect(try await db.find(Scalars.self, key: 1), equals: value, "what was read back")
            for address in [Address(street: "a\0b"), Address(flags: ["\0": true]), Address(unit: "\\\0")] {
                var refused = Scalars(id: 2)
                refused.address = address
                let error = try await expect(.invalidValue, from: "inserting JSON with NUL") { [refused] in
                    _ = try await db.insert(refused)
                }
                try expect(error.properties, equals: ["address"], "the property that the error names")
            }
        },
    ]
}
