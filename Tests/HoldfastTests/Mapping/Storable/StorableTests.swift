import Foundation
import Testing

@testable import Holdfast

@Suite struct StorableTests {
    /// What a value is after it was encoded and decoded.
    private func roundTrip<Value: Storable>(_ value: Value, _ storage: ValueStorage = .native) throws -> Value {
        var encoder = CellEncoder(width: 1)
        try value._encode(into: &encoder, storage)
        return try encoder.buffer.withRow(0) { cells in
            var cell = cells[0]
            cell.storage = storage
            return try Value._decode(cell)
        }
    }

    @Test(arguments: [
        "0", "1", "-1", "12.5", "0.0001", "-0.001", "99999999999999999999999999999999999999",
        "0.00000000000000000000000000000000000001", "123456789012345678901234567890.12345678",
    ])
    func `a decimal is exact to 38 digits, and its text canonical`(text: String) throws {
        let value = try #require(Decimal(string: text))
        #expect(try roundTrip(value) == value)
        #expect(value.canonicalText == text)
    }

    @Test func `equal decimals have equal texts`() throws {
        for text in ["12.50", "12.5", "012.500", "+12.5"] {
            #expect(Decimal(string: text)?.canonicalText == "12.5")
        }
        #expect((Decimal(string: "-0.0") ?? 1).canonicalText == "0")
        #expect(Decimal(sign: .plus, exponent: 5, significand: 3).canonicalText == "300000")
    }

    @Test func `a stored decimal of too many digits is refused, not rounded`() {
        let text = "0." + String(repeating: "1", count: 50)
        var buffer = ParameterBuffer(width: 1)
        Array(text.utf8).withUnsafeBytes { buffer.append(.decimal, $0) }
        #expect(throws: CellMismatch.self) { try buffer.withRow(0) { try Decimal._decode($0[0]) } }
    }

    @Test func `a scaled decimal is refused where it would be rounded`() throws {
        let price = try #require(Decimal(string: "-12.50"))
        #expect(try roundTrip(price, .scaled(2)) == price)
        #expect(throws: CellMismatch.self) { try roundTrip(price, .scaled(0)) }
        #expect(throws: CellMismatch.self) { try roundTrip(Decimal(Int64.max), .scaled(1)) }
    }

    @Test(arguments: [
        Date.distantPast, .distantFuture, Date(timeIntervalSince1970: -0.000001), Date(timeIntervalSince1970: 0),
        Date(timeIntervalSince1970: 253_402_300_800), Date(timeIntervalSince1970: -62_135_596_801.5),
    ])
    func `a date of whole microseconds comes back as it was`(date: Date) throws {
        for storage in [ValueStorage.native, .iso8601, .secondsSince1970, .secondsSince2001, .exact] {
            let once = try roundTrip(date, storage)
            #expect(abs(once.timeIntervalSince(date)) < 0.000_01)
            #expect(try roundTrip(once, storage) == once)
        }
        #expect(try roundTrip(date, .exact) == date)
    }

    @Test func `a date is rounded to the microsecond, and says so`() throws {
        var encoder = CellEncoder(width: 1)
        let date = Date(timeIntervalSinceReferenceDate: 1.000_000_6)
        try date._encode(into: &encoder, .native)
        #expect(encoder.hasAdjusted)
        #expect(encoder.buffer.cells[0].integer == 978_307_201_000_001)
    }

    @Test func `a date beyond what both engines hold is refused`() {
        #expect(throws: CellMismatch.self) { try roundTrip(Date(timeIntervalSince1970: 1e15)) }
        #expect(throws: CellMismatch.self) { try roundTrip(Date(timeIntervalSince1970: -1e12)) }
        #expect(throws: CellMismatch.self) { try roundTrip(Date(timeIntervalSince1970: .infinity)) }
        #expect(throws: CellMismatch.self) { try roundTrip(Date(timeIntervalSince1970: .nan)) }
    }

    @Test func `an ISO 8601 text is what it should be, and others can be read`() throws {
        #expect(ISO8601.text(ofMicroseconds: 0) == "1970-01-01T00:00:00.000000Z")
        #expect(ISO8601.text(ofMicroseconds: -1) == "1969-12-31T23:59:59.999999Z")
        #expect(ISO8601.microseconds(of: "1970-01-01T01:00:00+01:00") == 0)
        #expect(ISO8601.microseconds(of: "2000-02-29T00:00:00.5Z") == 951_782_400_500_000)
        #expect(ISO8601.microseconds(of: "2001-02-29T00:00:00Z") == nil)
        #expect(ISO8601.microseconds(of: "yesterday") == nil)
    }

    @Test func `numbers that do not fit are refused in both directions`() throws {
        #expect(throws: CellMismatch.self) { try roundTrip(UInt64.max) }
        #expect(try roundTrip(UInt64(Int64.max)) == UInt64(Int64.max))
        #expect(throws: CellMismatch.self) { try Int8._decode(.integer(128)) }
        #expect(throws: CellMismatch.self) { try Int._decode(.null) }
        #expect(throws: CellMismatch.self) { try Bool._decode(.integer(2)) }
        #expect(throws: CellMismatch.self) { try roundTrip(Double.nan) }
        #expect(try roundTrip(Double.infinity) == .infinity)
        #expect(try roundTrip(-0.0).sign == .plus)
    }

    @Test func `text with a NUL character is refused, in JSON too`() throws {
        #expect(throws: CellMismatch.self) { try roundTrip("a\0b") }
        #expect(throws: CellMismatch.self) { try roundTrip(JSONValue(["a\0b"])) }
        #expect(try roundTrip(JSONValue(["a\\u0000b"])).value == ["a\\u0000b"])
    }

    @Test func `bytes that are no UTF-8 are refused as text`() {
        var buffer = ParameterBuffer(width: 1)
        [UInt8]([0xff, 0xfe]).withUnsafeBytes { buffer.append(.text, $0) }
        #expect(throws: CellMismatch.self) { try buffer.withRow(0) { try String._decode($0[0]) } }
    }

    @Test(arguments: [
        ValueStorage.text, .iso8601, .julianDay, .secondsSince1970, .secondsSince2001, .millisecondsSince1970, .exact,
    ])
    func `a date is no key where an instant has several forms`(storage: ValueStorage) {
        func problems(_ storage: ValueStorage) -> [DatabaseError] {
            TableMapping<Day>(
                type: "Day", describe: { $0.key("id", \.id, .storage(storage)) },
                decode: { Day(id: try $0.decode(at: 0)) }
            ).description.problems
        }
        #expect(problems(storage).map(\.properties) == [["id"]])
        #expect(problems(.native).isEmpty && problems(.seconds).isEmpty && problems(.milliseconds).isEmpty)
    }
}

private struct Day: TableObject {
    let id: Date
    static let tableMapping = TableMapping<Day>(
        type: "Day", describe: { $0.key("id", \.id) }, decode: { Day(id: try $0.decode(at: 0)) })
}
