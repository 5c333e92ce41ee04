import Foundation
import Holdfast

/// Condition text about what is inside documents.
extension ConformanceCase {
    static let queryJSONText: [ConformanceCase] = [
        ConformanceCase(
            "qry-3.text", "QRY-3", "Condition text has paths into documents, whose types are those of the other side",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            func document(_ city: AnyJSON?, _ size: AnyJSON, _ tags: AnyJSON = .null) -> AnyDocument {
                var address: [String: AnyJSON] = ["c d": .text("z")]
                address["city"] = city
                return AnyDocument(
                    .object(["address": .object(address), "sizes": .array([size, .integer(1)]), "tags": tags]))
            }
            let documents = [
                document(.text("Bonn"), .integer(3), .array([.text("x"), .integer(7)])),
                document(.text("Berlin"), .real(3.5), .array([.text("7"), .boolean(true)])),
                document(.null, .text("3")),
                document(nil, .integer(1 << 53 + 1), .text("x")),
                document(.integer(3), .real(3), .object(["x": .text("x")])),
            ]
            for (index, document) in documents.enumerated() { document.number = index }
            try await db.save(documents)
            func check(_ condition: Condition, _ expected: [Int], line: Int = #line) async throws {
                let found = try await db.query(AnyDocument.self).where(condition).fetch().map(\.number)
                try expect(found, equals: expected, "what is found", line: line)
                let others = try await db.query(AnyDocument.self).where("NOT \(condition)").fetch().map(\.number)
                try expect(others, equals: (0..<5).filter { !expected.contains($0) }, "the others", line: line)
            }
            let city = "Bonn"
            try await check("body.address.city = \(city)", [0])
            try await check("body.address.city = 'Bonn' OR 'Berlin' = body.address.city", [0, 1])
            try await check("body.address.city <> 'Bonn'", [1, 2, 3, 4])
            try await check("body.address.\"c d\" = 'z' AND body.address.city < 'Bo'", [1])
            try await check("body.address.city LIKE 'b%'", [0, 1])
            try await check("body.address.city BETWEEN 'Bo' AND 'Bz'", [0])
            try await check("body.address.city IN ('Bonn', 3)", [0, 4])
            try await check("body.address.city IN (\(["Bonn", "Ulm"]), NULL)", [0, 2, 3])
            try await check("body.address.city IS NULL", [2, 3])
            try await check("body.address.city IS NOT NULL", [0, 1, 4])
            try await check("body.address.city = NULL", [2, 3])
            try await check("body.sizes[0] = 3", [0, 4])
            try await check("body.sizes[0] = \(3)", [0, 4])
            try await check("body.sizes[0] = 3.5", [1])
            try await check("body.sizes[0] > 3", [1, 3])
            try await check("body.sizes[0] >= \(3)", [0, 1, 3, 4])
            try await check("body.sizes[0] = 9007199254740993", [3])
            try await check("body.sizes[0] > 9007199254740992", [3])
            try await check("body.sizes[0] = '3'", [2])
            try await check("body.sizes[1] = 1 AND body.sizes[2] IS NULL", [0, 1, 2, 3, 4])
            try await check("body.tags CONTAINS 'x'", [0])
            try await check("7 IN body.tags", [0])
            try await check("body.tags CONTAINS \("7")", [1])
            try await check("body.tags[1]", [1])
            try await check("body.sizes[1] = number OR body.tags.x = 'x'", [1, 4])
            try await check(.compare("body.address.city", .equal, city), [0])
            try await check(.compare("body.sizes[0]", .greater, 3), [1, 3])
            try await check(.contains("body.tags", "x"), [0])
            try await check(.isNil("body.address.city"), [2, 3])
            try await check(.isIn("body.address.city", ["Bonn", "Berlin"]), [0, 1])

            func fails(
                _ code: DatabaseError.Code, _ condition: Condition, _ part: String, line: Int = #line
            ) async throws {
                let error = try await expect(code, from: "the condition that has \(part)", line: line) {
                    _ = try await db.query(AnyDocument.self).where(condition).fetch()
                }
                try expect(error.message.contains(part), "The error lacks \(part): \(error)", line: line)
            }
            try await fails(.syntax, "number = 1 AND body.sizes[x] = 1", "at character 27")
            try await fails(.syntax, "body.sizes[0 = 1", "at character 14")
            try await fails(.syntax, "number[0] = 1", "at character 1")
            try await fails(.syntax, "number.a = 1", "at character 1")
            try await fails(.syntax, "number = 1 AND body.\"a\\b\" = 1", "at character 16")
            try await fails(.invalidValue, "number = 1 AND body.a = body.b", "at character 25")
            try await fails(.invalidValue, "number = 1 AND body.a + 1 = 2", "at character 16")
            try await fails(.invalidValue, "number = 1 AND body.a > \(Date())", "at character 16")
            try await expect(.invalidValue, from: "an order that names no type") {
                _ = try await db.query(AnyDocument.self).order(by: [.ascending("body.a")]).fetch()
            }
        }
    ]
}
