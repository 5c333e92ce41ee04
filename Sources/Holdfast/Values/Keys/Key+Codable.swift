import Foundation

/// Keys as JSON: one part as a bare number or string, several as an array of them.
///
/// Decoding gives the key back that was encoded, whatever its parts are. A string that has the form of a UUID or of a
/// date is one; a text of such a form, or one that begins with `~`, is encoded with a `~` before it:
///
/// | key | JSON | ``Key/token`` |
/// |---|---|---|
/// | `Key(42)` | `42` | `42` |
/// | `Key(UUID())` | `"0C6E…-…"` | `0C6E…-…` |
/// | `Key(Date.now)` | `"2026-11-21T09:30:00.000000Z"` | `2026-11-21T09~3A30~3A00.000000Z` |
/// | `Key("dpkg", "amd64")` | `["dpkg","amd64"]` | `dpkg,amd64` |
/// | `Key("42")` | `"42"` | `~342` |
/// | `Key("a/b")` | `"a/b"` | `a~2Fb` |
/// | `Key("~a")` | `"~~a"` | `~7Ea` |
extension Key: Codable {
    public init(from decoder: any Decoder) throws {
        guard var list = try? decoder.unkeyedContainer() else {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                try self.init([.integer(number)])
            } else {
                try self.init([KeyPart(string: try container.decode(String.self))])
            }
            return
        }
        var parts: [KeyPart] = []
        while !list.isAtEnd {
            if let number = try? list.decode(Int64.self) {
                parts.append(.integer(number))
            } else {
                parts.append(KeyPart(string: try list.decode(String.self)))
            }
        }
        guard parts.count > 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A list that is a key has several parts."))
        }
        try self.init(parts)
    }

    public func encode(to encoder: any Encoder) throws {
        let parts: [KeyPart]
        do {
            parts = try self.parts
        } catch {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
        if parts.count == 1 {
            var container = encoder.singleValueContainer()
            if case .integer(let number) = parts[0] { return try container.encode(number) }
            return try container.encode(parts[0].string)
        }
        var list = encoder.unkeyedContainer()
        for part in parts {
            if case .integer(let number) = part { try list.encode(number) } else { try list.encode(part.string) }
        }
    }
}

extension Key {
    /// The key as a text for a URL's path or query: ASCII letters, digits, `-._~`, and `,` between parts.
    ///
    /// ```swift
    /// try Key("dpkg", "amd64").token    // "dpkg,amd64"
    /// ```
    ///
    /// The token reveals the key's values. ``init(token:)`` reads it.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a key that can't be stored, or has bytes in it.
    public var token: String {
        get throws { try parts.map(\.token).joined(separator: ",") }
    }

    /// Creates a key from a token; nil if it is invalid.
    ///
    /// ```swift
    /// if let key = Key(token: request.id), let project = try await db.find(Project.self, key: key) { … }
    /// ```
    public init?(token: String) {
        var parts: [KeyPart] = []
        for text in token.split(separator: ",", omittingEmptySubsequences: false) {
            guard let part = KeyPart(token: text) else { return nil }
            parts.append(part)
        }
        try? self.init(parts)
    }

    private var parts: [KeyPart] {
        get throws {
            let row = try parameters()
            guard row.width > 0 else { throw DatabaseError(.invalidValue, "A key without parts can't be encoded.") }
            return try row.withRow(0) { cells in
                try cells.map { cell in
                    switch cell.kind {
                    case .integer: return .integer(cell.integer)
                    case .timestamp: return .date(cell.integer)
                    case .text: return .text(try String._decode(cell))
                    case .uuid where cell.count == 16, .blob where cell.count == 16:
                        return .uuid(try UUID._decode(cell))
                    case .null, .boolean, .real, .blob, .decimal, .uuid, .json, .list:
                        throw DatabaseError(
                            .invalidValue, "Only keys of numbers, texts, UUIDs and dates can be encoded.")
                    }
                }
            }
        }
    }

    /// Throws for a text that can't be stored.
    private init(_ parts: [KeyPart]) throws {
        var encoder = CellEncoder(width: 0)
        for part in parts {
            switch part {
            case .integer(let number): try number._encode(into: &encoder, .native)
            case .text(let text): try text._encode(into: &encoder, .native)
            case .uuid(let uuid): try uuid._encode(into: &encoder, .native)
            case .date(let microseconds): encoder.append(.timestamp(microseconds))
            }
        }
        self.init(cells: encoder.buffer.cells, bytes: encoder.buffer.bytes)
    }
}

/// One part of a key, as JSON and tokens have it.
private enum KeyPart: Equatable {
    case integer(Int64)
    case text(String)
    case uuid(UUID)
    /// Microseconds since 1970.
    case date(Int64)

    private static let mark = UInt8(ascii: "~")

    /// The UUID that a text of 36 characters is.
    private static func uuid(_ text: some StringProtocol) -> UUID? {
        text.utf8.count == 36 ? UUID(uuidString: String(text)) : nil
    }

    /// The instant that a text is, if it has the one form that is written.
    private static func date(_ text: String) -> Int64? {
        guard text.utf8.last == UInt8(ascii: "Z"), let microseconds = ISO8601.microseconds(of: text) else { return nil }
        return ISO8601.text(ofMicroseconds: microseconds) == text ? microseconds : nil
    }

    // MARK: JSON

    init(string: String) {
        if string.utf8.first == Self.mark {
            self = .text(String(decoding: string.utf8.dropFirst(), as: UTF8.self))
        } else {
            self = Self.uuid(string).map { .uuid($0) } ?? Self.date(string).map { .date($0) } ?? .text(string)
        }
    }

    /// The part as a string; a number as its digits.
    var string: String {
        switch self {
        case .integer(let number): String(number)
        case .text(let text): KeyPart(string: text) == self ? text : "~" + text
        case .uuid(let uuid): uuid.uuidString
        case .date(let microseconds): ISO8601.text(ofMicroseconds: microseconds)
        }
    }

    // MARK: Tokens

    init?(token: Substring) {
        if token.isEmpty { return nil }
        if let number = Int64(token), String(number) == token {
            self = .integer(number)
        } else if let uuid = Self.uuid(token) {
            self = .uuid(uuid)
        } else if token == "~" {
            self = .text("")
        } else {
            guard let text = Self.unescaped(token) else { return nil }
            // Where a text has the form of a date, its first letter is escaped.
            let date = Self.escaped(text.utf8) == token ? Self.date(text) : nil
            self = date.map { .date($0) } ?? .text(text)
        }
    }

    var token: String {
        guard case .text(let text) = self else { return Self.escaped(string.utf8) }
        if text.isEmpty { return "~" }
        let token = Self.escaped(text.utf8)
        // What would be read as something else has its first letter escaped.
        guard KeyPart(token: token[...]) != self, let first = text.utf8.first else { return token }
        return Self.escape(first) + Self.escaped(text.utf8.dropFirst())
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "~" + (digits.utf8.count == 1 ? "0" : "") + digits
    }

    /// Text with `~` and two hexadecimal digits in place of each byte that a URL would have to encode: a token is the
    /// same before and after a URL's own encoding is undone.
    private static func escaped(_ utf8: some Sequence<UInt8>) -> String {
        var token = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                token.unicodeScalars.append(UnicodeScalar(byte))
            default: token += escape(byte)
            }
        }
        return token
    }

    private static func unescaped(_ token: Substring) -> String? {
        func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) } }
        var bytes: [UInt8] = []
        var rest = token.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == mark else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
