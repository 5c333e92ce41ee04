import Foundation

/// Decodes a `Decodable` value of the columns of a row, by name.
struct SQLRowDecoder: Decoder {
    let row: SQLRow
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Value: Decodable>(_ type: Value.Type, from row: SQLRow) throws -> Value {
        do {
            return try Value(from: SQLRowDecoder(row: row))
        } catch let error as DatabaseError {
            throw error
        } catch let DecodingError.keyNotFound(key, _) {
            throw DatabaseError(
                .decoding, "The statement returns no column for \"\(key.stringValue)\" of \(Value.self).",
                properties: [key.stringValue])
        } catch {
            // A DecodingError's own words may quote the value.
            throw DatabaseError(.decoding, "A row of the statement could not be decoded as \(Value.self).")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Container<Key>(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unsupported }

    private static let unsupported = DatabaseError(
        .decoding, "A row is decoded by the names of its columns; use `fetch(as:)` with a tuple to decode by position.")

    private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let row: SQLRow
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { row.columnNames.compactMap { Key(stringValue: $0) } }

        private func position(_ key: Key) -> Int? {
            row.columns.positions[key.stringValue] ?? row.columns.positions[Naming.snakeCased(key.stringValue)]
        }

        func contains(_ key: Key) -> Bool { position(key) != nil }

        private func found(_ key: Key) throws -> Int {
            guard let position = position(key) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "no such column"))
            }
            return position
        }

        private func value<Value: Storable>(_ type: Value.Type, _ key: Key) throws -> Value {
            try row.decode(type, at: try found(key))
        }

        func decodeNil(forKey key: Key) throws -> Bool { row.isNull(at: try found(key)) }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
        func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
        func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
        func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
        func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
        func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
        func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
        func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
        func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            if let storable = type as? any Storable.Type, let value = try value(storable, key) as? Value {
                return value
            }
            // Anything else is a type that writes itself as one value (an enum by its raw value), or JSON.
            let position = try found(key)
            if let value = try? Value(from: SingleValue(row: row, position: position)) { return value }
            let json = try row.decode(String.self, at: position)
            return try JSONDecoder().decode(Value.self, from: Data(json.utf8))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw SQLRowDecoder.unsupported }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw SQLRowDecoder.unsupported
        }

        func superDecoder() throws -> any Decoder { throw SQLRowDecoder.unsupported }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw SQLRowDecoder.unsupported }
    }

    /// A column as the one value of a type.
    private struct SingleValue: Decoder, SingleValueDecodingContainer {
        let row: SQLRow
        let position: Int
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            throw SQLRowDecoder.unsupported
        }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw SQLRowDecoder.unsupported }
        func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

        func decodeNil() -> Bool { row.isNull(at: position) }
        func decode(_ type: Bool.Type) throws -> Bool { try row.decode(type, at: position) }
        func decode(_ type: String.Type) throws -> String { try row.decode(type, at: position) }
        func decode(_ type: Double.Type) throws -> Double { try row.decode(type, at: position) }
        func decode(_ type: Float.Type) throws -> Float { try row.decode(type, at: position) }
        func decode(_ type: Int.Type) throws -> Int { try row.decode(type, at: position) }
        func decode(_ type: Int8.Type) throws -> Int8 { try row.decode(type, at: position) }
        func decode(_ type: Int16.Type) throws -> Int16 { try row.decode(type, at: position) }
        func decode(_ type: Int32.Type) throws -> Int32 { try row.decode(type, at: position) }
        func decode(_ type: Int64.Type) throws -> Int64 { try row.decode(type, at: position) }
        func decode(_ type: UInt.Type) throws -> UInt { try row.decode(type, at: position) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try row.decode(type, at: position) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try row.decode(type, at: position) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try row.decode(type, at: position) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try row.decode(type, at: position) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw SQLRowDecoder.unsupported }
    }
}
