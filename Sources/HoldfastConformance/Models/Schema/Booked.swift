import Foundation
import Holdfast

/// Versions of a type with checks.
enum Booked {
    @Table(
        "booking",
        checks: [.check("dates", "starts <= ends"), .check("seats", "seats BETWEEN 1 AND 9 AND guest <> ';'")]
    )
    final class Booking {
        var id: Int64?
        var guest: String
        var seats: Int
        var starts: Date
        var ends: Date?

        init(_ guest: String, seats: Int, from start: Int, to end: Int?) {
            (self.guest, self.seats) = (guest, seats)
            starts = Date(timeIntervalSince1970: TimeInterval(start))
            ends = end.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        }
    }

    /// Checks nothing.
    @Table("booking")
    struct Free {
        var id: Int64?
        var guest: String
        var seats: Int
        var starts: Date
        var ends: Date?
    }

    /// Has another condition of the same name, one check less, and one of a new column.
    @Table("booking", checks: [.check("dates", "starts < ends"), .check("paid", "paid >= 0 OR seats = 0")])
    struct Stricter {
        var id: Int64?
        var guest: String
        var seats: Int
        var starts: Date
        var ends: Date?
        var paid = 0
    }

    /// Checks a column that has another name.
    @Table(
        "reservation", renamedFrom: "booking", checks: [.check("dates", "starts < until"), .check("paid", "paid >= 0")])
    struct Renamed {
        var id: Int64?
        var guest: String
        var seats: Int
        var starts: Date
        @Column(renamedFrom: "ends") var until: Date?
        var paid = 0
    }

    /// Has lost a column of a check.
    @Table("reservation", checks: [.check("paid", "paid >= 0")])
    struct Shorter {
        var id: Int64?
        var guest: String
        var seats: Int
        var starts: Date
        var paid = 0
    }

    // MARK: What is refused

    @Table("booking", checks: [.check("the dates", "starts <= ends")])
    struct BadName {
        var id: Int64?
        var starts: Date
        var ends: Date
    }

    @Table("booking", checks: [.check("dates", "starts <= ends"), .check("Dates", "starts <> ends")])
    struct SameNames {
        var id: Int64?
        var starts: Date
        var ends: Date
    }

    @Table("booking", checks: [.check("dates", "starts <= finishes")])
    struct NoSuchColumn {
        var id: Int64?
        var starts: Date
        var ends: Date
    }
}
