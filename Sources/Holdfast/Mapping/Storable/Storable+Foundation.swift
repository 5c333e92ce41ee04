public import Foundation

extension String: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? {
        storage == .native || storage == .text ? .text : nil
    }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? { storage == .text ? .ofColumnType : nil }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> String {
        switch cell.kind {
        case .text, .json, .decimal:
            guard let text = text(of: cell.bytes) else {
                throw CellMismatch.invalid("valid UTF-8")
            }
            return text
        default: throw cell.mismatch("text")
        }
    }

    /// The text, if the bytes are valid UTF-8.
    ///
    /// `String(validating:as:)` would do, but takes twice the time for a short text.
    @usableFromInline
    static func text(of bytes: UnsafeRawBufferPointer) -> String? {
        var text = String(decoding: bytes, as: UTF8.self)
        // What is not valid was replaced.
        let isSame = text.withUTF8 { utf8 in
            guard utf8.count == bytes.count else { return false }
            guard let copy = utf8.baseAddress, let original = bytes.baseAddress else { return true }
            return memcmp(copy, original, bytes.count) == 0
        }
        return isSame ? text : nil
    }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        try encoder.append(.text, text: self)
    }

    @inlinable
    public static func _isSame(_ left: String, _ right: String) -> Bool? {
        left.utf8.count == right.utf8.count && areSameBytes(left, right)
    }

    /// Whether two texts of equally many bytes have the same ones; `==` takes different Unicode forms for the same.
    @usableFromInline
    static func areSameBytes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let one = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(one, other, left.count) == 0
            }
        }
    }
}

extension Data: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .blob : nil }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> Data {
        guard cell.kind == .blob else { throw cell.mismatch("bytes") }
        return Data(cell.bytes)
    }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        withUnsafeBytes { encoder.append(.blob, $0) }
    }

    public static func _isSame(_ left: Data, _ right: Data) -> Bool? { left == right }
}

extension UUID: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? {
        if storage.isText { return .text }
        return storage == .native ? .uuid : nil
    }

    public static func _decode(_ cell: Cell) throws -> UUID {
        switch cell.kind {
        case .text where cell.storage.isText: return try decoded(text: cell)
        case .uuid where cell.storage == .native, .blob where cell.storage == .native:
            guard cell.count == 16 else { throw CellMismatch.invalid("a UUID of 16 bytes") }
            return UUID(uuid: cell.bytes.loadUnaligned(as: uuid_t.self))
        case .text:
            guard let value = UUID(uuidString: String(decoding: cell.bytes, as: UTF8.self)) else {
                throw CellMismatch.invalid("a UUID")
            }
            return value
        default: throw cell.mismatch("a UUID")
        }
    }

    /// The UUID in a column of texts, which are compared by their bytes, so that there is one form of each.
    private static func decoded(text cell: Cell) throws -> UUID {
        let text = String(decoding: cell.bytes, as: UTF8.self)
        guard let value = UUID(uuidString: text), value.text(cell.storage) == text else {
            let isUpper = cell.storage == .uppercaseText
            throw CellMismatch.invalid(
                "a UUID in \(isUpper ? "upper" : "lower") case, as its `storage` has it (`.text` is lower case, `.uppercaseText` upper)"
            )
        }
        return value
    }

    private func text(_ storage: ValueStorage) -> String {
        storage == .uppercaseText ? uuidString : uuidString.lowercased()
    }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if storage.isText { return try encoder.append(.text, text: text(storage)) }
        withUnsafeBytes(of: uuid) { encoder.append(.uuid, $0) }
    }

    public static func _isSame(_ left: UUID, _ right: UUID) -> Bool? { left == right }
}

/// Kept as the text of the absolute URL.
extension URL: Storable {
    public init(storedValue: String) throws {
        guard let url = URL(string: storedValue, encodingInvalidCharacters: false) else {
            throw CellMismatch.invalid("a URL")
        }
        self = url
    }

    public var storedValue: String { absoluteString }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if baseURL != nil { encoder.hasAdjusted = true }
        try absoluteString._encode(into: &encoder, storage)
    }
}
