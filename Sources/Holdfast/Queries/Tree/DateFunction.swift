import Foundation

/// What a query computes of dates.
enum DateFunction: Hashable, Sendable {
    /// The time at which the statement began.
    case now
    /// The seconds from the first date to the second one.
    case seconds
    /// The date so many seconds after another one.
    case adding
    case part(DatePart, QueryTimeZone)
    case start(DateUnit, QueryTimeZone)
}

extension QueryTimeZone {
    static let utc = QueryTimeZone.offset(seconds: 0)

    /// The time zone as a query names it; nil for one that has a name which engines do not know, or know differently.
    init?(_ zone: TimeZone) {
        let name = zone.identifier
        switch true {
        case name == "GMT" || name == "UTC": self = .utc
        // Foundation's names of zones with an offset; for an engine `GMT+2` would be west of Greenwich.
        case name.hasPrefix("GMT+") || name.hasPrefix("GMT-"): self = .offset(seconds: zone.secondsFromGMT())
        default: self.init(named: name)
        }
    }

    /// The time zone of a name of the form `Europe/Berlin`, of which no engine thinks as an abbreviation; nil for
    /// others.
    private init?(named name: String) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
        guard isPlain, name.contains("/") else { return nil }
        self = .named(name)
    }
}

extension QueryNode {
    /// A function of a date in a time zone; a failure for a zone that engines do not know by its name.
    static func date(_ date: QueryNode, in zone: TimeZone, _ function: (QueryTimeZone) -> DateFunction) -> QueryNode {
        guard let known = QueryTimeZone(zone) else {
            return .failure(
                DatabaseError(
                    .unsupported,
                    "A query looks at dates in the time zone \"\(zone.identifier)\". Give one by its place, such as Europe/Berlin, UTC, or one with a fixed offset."
                ))
        }
        return .date(function(known), [date])
    }
}
