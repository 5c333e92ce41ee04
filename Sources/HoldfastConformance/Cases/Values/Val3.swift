import Foundation
import Holdfast

extension ConformanceCase {
    static let val3: [ConformanceCase] = [
        ConformanceCase(
            "val-3.rounds-to-microseconds",
            "VAL-3",
            "A date is rounded to the microsecond, and written back so that a saved object equals its reload"
        ) { environment in
            let db = try await environment.open(Dates.self, Stamped.self)
            let odd = Date(timeIntervalSinceReferenceDate: 721_692_800.123_456_78)
            var saved = try await db.insert(Dates(id: 1, odd))
            try expect(saved.native != odd, "The saved date still has parts of a microsecond.")
            try expect(abs(saved.native.timeIntervalSince(odd)) < 0.000_001, "The date moved by a microsecond or more.")
            try expect(try await db.find(Dates.self, key: 1), equals: saved, "what was read back")
            try expect(saved.exact, equals: odd, "the date that keeps every bit")
            saved = try await db.save(saved)
            try expect(try await db.find(Dates.self, key: 1), equals: saved, "what a second save left")

            let stamped = Stamped("class")
            stamped.createdAt = odd
            try await db.save(stamped)
            let same = try expect(some: try await db.find(Stamped.self, key: stamped.id ?? 0), "the object")
            try expect(same.createdAt, equals: stamped.createdAt, "the date of a class")
            try expect(!stamped.isDirty, "What the save wrote back counts as a change.")
        },
        ConformanceCase(
            "val-3.far-dates",
            "VAL-3",
            "Dates before 1970 and after 9999 survive to the microsecond, in every layout"
        ) { environment in
            let db = try await environment.open(Dates.self)
            let dates: [Date] = [
                .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1),
                Date(timeIntervalSince1970: -0.000_001), Date(timeIntervalSince1970: -1.5),
                Date(timeIntervalSince1970: 0.999_999), Date(timeIntervalSinceReferenceDate: 0),
                Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: 253_402_300_799.5),
                Date(timeIntervalSince1970: 253_402_300_800), Date(timeIntervalSince1970: 13_569_465_600.25),
                Date(timeIntervalSince1970: 951_782_400), Date(timeIntervalSince1970: -12_219_292_800),
            ]
            for (index, date) in dates.enumerated() {
                let saved = try await db.insert(Dates(id: Int64(index), date))
                let same = try expect(some: try await db.find(Dates.self, key: Int64(index)), "the row")
                try expect(same, equals: saved, "what was read back of \(date.timeIntervalSince1970)")
                for stored in [same.native, same.iso8601, same.since1970, same.since2001] {
                    try expect(
                        abs(stored.timeIntervalSince(date)) < 0.000_02,
                        "\(date.timeIntervalSince1970) became \(stored)."
                    )
                }
                try expect(same.exact, equals: date, "the date that keeps every bit")
                try expect(same.several, equals: [saved.native, saved.native], "the elements of an array of dates")
            }
        },
        ConformanceCase(
            "val-3.microseconds-are-kept",
            "VAL-3",
            "Neighbouring microseconds stay apart, a century from now too"
        ) { environment in
            let db = try await environment.open(Arrays.self)
            var owner = Arrays(id: 1)
            let starts: [TimeInterval] = [-4_000_000_000, -1, 0, 700_000_000, 4_200_000_000]
            owner.date = starts.flatMap { start in
                [1, 2, 3, 499_999, 500_000, 999_999].map {
                    Date(timeIntervalSinceReferenceDate: start + Double($0) / 1_000_000)
                }
            }
            let saved = try await db.insert(owner)
            let same = try expect(some: try await db.find(Arrays.self, key: 1), "the owner")
            try expect(same.date, equals: saved.date, "the dates")
            try expect(Set(same.date).count, equals: owner.date.count, "the number of different dates")
        },
        ConformanceCase(
            "val-3.out-of-range",
            "VAL-3",
            "A date that no engine's column can hold is refused before anything is sent"
        ) { environment in
            let db = try await environment.open(Scalars.self, Arrays.self)
            for seconds in [1e13, -1e12, 1e300, TimeInterval.infinity, -.infinity, .nan] {
                var value = Scalars(id: 1)
                value.date = Date(timeIntervalSinceReferenceDate: seconds)
                let refused = value
                let error = try await expect(.invalidValue, from: "inserting the date \(seconds)") {
                    _ = try await db.insert(refused)
                }
                try expect(error.properties, equals: ["date"], "the property that the error names")
            }
            var owner = Arrays(id: 1)
            owner.date = [.distantPast, Date(timeIntervalSinceReferenceDate: 1e13)]
            let refused = owner
            try await expect(.invalidValue, from: "inserting it in an array") { _ = try await db.insert(refused) }
            try expect(try await db.count(Scalars.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "val-3.limits",
            "VAL-3",
            "The earliest and the latest date that is accepted can be read back"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            let limits: [TimeInterval] = [-211_845_110_400, 9_222_393_729_653]
            for (index, seconds) in limits.enumerated() {
                var value = Scalars(id: Int64(index))
                value.date = Date(timeIntervalSinceReferenceDate: seconds)
                let saved = try await db.insert(value)
                try expect(try await db.find(Scalars.self, key: Int64(index)), equals: saved, "the date at a limit")
            }
        },
        ConformanceCase(
            "val-3.layouts",
            "VAL-3",
            "Layouts for existing files round to what they hold, and say so in the object"
        ) { environment in
            let db = try await environment.open(Dates.self)
            let odd = Date(timeIntervalSince1970: 1_700_000_000.123_456)
            let saved = try await db.insert(Dates(id: 1, odd))
            try expect(
                saved.milliseconds,
                equals: Date(timeIntervalSince1970: 1_700_000_000_123 / 1000),
                "the date in milliseconds"
            )
            let text = try await db.sql("SELECT iso8601 FROM \(Dates.self)").fetch(as: String.self)
            try expect(text, equals: ["2023-11-14T22:13:20.123456Z"], "the date as text")
            let numbers = try await db.sql("SELECT milliseconds FROM \(Dates.self)").fetch(as: Double.self)
            try expect(numbers, equals: [1_700_000_000_123], "the date as milliseconds")
        },
        ConformanceCase("val-3.order", "VAL-3", "Dates compare by time, across 1970 and 9999") { environment in
            let db = try await environment.open(Scalars.self)
            let times: [TimeInterval] = [253_402_300_800, -5, 0, -0.5, 1e9, -62_135_596_800, 0.000_001]
            for (index, time) in times.enumerated() {
                var value = Scalars(id: Int64(index))
                value.date = Date(timeIntervalSince1970: time)
                _ = try await db.insert(value)
            }
            let order = try await db.sql("SELECT id FROM \(Scalars.self) ORDER BY date").fetch(as: Int.self)
            try expect(order.map { times[$0] }, equals: times.sorted(), "the times in the order of their column")
            let limit = Date(timeIntervalSince1970: -0.5)
            let before = try await db.sql("SELECT count(*) FROM \(Scalars.self) WHERE date < \(limit)").fetch(
                as: Int.self
            )
            try expect(before, equals: [2], "the number of dates before a bound one")
        },
    ]
}
