import Foundation
import Holdfast

/// Key paths into documents.
extension ConformanceCase {
    static let queryKeyPaths: [ConformanceCase] = [
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
        }
    ]
}
