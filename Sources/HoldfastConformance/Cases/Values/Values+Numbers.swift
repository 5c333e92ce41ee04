import Foundation
import Holdfast

extension ConformanceCase {
    static let numbers: [ConformanceCase] = [
        ConformanceCase(
            "val-2.unsigned-over-64-bits",
            "VAL-2",
            "An integer above Int64.max is refused before anything is sent"
        ) { environment in
            let db = try await environment.open(Scalars.self, OptionalScalars.self, Arrays.self)
            var value = Scalars(id: 1)
            value.uint64 = UInt64(Int64.max) + 1
            let refused = value
            let error = try await expect(.invalidValue, from: "inserting a UInt64 above Int64.max") {
                _ = try await db.insert(refused)
            }
            try expect(error.properties, equals: ["uint64"], "the property that the error names")
            try expect(error.table, equals: "scalars", "the table that the error names")
            try expect(error.message.contains("from 0 to 9223372036854775807"), "The error says: \(error.message)")
            var optional = OptionalScalars(id: 1)
            optional.uint = .max
            let refusedOptional = optional
            try await expect(.invalidValue, from: "inserting UInt.max") { _ = try await db.insert(refusedOptional) }
            var owner = Arrays(id: 1)
            owner.uint64 = [1, .max]
            let refusedOwner = owner
            try await expect(.invalidValue, from: "inserting UInt64.max in an array") {
                _ = try await db.insert(refusedOwner)
            }
            try await expect(.invalidValue, from: "finding by a key above Int64.max") {
                _ = try await db.find(Scalars.self, key: UInt64.max)
            }
            let counts = [
                try await db.count(Scalars.self), try await db.count(OptionalScalars.self),
                try await db.count(Arrays.self),
            ]
            try expect(counts, equals: [0, 0, 0], "the numbers of rows")
        },
        ConformanceCase(
            "val-2.refused-in-a-batch",
            "VAL-2",
            "One value of a batch that does not fit keeps the whole batch from being sent"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            var values = (1...5).map { Scalars(id: $0) }
            values[3].uint = .max
            let batch = values
            let error = try await expect(.invalidValue, from: "inserting a batch") { _ = try await db.insert(batch) }
            try expect(error.objectIndex, equals: 3, "the position that the error names")
            try expect(try await db.count(Scalars.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "val-2.integers-stay-integers",
            "VAL-2",
            "An integer beyond 2⁵³ is kept exactly, also through SQL of one's own"
        ) { environment in
            let db = try await environment.open(Note.self)
            let numbers: [Int64] = [9_007_199_254_740_993, -9_007_199_254_740_993, .max - 1, .min + 1]
            for number in numbers {
                let note = Note(rank: Int(number))
                try await db.save(note)
                let rows = try await db.sql("SELECT rank FROM \(Note.self) WHERE rank = \(number)").fetch(
                    as: Int64.self
                )
                try expect(rows, equals: [number], "the number that SQL finds")
            }
        },
        ConformanceCase("val-4.not-a-number", "VAL-4", "NaN is refused before anything is sent") { environment in
            let db = try await environment.open(Scalars.self, Arrays.self)
            var values = [Scalars](repeating: Scalars(id: 1), count: 5)
            values[0].double = .nan
            values[1].float = .signalingNaN
            values[2].decimal = .nan
            values[3].celsius = Celsius(.nan)
            values[4].double = -.nan
            for (value, property) in zip(values, ["double", "float", "decimal", "celsius", "double"]) {
                let error = try await expect(.invalidValue, from: "inserting NaN") { _ = try await db.insert(value) }
                try expect(error.properties, equals: [property], "the property that the error names")
            }
            var owner = Arrays(id: 1)
            owner.double = [1, .nan]
            let refused = owner
            try await expect(.invalidValue, from: "inserting NaN in an array") { _ = try await db.insert(refused) }
            try await expect(.invalidValue, from: "binding NaN") {
                _ = try await db.sql("SELECT count(*) FROM \(Scalars.self) WHERE double = \(Double.nan)").fetch()
            }
            try expect(try await db.count(Scalars.self), equals: 0, "the number of rows")
        },
        ConformanceCase("val-4.infinities", "VAL-4", "Infinities are kept, and compare as numbers") { environment in
            let db = try await environment.open(Scalars.self)
            var value = Scalars(id: 1)
            value.double = -.infinity
            value.float = .infinity
            try expect(try await db.insert(value), equals: value, "what insert returned")
            try expect(try await db.find(Scalars.self, key: 1), equals: value, "what was read back")
            let below = try await db.sql("SELECT id FROM \(Scalars.self) WHERE double < \(-1e308)").fetch(
                as: Int64.self
            )
            try expect(below, equals: [1], "the rows below the least finite number")
        },
        ConformanceCase(
            "val-4.negative-zero",
            "VAL-4",
            "-0.0 becomes 0.0, in the object as in the database"
        ) { environment in
            let db = try await environment.open(Scalars.self, Arrays.self)
            var value = Scalars(id: 1)
            value.double = -0.0
            value.float = -0.0
            let saved = try await db.insert(value)
            try expect(saved.double.sign, equals: .plus, "the sign in the saved object")
            try expect(saved.float.sign, equals: .plus, "the sign in the saved object")
            let same = try expect(some: try await db.find(Scalars.self, key: 1), "the row")
            try expect(same.double.sign, equals: .plus, "the sign in the row")
            try expect(same.float.sign, equals: .plus, "the sign in the row")
            var owner = Arrays(id: 1)
            owner.double = [-0.0]
            try expect(try await db.insert(owner).double[0].sign, equals: .plus, "the sign of the saved element")
            let elements = try await db.find(Arrays.self, key: 1)?.double
            try expect(elements?.first?.sign, equals: .plus, "the sign of the stored element")
        },
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
