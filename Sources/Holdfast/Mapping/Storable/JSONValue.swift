import Foundation

/// A Codable value stored as JSON, for properties whose type is not ``Storable``.
///
/// ```swift
/// table.property("address", \.address)    // "address" jsonb, or TEXT on SQLite
/// ```
public struct JSONValue<Value: Codable & SendableMetatype>: Storable {
    @usableFromInline var value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }

    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .json : nil }

    public static func _decode(_ cell: Cell) throws -> JSONValue {
        guard cell.kind == .json || cell.kind == .text else { throw cell.mismatch("JSON") }
        do {
            let json = JSONNumberText.decoded(cell.bytes).map { Data($0) } ?? Data(cell.bytes)
            return JSONValue(try JSONDecoder().decode(Value.self, from: json))
        } catch {
            throw CellMismatch.invalid("the JSON of a \(Value.self)")  // the decoder's own words may quote the value
        }
    }

    public static func _converting(_ given: Any?) throws -> JSONValue {
        guard let given = unwrapped(given) else { throw GivenValueFault.null }
        if let given = given as? GivenJSON { return try converted(from: given) }
        guard let value = given as? Value else { throw GivenValueFault.type(of: given, needed: Value.self) }
        return JSONValue(value)
    }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        let jsonEncoder = JSONEncoder()
        jsonEncoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json: Data
        do {
            json = try jsonEncoder.encode(value)
        } catch {
            throw CellMismatch.invalid("encodable as JSON")
        }
        guard !Self.escapesNUL(json) else {
            throw CellMismatch.invalid("free of NUL characters, which text can't hold")
        }
        json.withUnsafeBytes { json in
            guard let stored = JSONNumberText.stored(json) else { return encoder.append(.json, json) }
            stored.withUnsafeBytes { encoder.append(.json, $0) }
        }
    }

    /// Whether a string in the JSON holds the escape of U+0000, which PostgreSQL's jsonb can't.
    private static func escapesNUL(_ json: Data) -> Bool {
        var isEscaped = false
        var digits = -1
        for byte in json {
            if digits >= 0 {
                guard byte == UInt8(ascii: "0") else {
                    digits = -1
                    continue
                }
                digits += 1
                if digits == 4 { return true }
            } else if isEscaped {
                isEscaped = false
                if byte == UInt8(ascii: "u") { digits = 0 }
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
        }
        return false
    }
}
