import Foundation
import Holdfast

extension ConformanceCase {
    static let val4: [ConformanceCase] = [
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
    ]
}
