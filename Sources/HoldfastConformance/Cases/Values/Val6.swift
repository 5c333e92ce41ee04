import Foundation
import Holdfast

extension ConformanceCase {
    static let val6: [ConformanceCase] = [
        ConformanceCase("val-6.exact", "VAL-6", "A decimal of up to 38 digits is exact") { environment in
            let db = try await environment.open(Price.self)
            let texts = [
                "0", "1", "-1", "0.1", "-0.01", "1.10", "100", "12345678901234567890123456789012345678",
                "-0.00000000000000000000000000000000000001", "1234567890123456789.0123456789012345678",
                "1000000000000000000000",
            ]
            for (index, text) in texts.enumerated() {
                let price = Price(id: Int64(index), amount: try Scalars.decimalNumber(text))
                try expect(try await db.insert(price), equals: price, "what insert returned for \(text)")
                try expect(
                    try await db.find(Price.self, key: Int64(index)),
                    equals: price,
                    "what was read back for \(text)"
                )
            }
        },
        ConformanceCase(
            "val-6.equal-numbers-are-equal",
            "VAL-6",
            "Decimals that are equal as numbers are equal in the database"
        ) { environment in
            let db = try await environment.open(Price.self)
            _ = try await db.insert(Price(id: 1, amount: try Scalars.decimalNumber("2.50")))
            let same = Decimal(sign: .plus, exponent: -4, significand: 25_000)
            try await expect(.uniqueViolation, from: "inserting an equal decimal") {
                _ = try await db.insert(Price(id: 2, amount: same))
            }
            let rows = try await db.sql("SELECT id FROM \(Price.self) WHERE amount = \(same)").fetch(as: Int64.self)
            try expect(rows, equals: [1], "the rows with an equal decimal")
        },
        ConformanceCase(
            "val-6.scaled",
            "VAL-6",
            "A scaled decimal is an integer, and refuses digits that it would lose"
        ) { environment in
            let db = try await environment.open(Price.self)
            for (index, text) in ["12.50", "-0.01", "0", "92233720368547758.07", "-92233720368547758.08"].enumerated() {
                let price = Price(id: Int64(index), amount: Decimal(index), cents: try Scalars.decimalNumber(text))
                _ = try await db.insert(price)
                try expect(try await db.find(Price.self, key: Int64(index)), equals: price, "what was read back")
            }
            let rows = try await db.sql("SELECT cents FROM \(Price.self) WHERE id = \(0)").fetch(as: Int64.self)
            try expect(rows, equals: [1250], "the integer in the column")
            for text in ["0.005", "92233720368547758.08", "1e30"] {
                let price = Price(id: 9, amount: 9, cents: try Scalars.decimalNumber(text))
                let error = try await expect(.invalidValue, from: "inserting \(text)") {
                    _ = try await db.insert(price)
                }
                try expect(error.properties, equals: ["cents"], "the property that the error names")
            }
        },
    ]
}
