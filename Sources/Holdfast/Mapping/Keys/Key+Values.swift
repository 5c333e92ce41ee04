public import Foundation

/// The way back from a key to its values.
extension Key {
    /// Returns the value of a key with one part.
    ///
    /// ```swift
    /// let ids = try await db.query(Project.self).keys().map { try $0.value(as: Int64.self) }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the key has several parts, or its value does not fit the type.
    public func value<Value: KeyValue>(as type: Value.Type) throws -> Value {
        try values(as: Value.self)
    }

    /// Returns the values of a key with several parts, in the order of its properties.
    ///
    /// ```swift
    /// let (name, architecture) = try key.values(as: String.self, String.self)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the key has another number of parts, or one does not fit its type.
    public func values<each Part: KeyValue>(as type: repeat (each Part).Type) throws -> (repeat each Part) {
        var count = 0
        for _ in repeat each type { count += 1 }
        let parts = try parameters()
        guard parts.width == count else {
            throw DatabaseError(.decoding, "The key has \(parts.width) parts, but \(count) were asked for.")
        }
        return try parts.withRow(0) { cells in
            var position = 0
            func next<Next: KeyValue>(_ type: Next.Type) throws -> Next {
                defer { position += 1 }
                do {
                    return try Next._decode(cells[position])
                } catch {
                    let sentence = (error as? CellMismatch)?.sentence ?? "was refused by the conversion to its type"
                    throw DatabaseError(.decoding, "Part \(position + 1) of the key \(sentence).")
                }
            }
            return (repeat try next((each Part).self))
        }
    }

    /// The integer of a key with one part; nil for any other key.
    public var int64: Int64? { if case .integer(let value) = storage { value } else { nil } }

    /// The text of a key with one part; nil for any other key.
    public var string: String? { try? value(as: String.self) }

    /// The UUID of a key with one part; nil for any other key.
    public var uuid: UUID? { string == nil ? try? value(as: UUID.self) : nil }
}
