import Foundation
import Holdfast

/// Condition text and key paths that lead into documents.
extension ConformanceCase {
    static let qry3Text: [ConformanceCase] = [
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
        },
        ConformanceCase(
            "qry-3.key-paths", "QRY-3", "Key paths into a document find what its paths do, by the names of coding keys",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(Parcelled.self)
            let parcels = (0..<6).map { Parcelled(.sample($0)) }
            parcels[1].spare = parcels[2].parcel
            try await db.save(parcels)
            let all = db.query(Parcelled.self)
            func check(
                _ condition: (Columns<Parcelled>) -> Condition, _ expected: [Int], line: Int = #line
            ) async throws {
                let found = try await all.where(condition(Columns())).fetch().map(\.parcel.default)
                try expect(found, equals: expected, "what is found", line: line)
            }
            try await check({ $0.parcel.place.city == "city 3" }, [3])
            try await check({ $0.parcel.place.zip == nil }, [2])
            try await check({ $0.parcel.origin.city == "x" && $0.parcel.weight > 0.5 }, [2])
            try await check({ $0.parcel.lines[1].count >= 4 }, [4, 5])
            try await check({ $0.parcel.lines[3].sku == "s3" }, [4, 5])
            try await check({ $0.parcel.tags.contains("t1") || $0.parcel.tags[0] == "t4" }, [1, 4])
            try await check({ $0.parcel.isFragile == true }, [4])
            try await check({ $0.parcel.default.in([1, 5]) }, [1, 5])
            try await check({ $0.spare.place.city == "city 2" }, [1])
            try await check({ $0.parcel.json("place.\"town name\"", as: String.self) == "city 0" }, [0])
            try await check({ $0.spare != nil }, [1])
            let order = try await all.order { $0.parcel.weight.descending }.select { $0.parcel.place.city }.fetch()
            try expect(order.first ?? nil, equals: "city 5", "the first of an order")
            try await expect(.invalidValue, from: "a property that is not encoded") {
                _ = try await all.where { $0.parcel.place.isCached == true }.fetch()
            }
            try await expect(.syntax, from: "a position before the first") {
                _ = try await all.where { $0.parcel.lines[-1].count == 0 }.fetch()
            }
        },
    ]
}
