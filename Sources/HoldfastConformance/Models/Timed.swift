import Foundation
import Holdfast

/// A key that is an instant.
@Table
struct Beat: Equatable {
    let id: Date
    var number = 0
}

/// A key with an instant in it, as tables have it that are partitioned by time.
@Table
final class Quote {
    @PrimaryKey let at: Date
    @PrimaryKey let number: Int32
    var price: Decimal
    var marks: [String] = []
    var previous: Quote?
    var similar: [Quote] = []
    @Relation(inverse: \Trade.quote, loading: .eager) var trades: [Trade] = []

    init(_ at: Date, _ number: Int32, _ price: Decimal = 0) {
        (self.at, self.number, self.price) = (at, number, price)
    }
}

@Table
final class Trade {
    var id: Int64?
    var quote: Quote?
    var opening: Reference<Quote>?

    init(_ quote: Quote? = nil) { self.quote = quote }
}

/// A key that is an instant in whole seconds.
@Table
final class Shift {
    @PrimaryKey @Column(storage: .seconds) let start: Date
    var name: String
    var next: Shift?
    var reserve: Reference<Shift>?
    var guests: [Shift] = []

    init(_ start: Date, _ name: String) { (self.start, self.name) = (start, name) }
}

/// A shift in another layout, with its instants to the microsecond.
@Table
final class OldShift {
    @PrimaryKey let start: Date
    var name: String
    var next: OldShift?
    var reserve: Reference<OldShift>?
    var guests: [OldShift] = []

    init(_ start: Date, _ name: String) { (self.start, self.name) = (start, name) }
}
