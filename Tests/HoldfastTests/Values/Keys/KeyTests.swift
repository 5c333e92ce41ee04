import Foundation
import Testing

@testable import Holdfast

@Suite struct KeyTests {
    @Test func `keys are compared by their bytes, not by canonical equivalence`() {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(Key(composed) != Key(decomposed))
        #expect(Key("a", 1) == Key("a", 1))
        #expect(Key("a", 1) != Key("a", 2))
        #expect(Key("ab", "c") != Key("a", "bc"))
    }

    @Test func `whole numbers of any width are one kind of key`() {
        #expect(Key(Int32(7)) == Key(Int64(7)))
        #expect(Set([Key(7), Key(UInt8(7))]).count == 1)
    }

    @Test func `a UUID is its sixteen bytes, whatever the engine calls them`() throws {
        let id = UUID()
        let key = Key(id)
        var bytes = ParameterBuffer(width: 1)
        withUnsafeBytes(of: id.uuid) { bytes.append(.blob, $0) }
        let stored = try #require(bytes.withRow(0) { cells in cells.baseAddress.map { Key(cells: $0, count: 1) } })
        #expect(stored == key)
        #expect(stored.hashValue == key.hashValue)
    }

    @Test func `a part that can't be stored is an error when the key is used`() {
        #expect(throws: DatabaseError.self) { try Key("a\0b").parameters() }
        #expect(throws: DatabaseError.self) { try Key(UInt64.max).parameters() }
    }

    @Test func `a key shows no value`() {
        #expect(!"\(Key("secret"))".contains("secret"))
        #expect(!String(reflecting: Key("secret")).contains("secret"))
    }

    @Test(arguments: [
        (Key(42), "42", "42"), (Key(-1), "-1", "-1"), (Key(Int64.min), "-9223372036854775808", "-9223372036854775808"),
        (Key("dpkg"), "\"dpkg\"", "dpkg"), (Key("dpkg", 1), "[\"dpkg\",1]", "dpkg,1"), (Key("42"), "\"42\"", "~342"),
        (Key("007"), "\"007\"", "007"), (Key(""), "\"\"", "~"), (Key("", ""), "[\"\",\"\"]", "~,~"),
        (Key("~a"), "\"~~a\"", "~7Ea"), (Key("a/b"), "\"a/b\"", "a~2Fb"), (Key("a,b"), "\"a,b\"", "a~2Cb"),
        (Key("e\u{301}"), "\"e\u{301}\"", "e~CC~81"),
        (Key("99999999999999999999"), "\"99999999999999999999\"", "99999999999999999999"),
        (
            Key("0c6e7c7e-0000-4000-8000-00000000abcd"), "\"~0c6e7c7e-0000-4000-8000-00000000abcd\"",
            "~30c6e7c7e-0000-4000-8000-00000000abcd"
        ),
        (
            Key(Date(timeIntervalSince1970: 1_700_000_000.5)), "\"2023-11-14T22:13:20.500000Z\"",
            "2023-11-14T22~3A13~3A20.500000Z"
        ),
        (
            Key("2023-11-14T22:13:20.500000Z"), "\"~2023-11-14T22:13:20.500000Z\"", "~32023-11-14T22~3A13~3A20.500000Z"
        ),
        (Key("2023-11-14T22:13:20Z"), "\"2023-11-14T22:13:20Z\"", "2023-11-14T22~3A13~3A20Z"),
        (
            Key(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            "\"01020304-0506-0708-090A-0B0C0D0E0F10\"", "01020304-0506-0708-090A-0B0C0D0E0F10"
        ),
    ])
    func `a key goes by JSON and by tokens, and comes back`(key: Key, json: String, token: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        #expect(String(decoding: try encoder.encode(key), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Key.self, from: Data(json.utf8)) == key)
        #expect(try key.token == token)
        #expect(Key(token: token) == key)
    }

    @Test func `random texts come back as they were`() throws {
        let pieces = [
            "~", "4", "-", ",", "\u{301}", "%", "2C", "é", "𝔘", " ", "\"", "0c6e7c7e-0000-4000-8000-00000000abcd",
            "2023-11-14T22:13:20.500000Z",
        ]
        for _ in 0..<2_000 {
            func text() -> String { (0..<Int.random(in: 0..<5)).map { _ in pieces.randomElement() ?? "" }.joined() }
            let key = Key(text(), Int.random(in: .min ... .max), text())
            #expect(Key(token: try key.token) == key)
            #expect(try JSONDecoder().decode(Key.self, from: JSONEncoder().encode(key)) == key)
            let encoded = try key.token.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
            #expect(encoded == (try key.token))
        }
    }

    @Test func `what is no key is refused`() throws {
        for json in ["true", "null", "1.5", "{}", "[]", "[1]", "[[1]]", "\"a\\u0000\"", "99999999999999999999"] {
            #expect(throws: (any Error).self, "\(json)") { try JSONDecoder().decode(Key.self, from: Data(json.utf8)) }
        }
        for token in ["", ",", "a,", "~2", "~zz", "~00", "~FF"] { #expect(Key(token: token) == nil, "\(token)") }
        #expect(throws: (any Error).self) { try JSONEncoder().encode(Key("a\0b")) }
        #expect(throws: DatabaseError.self) { try Key(UInt64.max).token }
    }
}
