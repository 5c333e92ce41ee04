import Foundation
import Holdfast

extension ConformanceCase {
    static let queryJSONElements: [ConformanceCase] = [
        ConformanceCase(
            "qry-3.elements", "QRY-3",
            "Elements of arrays inside random documents, and kinds of values, are as in memory",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            var random = SplitMix64(state: environment.seed)
            let documents = (0..<200).map { _ in AnyDocument(.random(3, &random)) }
            try await db.save(documents)
            let all = db.query(AnyDocument.self)
            let body = Columns<AnyDocument>().body
            func check(_ condition: Condition, _ isFound: (AnyJSON) -> Bool, _ what: String) async throws {
                let found = try await all.where(condition).keys()
                let expected = documents.filter { isFound($0.body) }.compactMap { $0.id }.map { Key($0) }
                try expect(found, equals: expected, "what is found by \(what)")
                let others = try await all.where(!condition).count()
                try expect(others, equals: documents.count - expected.count, "what is not found by \(what)")
            }
            try await check(body.json(contains: "7"), { $0.elements.contains { $0.asText == "7" } }, "a text")
            try await check(body.json(contains: 7), { $0.elements.contains { $0.asInteger == 7 } }, "an integer")
            for round in 0..<80 {
                let path = AnyJSON.randomPath(&random)
                let (text, steps) = (path.text, path.steps)
                func elements(_ document: AnyJSON) -> [AnyJSON] { document.value(at: steps)?.elements ?? [] }
                for value in ["7", "a", ""] {
                    try await check(
                        body.json(text, contains: value), { elements($0).contains { $0.asText == value } },
                        "a text in \(text) in round \(round)")
                }
                for value in [7, 0, Int.max] {
                    try await check(
                        body.json(text, contains: value), { elements($0).contains { $0.asInteger == value } },
                        "an integer in \(text) in round \(round)")
                }
                for value in [0.5, 7, 1e300] {
                    try await check(
                        body.json(text, contains: value), { elements($0).contains { $0.asReal == value } },
                        "a number in \(text) in round \(round)")
                }
                try await check(
                    body.json(text, contains: true), { elements($0).contains { $0.asBoolean == true } },
                    "a truth value in \(text) in round \(round)")
                for kind in JSONKind.allCases {
                    try await check(
                        body.hasJSON(text, kind), { $0.value(at: steps)?.kind == kind },
                        "the kind \(kind) of \(text) in round \(round)")
                }
            }
        },
        ConformanceCase(
            "qry-3.kinds", "QRY-3", "Null is told from what is missing, in documents and of a property that is nil",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            let documents = [
                AnyDocument(.object(["tags": .array([.text("x"), .integer(7), .null])])),
                AnyDocument(.object(["tags": .null])), AnyDocument(.object(["tags": .text("x")])),
                AnyDocument(.object(["tags": .object(["x": .text("x")])])), AnyDocument(.object([:])),
                AnyDocument(.array([.text("x")])), AnyDocument(.null),
            ]
            documents[0].spare = documents[0].body
            try await db.save(documents)
            func found(_ condition: (Columns<AnyDocument>) -> Condition) async throws -> [Int] {
                let keys = try await db.query(AnyDocument.self).where(condition(Columns())).fetch().map(\.id)
                return documents.indices.filter { keys.contains(documents[$0].id) }
            }
            try expect(try await found { $0.body.json("tags", contains: "x") }, equals: [0], "an array with a text")
            try expect(try await found { $0.body.json("tags", contains: 7) }, equals: [0], "an array with a number")
            try expect(try await found { $0.body.json("tags", contains: "7") }, equals: [], "an array with digits")
            try expect(try await found { $0.body.json(contains: "x") }, equals: [5], "a property that is an array")
            try expect(try await found { $0.spare.json("tags", contains: 7) }, equals: [0], "an optional property")
            try expect(
                try await found { !$0.spare.json("tags", contains: 7) }, equals: [1, 2, 3, 4, 5, 6], "none of them")
            try expect(try await found { $0.body.hasJSON("tags", .null) }, equals: [1], "null")
            try expect(try await found { !$0.body.hasJSON("tags") }, equals: [4, 5, 6], "nothing")
            try expect(try await found { $0.body.hasJSON("tags", .object) }, equals: [3], "an object")
            try expect(
                try await found { $0.body.json("[0]", as: String.self) == "x" }, equals: [5], "the first of an array")
            try await expect(.invalidValue, from: "an element of a number") {
                _ = try await db.query(AnyDocument.self).where { $0.number.json(contains: 1) }.fetch()
            }
            try await expect(.invalidValue, from: "an element that is no number") {
                _ = try await db.query(AnyDocument.self).where { $0.body.json("a", contains: Double.nan) }.fetch()
            }
        },
    ]
}
