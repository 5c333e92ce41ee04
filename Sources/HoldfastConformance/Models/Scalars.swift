import Foundation
import Holdfast

/// An enum that is stored as text.
enum Mood: String, Storable, CaseIterable { case calm, wild = "wild 'n' \"free\"" }

/// An enum that is stored as an integer.
enum Grade: Int16, Storable, CaseIterable { case low = -1, none = 0, high = 300 }

/// A conversion of one's own.
struct Celsius: Storable, Equatable {
    var degrees: Double

    init(_ degrees: Double) { self.degrees = degrees }
    init(storedValue: Double) { degrees = storedValue }
    var storedValue: Double { degrees }
}

/// A value that is kept as JSON.
struct Address: Codable, Equatable {
    var street = ""
    var lines: [Int] = []
    var flags: [String: Bool] = [:]
    var unit: String?
}

/// Every type of the profile, each in a column.
@Table
struct Scalars: Equatable {
    let id: Int64
    var bool = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    var decimal: Decimal = 0
    var string = ""
    var data = Data()
    var date = Date(timeIntervalSince1970: 0)
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var url = URL(filePath: "/")
    var mood = Mood.calm
    var grade = Grade.none
    var celsius = Celsius(0)
    var address = Address()
}

extension Scalars {
    /// Zeros and empty values, ordinary ones, the least and the greatest.
    static func samples() throws -> [Scalars] {
        var ordinary = Scalars(id: 2)
        ordinary.bool = true
        (ordinary.int, ordinary.int8, ordinary.int16, ordinary.int32, ordinary.int64) = (1, 2, 3, 4, 5)
        (ordinary.uint, ordinary.uint8, ordinary.uint16, ordinary.uint32, ordinary.uint64) = (6, 7, 8, 9, 10)
        (ordinary.float, ordinary.double) = (0.1, 0.1)
        ordinary.decimal = try decimalNumber("12345678901234567890.123456789")
        ordinary.string = "naïve — 日本語 👩‍👩‍👧"
        ordinary.data = Data([1, 0, 255, 10, 13])
        ordinary.date = Date(timeIntervalSince1970: 1_700_000_000.25)
        ordinary.uuid = try uuid("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
        ordinary.url = try url("https://example.org/a%20b?q=1&r=%C3%A9#end")
        (ordinary.mood, ordinary.grade, ordinary.celsius) = (.wild, .high, Celsius(36.6))
        ordinary.address = Address(street: "Ä \"1\"", lines: [1, -2, 3], flags: ["a": true, "ß": false], unit: "\\\n")

        var least = Scalars(id: Int64.min)
        (least.int, least.int8, least.int16, least.int32, least.int64) = (.min, .min, .min, .min, .min)
        (least.float, least.double) = (-Float.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude)
        least.decimal = try decimalNumber("-99999999999999999999999999999999999999")
        least.string = "'; DROP TABLE \"scalars\"; --"
        least.date = .distantPast
        (least.grade, least.celsius) = (.low, Celsius(-.infinity))

        var greatest = Scalars(id: Int64.max)
        (greatest.int, greatest.int8, greatest.int16, greatest.int32, greatest.int64) = (.max, .max, .max, .max, .max)
        (greatest.uint, greatest.uint64) = (UInt(Int64.max), UInt64(Int64.max))
        (greatest.uint8, greatest.uint16, greatest.uint32) = (.max, .max, .max)
        (greatest.float, greatest.double) = (.infinity, .greatestFiniteMagnitude)
        greatest.decimal = try decimalNumber("0.00000000000000000000000000000000000001")
        greatest.string = String(repeating: "\u{10FFFF}", count: 1000)
        greatest.data = Data(repeating: 0xFF, count: 10_000)
        greatest.date = .distantFuture
        greatest.uuid = UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
        (greatest.grade, greatest.celsius) = (.high, Celsius(.infinity))
        return [least, Scalars(id: 1), ordinary, greatest]
    }

    static func decimalNumber(_ text: String) throws -> Decimal {
        try expect(some: Decimal(string: text), "a decimal number that the suite itself uses")
    }

    static func uuid(_ text: String) throws -> UUID {
        try expect(some: UUID(uuidString: text), "a UUID that the suite itself uses")
    }

    static func url(_ text: String) throws -> URL {
        try expect(some: URL(string: text), "a URL that the suite itself uses")
    }
}
