import Foundation
import Holdfast

/// The form of values in documents: Foundation's, but for dates, which are texts in UTC with microseconds, so that they
/// sort as the instants do: `2026-11-24T10:00:00.000000Z`.
enum DocumentCoding {
    static func encode(_ value: some Encodable, references: ReferenceCollector? = nil) throws -> JSON {
        if let json = value as? JSON { return json }
        guard let references, let key = ReferenceCollector.userInfoKey else {
            return try JSON(encoding: value, by: encoder)
        }
        let encoder = makeEncoder()
        encoder.userInfo[key] = references
        return try JSON(encoding: value, by: encoder)
    }

    // Kept, since making one takes a tenth of the time of encoding a small value.
    private static let encoder = makeEncoder()
    private static let decoder = makeDecoder()

    private static func makeEncoder() -> JSONEncoder {
        let encoder = JSON.encoder
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(try text(of: date))
        }
        return encoder
    }

    private static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let micros = ISO8601.microseconds(of: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "A date is in another form.")
            }
            return Date(timeIntervalSince1970: Double(micros) / 1_000_000)
        }
        return decoder
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from document: Document, references: ReferenceResolver? = nil
    ) throws -> Value {
        if let json = document.value as? Value { return json }
        var decoder = decoder
        if let references, let key = ReferenceResolver.userInfoKey {
            decoder = makeDecoder()
            decoder.userInfo[key] = references
        }
        do { return try document.value.decode(type, by: decoder) } catch {
            throw DatabaseError(
                .decoding, "A document does not fit the type \(type).", table: Document.databaseTable)
        }
    }

    /// A key of `userInfo`, whose initializer gives nil for nothing.
    static func userInfoKey(_ name: String) -> CodingUserInfoKey? { CodingUserInfoKey(rawValue: "holdfast.\(name)") }

    /// The form of a date to compare with, beyond which documents have none.
    static func limit(_ date: Date) -> String {
        let (first, last) = (-62_167_219_200.0, 253_402_300_799.0)
        let inside = Date(timeIntervalSince1970: min(max(date.timeIntervalSince1970, first), last))
        // A date within the limits has a form.
        return (try? text(of: inside)) ?? ""
    }

    /// The form of a date in a document.
    static func text(of date: Date) throws -> String {
        let micros = (date.timeIntervalSince1970 * 1_000_000).rounded()
        // The years 0 to 9999, whose texts sort as the instants do.
        guard micros >= -62_167_219_200_000_000, micros < 253_402_300_800_000_000 else {
            throw DatabaseError(.invalidValue, "A date in a document is of the years 0 to 9999.")
        }
        return ISO8601.text(ofMicroseconds: Int64(micros))
    }
}
