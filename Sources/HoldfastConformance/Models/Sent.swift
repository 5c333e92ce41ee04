import Foundation
import Holdfast

/// A property in each form in which a column can have values, as a client sends them.
@Table
final class Sent {
    var id: Int64?
    var extra: JSON = [:]
    var detail: JSON?
    var place: Address?
    var places: [Address] = []
    @Column(storage: .words(true: "Y", false: "N")) var isOpen = true
    @Column(storage: .integer) var isPaid: Bool?
    @Column(storage: .scaled(2)) var price: Decimal = 0
    @Column(storage: .text) var rate: Decimal?
    @Column(storage: .text) var name: String?
    @Column(storage: .text) var day: Date?
    @Column(storage: .iso8601) var moment: Date?
    @Column(storage: .seconds) var second: Date?
    @Column(storage: .milliseconds) var millisecond: Date?
    @Column(storage: .secondsSince1970) var since1970: Date?
    @Column(storage: .secondsSince2001) var since2001: Date?
    @Column(storage: .julianDay) var julian: Date?
    @Column(storage: .text) var lower: UUID?
    @Column(storage: .uppercaseText) var upper: UUID?
    @Column(storage: .array) var marks: [UUID] = []
    @Column(storage: .array) var days: [Date]?
    @Column(storage: .array) var prices: [Decimal] = []
    @Column(storage: .integer) var flags: [Bool] = []
    @Column(storage: .scaled(3)) var weights: [Decimal] = []
    @Column(storage: .seconds) var instants: [Date] = []
    var scores: [Double?] = []

    init() {}

    /// All properties but the key.
    static var settable: [PartialKeyPath<Sent>] {
        [
            \.extra, \.detail, \.place, \.places, \.isOpen, \.isPaid, \.price, \.rate, \.name, \.day, \.moment,
            \.second, \.millisecond, \.since1970, \.since2001, \.julian, \.lower, \.upper, \.marks, \.days, \.prices,
            \.flags, \.weights, \.instants, \.scores,
        ]
    }
}

/// References of every kind, which are set by keys.
@Table
final class Bill {
    var id: Int64?
    var debtor: Reference<Buyer>
    var payer: Reference<Buyer>?
    var witnesses: [Reference<Buyer>] = []
    var place: Reference<Place>?
    var device: Reference<Token>?
    var opening: Reference<Quote>?
    var shift: Reference<Shift>?
    let issuer: Reference<Buyer>?
    var seller: Buyer?
    var lines: [Choice] = []

    init(debtor: Reference<Buyer>, issuer: Reference<Buyer>? = nil) {
        self.debtor = debtor
        self.issuer = issuer
    }

    /// All references.
    static var references: [PartialKeyPath<Bill>] {
        [\.debtor, \.payer, \.witnesses, \.place, \.device, \.opening, \.shift, \.issuer]
    }
}

extension Scalars {
    /// All properties but the key.
    static var settable: [PartialKeyPath<Scalars>] {
        [
            \.bool, \.int, \.int8, \.int16, \.int32, \.int64, \.uint, \.uint8, \.uint16, \.uint32, \.uint64, \.float,
            \.double, \.decimal, \.string, \.data, \.date, \.uuid, \.url, \.mood, \.grade, \.celsius, \.address,
        ]
    }

    /// Values that JSON has, anything among them.
    static func random(id: Int64, using random: inout some RandomNumberGenerator) throws -> Scalars {
        var value = Scalars(id: id)
        value.bool = .random(using: &random)
        value.int = .random(in: .min ... .max, using: &random)
        value.int8 = .random(in: .min ... .max, using: &random)
        value.int16 = .random(in: .min ... .max, using: &random)
        value.int32 = .random(in: .min ... .max, using: &random)
        value.int64 = .random(in: .min ... .max, using: &random)
        value.uint = .random(in: 0...UInt(Int64.max), using: &random)
        value.uint8 = .random(in: .min ... .max, using: &random)
        value.uint16 = .random(in: .min ... .max, using: &random)
        value.uint32 = .random(in: .min ... .max, using: &random)
        value.uint64 = .random(in: 0...UInt64(Int64.max), using: &random)
        let exponent = Double(Int.random(in: -300...300, using: &random))
        value.double = Double.random(in: -1...1, using: &random) * pow(10, exponent)
        value.float = Float.random(in: -1...1, using: &random) * Float(pow(10, (exponent / 10).rounded()))
        value.decimal = Decimal(
            sign: Bool.random(using: &random) ? .minus : .plus, exponent: Int.random(in: -18...18, using: &random),
            significand: Decimal(UInt64.random(in: .min ... .max, using: &random)))
        let pieces = ["", "a", "é", "\"", "\\", "\n", "\u{1}", "/", "日本", "👩‍👩‍👧", "~x", "2026-11-21T09:30:00Z"]
        value.string = (0..<4).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let count = Int.random(in: 0..<40, using: &random)
        value.data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        let microseconds = Int64.random(in: -60_000_000_000_000_000...200_000_000_000_000_000, using: &random)
        value.date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        value.uuid = UUID(uuidString: UUID.text(of: random.next(), random.next())) ?? value.uuid
        value.url = try url("https://example.org/\(UInt8.random(in: 0...255, using: &random))?q=%C3%A9#end")
        value.mood = Mood.allCases.randomElement(using: &random) ?? .calm
        value.grade = Grade.allCases.randomElement(using: &random) ?? .none
        value.celsius = Celsius(Double.random(in: -273...1_000, using: &random))
        value.address = Address(
            street: pieces.randomElement(using: &random) ?? "", lines: [Int.random(in: -9...9, using: &random)],
            flags: ["a": true], unit: Bool.random(using: &random) ? nil : "\\\n")
        return value
    }
}

extension Arrays {
    /// All properties but the key.
    static var settable: [PartialKeyPath<Arrays>] {
        [
            \.bool, \.int, \.int8, \.int16, \.int32, \.int64, \.uint, \.uint8, \.uint16, \.uint32, \.uint64, \.float,
            \.double, \.decimal, \.string, \.data, \.date, \.uuid, \.url, \.mood, \.grade, \.celsius, \.address,
        ]
    }
}

extension OptionalArrays {
    /// All properties but the key.
    static var settable: [PartialKeyPath<OptionalArrays>] {
        [
            \.bool, \.int, \.int8, \.int16, \.int32, \.int64, \.uint, \.uint8, \.uint16, \.uint32, \.uint64, \.float,
            \.double, \.decimal, \.string, \.data, \.date, \.uuid, \.url, \.mood, \.grade, \.celsius, \.address,
        ]
    }
}

extension OptionalScalars {
    /// All properties but the key.
    static var settable: [PartialKeyPath<OptionalScalars>] {
        [
            \.bool, \.int, \.int8, \.int16, \.int32, \.int64, \.uint, \.uint8, \.uint16, \.uint32, \.uint64, \.float,
            \.double, \.decimal, \.string, \.data, \.date, \.uuid, \.url, \.mood, \.grade, \.celsius, \.address,
        ]
    }
}

extension UUID {
    /// The text of a UUID of two halves.
    fileprivate static func text(of high: UInt64, _ low: UInt64) -> String {
        func digits(_ half: UInt64) -> String {
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        var text = digits(high) + digits(low)
        for offset in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: offset)) }
        return text
    }
}
