import Foundation
import Holdfast

/// A class with both timestamps.
@Table
final class Stamped {
    var id: Int64?
    var text: String
    @Timestamp(.created) var createdAt: Date?
    @Timestamp(.modified) var modifiedAt: Date?

    init(_ text: String) { self.text = text }
}

/// A struct with both timestamps.
@Table
struct StampedValue: Equatable {
    let id: Int64
    var text: String
    @Timestamp(.created) var createdAt: Date?
    @Timestamp(.modified) var modifiedAt: Date?
}

/// Dates in each of the layouts.
@Table
struct Dates: Equatable {
    let id: Int64
    var native: Date
    @Column(storage: .iso8601) var iso8601: Date
    @Column(storage: .secondsSince1970) var since1970: Date
    @Column(storage: .secondsSince2001) var since2001: Date
    @Column(storage: .millisecondsSince1970) var milliseconds: Date
    @Column(storage: .exact) var exact: Date
    var several: [Date] = []

    init(id: Int64, _ date: Date) {
        self.id = id
        native = date
        iso8601 = date
        since1970 = date
        since2001 = date
        milliseconds = date
        exact = date
        several = [date, date]
    }
}

/// Decimals in both layouts.
@Table
struct Price: Equatable {
    let id: Int64
    @Unique var amount: Decimal
    @Column(storage: .scaled(2)) var cents: Decimal = 0
}
