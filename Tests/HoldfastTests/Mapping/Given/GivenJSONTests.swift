import Foundation
import Testing

@testable import Holdfast

/// Values from JSON, without a database.
@Suite struct GivenJSONTests {
    private func read<Value: PropertyValue>(
        _ text: String, as type: Value.Type = Value.self, _ storage: ValueStorage = .native
    ) throws -> Value {
        try Value._converting(GivenJSON(json: try JSON(parsing: text), storage: storage))
    }

    @Test func `integers are read without loss, or refused`() throws {
        #expect(try read("127") == Int8(127))
        #expect(try read("-9223372036854775808") == Int64.min)
        #expect(try read(" 1.0e2 ") == 100)
        #expect(try read("9223372036854775807") == UInt64(Int64.max))
        for text in ["128", "-129", "1.5", "1e-1", "\"1\"", "true", "null", "[1]", "1e30"] {
            #expect(throws: (any Error).self, "\(text)") { try read(text, as: Int8.self) }
        }
        #expect(throws: (any Error).self) { try read("-1", as: UInt.self) }
    }

    @Test func `decimals keep every digit, however they are written`() throws {
        for (text, number) in [
            ("12345678901234567890.123456789", "12345678901234567890.123456789"), ("1.50", "1.5"), ("-0.050e1", "-0.5"),
            ("12e3", "12000"), ("1e-20", "0.00000000000000000001"), ("-0", "0"), ("0.0", "0"),
        ] {
            #expect(try read(text) == Decimal(string: number), "\(text)")
            #expect(try read(text, as: Decimal.self, .text) == Decimal(string: number), "\(text)")
        }
        #expect(try read("\"1.5\"", as: Decimal.self, .text) == Decimal(string: "1.5"))
        for text in ["1e400", "1e-400", "\"1.5\"", "12345678901234567890123456789012345678901234567890", "true"] {
            #expect(throws: (any Error).self, "\(text)") { try read(text, as: Decimal.self) }
        }
        #expect(throws: (any Error).self) { try read("1.005", as: Decimal.self, .scaled(2)) }
    }

    @Test(arguments: [
        ValueStorage.native, .iso8601, .text, .seconds, .milliseconds, .secondsSince1970, .secondsSince2001,
        .millisecondsSince1970, .julianDay, .exact,
    ])
    func `a date is the same instant however it is written and stored`(storage: ValueStorage) throws {
        let instant = Date(timeIntervalSince1970: 1_795_253_400)
        for text in [
            "2026-11-21T09:30:00Z", "2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00.0Z",
            "2026-11-21T09:30:00.000000Z",
            "2026-11-21T00:00:00-0930",
        ] {
            #expect(try read("\"\(text)\"", as: Date.self, storage) == instant, "\(text)")
        }
        for text in ["1795253400", "\"yesterday\"", "\"2026-13-01T00:00:00Z\"", "null", "{}"] {
            #expect(throws: (any Error).self, "\(text)") { try read(text, as: Date.self, storage) }
        }
    }

    @Test func `null is nil, or a value of JSON`() throws {
        #expect(try read("null", as: Int?.self) == nil)
        #expect(try read("[1,null]", as: [Int?].self) == [1, nil])
        #expect(try read("null", as: JSON.self) == .null)
        #expect(try read("null", as: JSON?.self) == nil)
        #expect(try read("null", as: [Int]?.self) == nil)
        #expect(throws: GivenValueFault.self) { try read("null", as: [Int].self) }
        #expect(throws: GivenValueFault.self) { try read("null", as: JSONValue<[String: Int]>.self) }
    }

    @Test func `an error says what is needed, and nothing of the value`() throws {
        let sample = Sample(name: "n")
        let allowed: [PartialKeyPath<Sample>] = [\.name, \.part]
        let error = try #require(throws: DatabaseError.self) {
            try sample.setValues(json: ["part": "secret"], allowing: allowed)
        }
        #expect(
            error.message
                == "The value given for \"part\" of Sample is a string, but the property needs a whole number.")
        let unknown = try #require(throws: DatabaseError.self) {
            try sample.setValues(json: ["na\nme": 1], allowing: allowed)
        }
        #expect(unknown.message.hasPrefix(#"The JSON for a Sample has "na\u000ame", which is no property"#))
        let long = try #require(throws: DatabaseError.self) {
            try sample.setValues(json: JSON([String(repeating: "x", count: 100_000): 1]), allowing: allowed)
        }
        #expect(long.message.utf8.count < 200)
        // What no save would accept is refused here, too.
        #expect(throws: DatabaseError.self) { try sample.setValues(json: ["part": JSON(.nan)], allowing: allowed) }
        #expect(sample.name == "n" && sample.part == 1)
    }
}
