import Foundation
import Holdfast

/// Indexes of values inside documents.
extension ConformanceCase {
    static let qry3Indexes: [ConformanceCase] = [
        ConformanceCase(
            "qry-3.unique-indexes", "QRY-3",
            "Indexes of values inside documents are made once, and a unique one refuses a second value",
            requires: [.documents, .documentIndexes, .describingSchemas, .maintenance]
        ) { environment in
            let db = try await environment.open(Shelved.First.self)
            try expect(try await db.migrate(Shelved.First.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Shelved.First.self), equals: [], "the differences")
            _ = try await db.insert(Shelved.First(body: .sample(8)))
            try await expect(.uniqueViolation, from: "a second value in a unique index") {
                _ = try await db.insert(Shelved.First(body: .sample(8)))
            }
        },
        ConformanceCase(
            "qry-3.indexes", "QRY-3",
            "Indexes of values inside documents serve conditions and orders",
            requires: [.documents, .documentIndexes, .describingSchemas, .maintenance]
        ) { environment in
            let db = try await environment.open(Shelved.First.self)
            let made = try await indexNames(db)
            try expect(made.count, equals: 5, "the number of indexes")

            try await fillShelves(db)
            let all = db.query(Shelved.First.self)
            func uses(_ query: Query<Shelved.First>, _ what: String) async throws {
                let plan = try await query.explain()
                try expect(made.contains(where: plan.contains), "No index serves \(what): \(plan)")
            }
            func expectFound(_ query: Query<Shelved.First>, _ numbers: [Int], _ what: String) async throws {
                try await uses(query, what)
                try expect(
                    try await query.fetch().map(\.body.number).sorted(), equals: numbers, "the result of \(what)")
            }
            try await expectFound(
                all.where { $0.body.json("address.city", as: String.self) == "city 17" }, [17], "an equal text")
            try await expectFound(
                all.where {
                    $0.body.json("address.city", as: String.self) >= "city 17"
                        && $0.body.json("address.city", as: String.self) < "city 171"
                }, [17, 170] + Array(1_700..<1_710), "a range of texts")
            try await expectFound(
                all.where { $0.body.json("address.city", as: String.self).hasPrefix("city 399") },
                [399] + Array(3_990..<4_000), "a beginning")
            try await expectFound(
                all.where { $0.body.json("sizes[0]", as: Int.self) == 3_000 }, [3_000], "an equal integer")
            try await expectFound(
                all.where { $0.body.json("sizes[0]", as: Int32.self) == 3_000 }, [3_000], "an integer of 32 bits")
            try await expectFound(all.where("body.sizes[0] = \(3_000)"), [3_000], "condition text")
            try await expectFound(
                all.where { $0.body.json("weight", as: Double.self).in(1_999.25...2_000) }, [3_999],
                "a range of numbers")
            try await expectFound(
                all.where("body.weight > 1999 AND body.weight < 3000"), [3_999], "a range in condition text")
            try await expectFound(
                all.where { $0.body.json("sizes[0]", as: Int.self).in([5, 7]) }, [5, 7], "a list of integers")
            for query in [
                all.order { $0.body.json("address.city", as: String.self).ascending },
                all.order { $0.body.json("sizes[0]", as: Int.self).descending },
            ] { try await uses(query.limit(3), "an order") }
            let last = all.order { $0.body.json("weight", as: Double.self).descending }.limit(2)
            try expect(try await last.fetch().map(\.body.number), equals: [3_999, 3_998], "the greatest")
        },
        ConformanceCase(
            "qry-3.renamed-indexes", "QRY-3",
            "Indexes of values inside documents follow renames, and go with their column",
            requires: [.documents, .documentIndexes, .describingSchemas, .maintenance]
        ) { environment in
            let db = try await environment.open(Shelved.First.self)
            try await fillShelves(db)
            try await db.migrate(Shelved.Second.self)
            let renamed = try await indexNames(db)
            try expect(renamed.count, equals: 5, "the number of indexes after a rename")
            try expect(try await db.migrate(Shelved.Second.self).steps, equals: [], "the steps after a rename")
            try expect(try await db.drift(Shelved.Second.self), equals: [], "the differences after a rename")
            let plan = try await db.query(Shelved.Second.self).where {
                $0.content.json("sizes[0]", as: Int.self) == 9
            }.explain()
            try expect(renamed.contains(where: plan.contains), "No index serves after a rename: \(plan)")

            let schema = Schema(Shelved.Third.self, allowing: [.dropping(column: "content", of: "shelved")])
            try await db.migrate(schema)
            try expect(try await indexNames(db), equals: [], "the indexes without the column")
        },
        ConformanceCase(
            "qry-3.index-errors", "QRY-3", "An index into what is no document, or by what is no path, is refused",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            _ = try await db.query(AnyDocument.self).where { $0.body.hasJSON("a") }.count()
            let value = try await expect(.conflict, from: "an index into a number") {
                try await db.migrate(Shelved.OfNumber.self)
            }
            try expect(value.properties, equals: ["rank"], "the property")
            let path = try await expect(.conflict, from: "an index by what is no path") {
                try await db.migrate(Shelved.ByNoPath.self)
            }
            try expect(path.properties, equals: ["body"], "the property")
        },
    ]

    private static func indexNames(_ db: Database) async throws -> Set<String> {
        Set(try await db.schema().table("shelved")?.indexes.map(\.name) ?? [])
    }

    /// Inserts so many rows that an engine uses indexes.
    private static func fillShelves(_ db: Database) async throws {
        for start in stride(from: 0, to: 4_000, by: 1_000) {
            _ = try await db.insert((start..<start + 1_000).map { Shelved.First(body: .sample($0)) })
        }
        try await db.analyze(Shelved.First.self)
    }
}
