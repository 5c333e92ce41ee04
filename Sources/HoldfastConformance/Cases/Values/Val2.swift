import Foundation
import Holdfast

extension ConformanceCase {
    static let val2: [ConformanceCase] = [
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
    ]
}
