import Foundation

/// A JSON value of any kind, as a property of a model, or as a document.
///
/// ```swift
/// @Table final class Order {
///     var id: Int64?
///     var extra: JSON = [:]
///     init() {}
/// }
/// order.extra = ["paid": true, "lines": [["sku": "A-1", "count": 2]]]
/// order.extra["lines"]?[0]?["count"]?.integer    // 2
/// ```
///
/// The text is kept as it was given, as far as the engine keeps it: PostgreSQL orders the names of an object, and
/// writes numbers in its own way. Two values are equal if they mean the same, whatever the order of names and the
/// spelling of numbers and strings.
///
/// Not everything that some parser takes for JSON is accepted, since engines and decoders would make different things
/// of it: names that an object has twice (as Swift compares them), the character U+0000, half of a surrogate pair,
/// numbers beyond `Double`, and more than 200 levels of arrays and objects. The syntax is that of RFC 8259.
///
/// A query asks for what is inside by ``QueryExpression/json(_:as:)``.
public struct JSON: Sendable {
    /// The text.
    public let text: String
    /// Whether the text is known to be accepted; what is written in a program is checked when it is saved.
    let isChecked: Bool

    /// Creates a value from a text.
    ///
    /// ```swift
    /// let json = try JSON(parsing: #"{"a": [1, 2]}"#)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue``, with the number of bytes before what is wrong.
    public init(parsing text: String) throws {
        do { try JSONParser.check(text) } catch { throw Self.refusal(error) }
        (self.text, isChecked) = (text, true)
    }

    private static func refusal(_ fault: JSONParser.Fault) -> DatabaseError {
        DatabaseError(.invalidValue, "The text is no JSON: \(fault.reason), after \(fault.offset) bytes.")
    }

    /// Creates the JSON of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; by default one that orders names.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a value that can't be encoded, such as one with a NaN.
    public init(encoding value: some Encodable, by encoder: JSONEncoder = JSON.encoder) throws {
        // It has all its digits then, and is read once.
        if let json = value as? JSON {
            try json.requireAcceptable()
            self.init(part: json.text, isChecked: true)
            return
        }
        let data: Data
        do { data = try encoder.encode(value) } catch let error as DatabaseError {
            throw error
        } catch {
            throw DatabaseError(.invalidValue, "A \(type(of: value)) can't be encoded as JSON.")
        }
        try self.init(parsing: String(decoding: data, as: UTF8.self))
    }

    /// Takes a part of a text that was checked, or a text that is still to be.
    init(part text: String, isChecked: Bool) { (self.text, self.isChecked) = (text, isChecked) }

    /// Decodes a value.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the JSON does not fit the type.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        var text = text
        let bytes = text.withUTF8 { JSONNumberText.decoded(UnsafeRawBufferPointer($0)) }
        do { return try decoder.decode(type, from: bytes.map { Data($0) } ?? Data(text.utf8)) } catch {
            throw DatabaseError(.decoding, "The JSON does not fit the type \(type).")
        }
    }

    /// The encoder that is used where none is given.
    public static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

// MARK: Looking inside

extension JSON {
    /// The members of an object; nil if it is none.
    public var object: [String: JSON]? {
        parsed(JSONParser.members).map { members in
            Dictionary(members.map { ($0.name, JSON(part: $0.value, isChecked: isChecked)) }) { first, _ in first }
        }
    }

    /// The elements of an array; nil if it is none.
    public var array: [JSON]? {
        parsed(JSONParser.elements).map { elements in elements.map { JSON(part: $0, isChecked: isChecked) } }
    }

    /// The string; nil if it is none.
    public var string: String? { parsed(JSONParser.string) }

    /// The truth value; nil if it is none.
    public var boolean: Bool? {
        switch JSONParser.firstByte(of: text) {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The number, if it is one, and one of 64 bits without a fraction.
    public var integer: Int64? {
        guard let number else { return nil }
        if let exact = Int64(number.text) { return exact }
        if number.digits.isEmpty { return 0 }
        guard number.magnitude <= 19, number.digits.count <= max(number.magnitude, 0) else { return nil }
        let zeros = String(repeating: "0", count: number.magnitude - number.digits.count)
        return Int64((number.isNegative ? "-" : "") + number.digits + zeros)
    }

    /// The number, if it is one, as the nearest `Double`.
    public var double: Double? { number.flatMap { Double($0.text) } }

    /// The number, if it is one, as a `Decimal`; exact for up to 38 digits.
    public var decimal: Decimal? {
        number.flatMap { Decimal(string: $0.text, locale: Locale(identifier: "en_US_POSIX")) }
    }

    /// Whether it is `null`.
    public var isNull: Bool { text.trimmingPrefix { $0.isWhitespace }.hasPrefix("null") }

    /// A member of an object; nil if it has none of this name, or is no object.
    ///
    /// Setting a member of what is no object makes it one. What no save will accept stays as it is.
    public subscript(name: String) -> JSON? {
        get { object?[name] }
        set {
            guard isAcceptable else { return }
            var members = object ?? [:]
            members[name] = newValue
            self = JSON(members)
        }
    }

    /// An element of an array; nil if it has none at this position, or is no array.
    public subscript(position: Int) -> JSON? {
        guard let array, array.indices.contains(position) else { return nil }
        return array[position]
    }

    var number: JSONNumber? {
        guard let byte = JSONParser.firstByte(of: text), JSONParser.beginsNumber(byte) else { return nil }
        return JSONNumber(text.filter { !$0.isWhitespace })
    }

    /// Whether a save will accept it.
    var isAcceptable: Bool { isChecked || (try? JSONParser.check(text)) != nil }

    /// - Throws: ``DatabaseError/Code/invalidValue`` unless a save will accept it.
    package func requireAcceptable() throws {
        if !isChecked { _ = try JSON(parsing: text) }
    }

    /// The value with all that is in it.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` unless a save will accept it.
    func tree() throws -> JSONTree {
        do { return try JSONParser.tree(of: text) } catch { throw Self.refusal(error) }
    }

    private func parsed<Value>(_ parse: (String) throws(JSONParser.Fault) -> Value?) -> Value? {
        do { return try parse(text) } catch { return nil }
    }
}

// MARK: Equality

extension JSON: Hashable {
    public static func == (left: JSON, right: JSON) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) || left.canonical.utf8.elementsEqual(right.canonical.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in canonical.utf8 { hasher.combine(byte) }
    }

    /// The canonical spelling of the value, which all values that mean the same share.
    private var canonical: String { parsed(JSONParser.tree(of:))?.text(\.canonicalScalar) ?? canonicalScalar }

    /// The canonical spelling of a value that is neither an object nor an array.
    private var canonicalScalar: String {
        string?.jsonQuoted ?? number?.canonical ?? text.filter { !$0.isWhitespace }
    }
}

extension JSON: CustomStringConvertible {
    public var description: String { text }
}
