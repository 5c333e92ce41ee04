import Foundation
import Holdfast
import Synchronization

/// A class whose objects expire, with a key of the caller's, a unique value and an array.
@Table
final class Visit {
    @PrimaryKey let token: String
    @Unique var code: String?
    var rank = 0
    var tags: [String] = []
    @Expires var until: Date?

    init(_ token: String, code: String? = nil, rank: Int = 0, tags: [String] = [], until: Date? = nil) {
        (self.token, self.code, self.rank, self.tags, self.until) = (token, code, rank, tags, until)
    }
}

/// A struct whose objects expire.
@Table
struct Loan: Equatable {
    @PrimaryKey let name: String
    var holder: String
    var tags: [String] = []
    @Timestamp(.created) var createdAt: Date?
    @Version var version = 0
    @Expires var until: Date?
}

/// A struct that is one row, and expires.
@Table
struct SeatHold: Equatable {
    @PrimaryKey let code: String
    var seat: Int
    @Timestamp(.created) var createdAt: Date?
    @Version var version = 0
    @Expires var until: Date?
}

/// Objects that expire, by dates that are stored in other ways.
enum ExpiringStorages {
    @Table("by_seconds")
    struct Seconds: Equatable {
        let id: Int64
        @Expires @Column(storage: .seconds) var until: Date
    }

    @Table("by_milliseconds")
    struct Milliseconds: Equatable {
        let id: Int64
        @Expires @Column(storage: .milliseconds) var until: Date
    }

    @Table("by_reals")
    struct Reals: Equatable {
        let id: Int64
        @Expires @Column(storage: .secondsSince1970) var until: Date?
    }

    @Table("by_reference_date")
    struct ReferenceDate: Equatable {
        let id: Int64
        @Expires @Column(storage: .secondsSince2001) var until: Date?
    }
}

/// A pass that expires, in every kind of relation.
@Table
final class DayPass {
    var id: Int64?
    var name: String
    @Unique var code: String?
    @Expires var until: Date?
    var gate: Turnstile?
    var tags: [String] = []
    @Relation(inverse: \PassCheck.pass, deleteRule: .cascade, loading: .eager) var checks: [PassCheck] = []

    init(_ name: String, code: String? = nil, until: Date? = nil) {
        (self.name, self.code, self.until) = (name, code, until)
    }
}

/// An object that leads to passes.
@Table
final class Turnstile {
    var id: Int64?
    var name: String
    var main: DayPass?
    var others: [DayPass] = []
    @Relation(inverse: \DayPass.gate, loading: .eager) var passes: [DayPass] = []
    var lazy: Reference<DayPass>?

    init(_ name: String) { self.name = name }
}

/// An object that can't be without its pass.
@Table
final class PassCheck {
    var id: Int64?
    var text: String
    var pass: DayPass

    init(_ text: String, of pass: DayPass) { (self.text, self.pass) = (text, pass) }
}

/// A clock that a case sets.
final class SetClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_900_000_000))

    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// Has a database go by it, and sweep only when it is asked to.
    func attach(to configuration: inout DatabaseConfiguration) {
        configuration.expiry.clock = { self.now }
        configuration.expiry.sweepInterval = nil
    }
}
