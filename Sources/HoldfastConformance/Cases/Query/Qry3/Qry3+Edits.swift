import Foundation
import Holdfast

/// Bulk updates of what is inside documents.
extension ConformanceCase {
    static let qry3Edits: [ConformanceCase] = [
        ConformanceCase(
            "qry-3.edits", "QRY-3", "Values are set and removed inside random documents as in memory",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            var random = SplitMix64(state: environment.seed)
            let documents = (0..<60).map { _ in AnyDocument(.random(3, &random)) }
            try await db.save(documents)
            let all = db.query(AnyDocument.self)
            var expected = documents.map(\.body.canonical)
            for round in 0..<80 {
                let count = Int.random(in: 1...3, using: &random)
                let edits = (0..<count).map { _ in
                    let path = AnyJSON.randomPath(&random)
                    let isRemoval = Int.random(in: 0..<3, using: &random) == 0
                    return (path: path, value: isRemoval ? nil : AnyJSON.random(2, &random))
                }
                let changed = try await all.update { assignments in
                    for (path, value) in edits {
                        if let value {
                            assignments.body.setJSON(path.text, to: value)
                        } else {
                            assignments.body.removeJSON(path.text)
                        }
                    }
                }
                try expect(changed, equals: documents.count, "the rows of round \(round)")
                for (path, value) in edits {
                    expected = expected.map { $0.editing(path.steps, to: value?.canonical) }
                }
                let found = try await all.order { $0.id.ascending }.fetch().map(\.body.canonical)
                for index in expected.indices where found[index] != expected[index] {
                    throw ExpectationFailure(
                        "Document \(index) is \(found[index]), not \(expected[index]), after \(edits) in round \(round).",
                        #fileID, #line)
                }
            }
        },
        ConformanceCase(
            "qry-3.edit-rules", "QRY-3",
            "A value is set in a parent that is there, nowhere else, and the rest of a document stays as it is written",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            let all = db.query(AnyDocument.self)
            let start = AnyJSON.object([
                "a": .object(["b": .integer(1)]), "list": .array([.integer(1), .integer(2)]), "text": .text("x"),
            ])
            let document = AnyDocument(start)
            try await db.save(document)
            typealias Change = @Sendable (inout Assignments<AnyDocument>) -> Void
            func check(_ path: [any Sendable], _ value: AnyJSON?, _ change: Change, _ what: String) async throws {
                try expect(try await all.update(change), equals: 1, "the rows of \(what)")
                let expected = path.isEmpty ? document.body : document.body.editing(path, to: value)
                try await db.reload(document)
                try expect(document.body.canonical, equals: expected.canonical, "the document after \(what)")
                document.body = start
                try await db.save(document)
            }
            try await check(["a", "b"], .text("y"), { $0.body.setJSON("a.b", to: "y") }, "a member that is there")
            try await check(["a", "c"], .boolean(true), { $0.body.setJSON("a.c", to: true) }, "a new member")
            try await check(["a"], .null, { $0.body.setJSON("a", to: nil) }, "null")
            try await check(["a"], .array([.integer(3)]), { $0.body.setJSON("a", to: [3]) }, "an array")
            try await check(["a"], .object(["x": .real(0.5)]), { $0.body.setJSON("a", to: ["x": 0.5]) }, "an object")
            try await check(["list", 1], .integer(9), { $0.body.setJSON("list[1]", to: 9) }, "an element")
            try await check(["list", 0], nil, { $0.body.removeJSON("list[0]") }, "an element that is removed")
            try await check(["a", "b"], nil, { $0.body.removeJSON("a.b") }, "a member that is removed")
            try await check([], nil, { $0.body.setJSON("x.y", to: 1) }, "a parent that is missing")
            try await check([], nil, { $0.body.setJSON("list[2]", to: 1) }, "a position behind the last")
            try await check([], nil, { $0.body.setJSON("list.a", to: 1) }, "a member of an array")
            try await check([], nil, { $0.body.setJSON("a[0]", to: 1) }, "an element of an object")
            try await check([], nil, { $0.body.setJSON("text.a", to: 1) }, "a member of a text")
            try await check([], nil, { $0.body.setJSON("text[0]", to: 1) }, "an element of a text")
            try await check([], nil, { $0.body.removeJSON("a.x") }, "a member that is not there")
            try await check([], nil, { $0.spare.setJSON("a", to: 1) }, "a property that is nil")

            try expect(try await all.where { $0.spare == nil }.count(), equals: 1, "what is nil still")
            let changed = try await all.where { $0.body.json("a.b", as: Int.self) == 1 }.update {
                $0.body.setJSON("a.b", to: 2)
                $0.body.setJSON("a.c", to: "it's")
                $0.number.set(5)
                $0.body.removeJSON("text")
            }
            try expect(changed, equals: 1, "the rows of several changes")
            try await db.reload(document)
            try expect(
                document.body.canonical,
                equals: .object([
                    "a": .object(["b": .integer(2), "c": .text("it's")]),
                    "list": .array([.integer(1), .integer(2)]),
                ]), "the document after several changes")
            try expect(document.number, equals: 5, "a property beside it")

            try await db.sql(
                "UPDATE document SET body = '{\"price\": 1.50, \"n\": {\"big\": 12345678901234567890.25}}'"
            )
            .execute()
            try await all.update { $0.body.setJSON("n.x", to: 1) }
            let text = try await db.sql("SELECT CAST(body AS text) AS body FROM document").first(as: String.self)
            try expect(text?.contains("1.50") == true, "The digits of a number are not kept: \(text ?? "nil").")
            try expect(
                text?.contains("12345678901234567890.25") == true, "A long number is not kept: \(text ?? "nil").")

            try await expect(.syntax, from: "a path that is none") {
                try await all.update { $0.body.setJSON("a..b", to: 1) }
            }
            try await expect(.invalidValue, from: "a value that JSON can't hold") {
                try await all.update { $0.body.setJSON("a", to: Double.infinity) }
            }
            try await expect(.invalidValue, from: "a text with NUL") {
                try await all.update { $0.body.setJSON("a", to: "\0") }
            }
            try await expect(.invalidValue, from: "a list that has a table") {
                try await db.migrate(Tagged.self)
                try await db.query(Tagged.self).update { $0.tags.setJSON("[0]", to: "x") }
            }
        },
    ]
}
