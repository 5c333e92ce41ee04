import Foundation
@_spi(Driver) import Holdfast

/// Checks over several columns.
extension ConformanceCase {
    static let sch4Checks: [ConformanceCase] = [
        ConformanceCase(
            "sch-4.checks", "SCH-4", "A check keeps out rows that break it, by whatever writes them, and is named",
            level: .graph
        ) { environment in
            let db = try await environment.open(Booked.Booking.self)
            let booking = Booked.Booking("Ann", seats: 2, from: 10, to: 20)
            try await db.save([booking, Booked.Booking("Bob", seats: 9, from: 10, to: 10)])
            try await db.save(Booked.Booking("Cy", seats: 1, from: 10, to: nil))
            let inserted = try await expect(.checkViolation, from: "an insert") {
                try await db.save(Booked.Booking("Dan", seats: 1, from: 20, to: 19))
            }
            try expect(inserted.constraint, equals: "dates", "the check that an insert breaks")
            try expect(
                inserted.message, equals: "A row of \"booking\" breaks the check \"dates\". Correct its values.",
                "what an error says")
            try expect(inserted.table, equals: "booking", "the table")
            booking.seats = 10
            let saved = try await expect(.checkViolation, from: "an update") { try await db.save(booking) }
            try expect(saved.constraint, equals: "seats", "the check that an update breaks")
            booking.seats = 3
            try await db.save(booking)
            let several = try await expect(.checkViolation, from: "an update of several") {
                try await db.query(Booked.Booking.self).update { $0.seats += 2 }
            }
            try expect(several.constraint, equals: "seats", "the check that an update of several breaks")
            let raw = try await expect(.checkViolation, from: "SQL") {
                try await db.sql("UPDATE booking SET guest = ';'").execute()
            }
            try expect(raw.constraint, equals: several.constraint, "the check that SQL breaks")
            let seats = try await db.query(Booked.Booking.self).order(\.id).fetch().map(\.seats)
            try expect(seats, equals: [3, 9, 1], "the seats")
        },
        ConformanceCase(
            "sch-4.checks-migrated", "SCH-4",
            "Checks are added where no row breaks them, follow their conditions and names, and go with their type",
            level: .graph
        ) { environment in
            let db = try await environment.open(Booked.Free.self)
            let start = Date(timeIntervalSince1970: 10)
            var row = Booked.Free(id: nil, guest: "Ann", seats: 12, starts: start, ends: start)
            try await db.save(&row)
            let plan = try await db.schemaPlan(for: Booked.Booking.self)
            try expect(plan.steps.contains(where: \.mayFail), "No step is said to be able to fail.")
            try expect(plan.report.contains("holdfastcheck_"), "The report shows no check: \(plan.report)")
            try expect(
                plan.hazards.map(\.message),
                equals: ["dates", "seats"].map {
                    "It can't write rows of \"booking\" any more that break the check \"\($0)\"."
                }, "the hazards")
            let refused = try await expect(.conflict, from: "a row that breaks a check") {
                try await db.migrate(Booked.Booking.self)
            }
            try expect(refused.message.contains("A row breaks the check \"seats\""), "What is it about? \(refused)")
            row.seats = 2
            _ = try await db.save(row)
            try await db.migrate(Booked.Booking.self)
            try expect(try await db.migrate(Booked.Booking.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Booked.Booking.self), equals: [], "the drift")
            let names = try await db.schema().table("booking")?.checks.compactMap(\.name) ?? []
            try expect(names.count { $0.hasPrefix("holdfastcheck_") }, equals: 2, "the constraints")
            try await expect(.checkViolation, from: "a row with many seats") {
                try await db.sql("UPDATE booking SET seats = 10").execute()
            }

            let drift = try await db.drift(Booked.Stricter.self).map(\.element)
            try expect(
                drift.contains(.check("starts < ends")), "The drift lacks a condition that is another one: \(drift)")
            try await expect(.conflict, from: "a row that breaks a check with another condition") {
                try await db.migrate(Booked.Stricter.self)
            }
            try await db.sql("UPDATE booking SET ends = NULL").execute()
            try await db.migrate(Booked.Stricter.self)
            try expect(try await db.migrate(Booked.Stricter.self).steps, equals: [], "the steps of another version")
            try expect(try await db.drift(Booked.Stricter.self), equals: [], "the drift of another version")
        },
        ConformanceCase(
            "sch-4.checks-renamed", "SCH-4",
            "Checks follow renamed tables and columns, and let a column go that is allowed to", level: .graph
        ) { environment in
            let db = try await environment.open(Booked.Stricter.self)
            let start = Date(timeIntervalSince1970: 10)
            var row = Booked.Stricter(id: nil, guest: "Ann", seats: 1, starts: start, ends: nil)
            try await db.save(&row)
            try await db.migrate(Booked.Renamed.self)
            try expect(try await db.migrate(Booked.Renamed.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Booked.Renamed.self), equals: [], "the drift")
            let error = try await expect(.checkViolation, from: "a row that breaks a check of a renamed column") {
                try await db.sql("UPDATE reservation SET until = starts").execute()
            }
            try expect(error.constraint, equals: "dates", "the check")
            let schema = Schema(Booked.Shorter.self, allowing: [.dropping(column: "until", of: "reservation")])
            try await db.migrate(schema)
            try expect(try await db.migrate(schema).steps, equals: [], "the steps without the column")
            try expect(try await db.drift(schema), equals: [], "the drift without the column")
            try await expect(.checkViolation, from: "a row that breaks the check that is left") {
                try await db.sql("UPDATE reservation SET paid = -1").execute()
            }
            try expect(try await db.query(Booked.Shorter.self).fetch().map(\.guest), equals: ["Ann"], "the rows")
        },
        ConformanceCase(
            "sch-4.checks-refused", "SCH-4", "A check without a proper name, or without its columns, is refused",
            level: .graph
        ) { environment in
            try await expect(.conflict, from: "a name with a space") {
                _ = try await environment.open(Booked.BadName.self)
            }
            try await expect(.conflict, from: "one name twice") {
                _ = try await environment.open(Booked.SameNames.self)
            }
            try await expect(.notMigrated, from: "a condition about no column") {
                _ = try await environment.open(Booked.NoSuchColumn.self)
            }
            let required = try await expect(.conflict, from: "a choice of what always has a value") {
                _ = try await environment.open(Clippings.RequiredClip.self)
            }
            try expect(required.properties, equals: ["ticket"], "the property that always has a value")
        },
    ]
}
