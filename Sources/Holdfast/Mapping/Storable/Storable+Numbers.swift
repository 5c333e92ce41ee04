extension Bool: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? {
        switch storage {
        case .native: .boolean
        case .integer: .int16
        default: storage.words.map { _ in .text }
        }
    }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? {
        storage == .integer ? .integer : storage.words.map { .words(true: $0.true, false: $0.false) }
    }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> Bool {
        guard cell.kind == .boolean || cell.kind == .integer else { return try decoded(word: cell) }
        guard cell.payload <= 1 else { throw CellMismatch.invalid("a truth value, 0 or 1") }
        return cell.payload == 1
    }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if storage == .native { return encoder.append(.boolean(self)) }
        try encodeWord(into: &encoder, storage)
    }

    @inlinable
    public static func _isSame(_ left: Bool, _ right: Bool) -> Bool? { left == right }

    @inlinable
    public static func _smallOriginal(_ value: Bool?) -> SmallOriginal? { .of(value) { $0 ? 1 : 0 } }

    public static func _value(ofBits bits: UInt64) -> Bool? { bits == 1 }

    @usableFromInline
    static func decoded(word cell: Cell) throws -> Bool {
        guard cell.kind == .text, let words = cell.storage.words else { throw cell.mismatch("a truth value") }
        let text = String(decoding: cell.bytes, as: UTF8.self)
        if text == words.true { return true }
        guard text == words.false else { throw CellMismatch.invalid("one of the two words that its `storage` names") }
        return false
    }

    @usableFromInline
    func encodeWord(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if storage == .integer { return encoder.append(.integer(self ? 1 : 0)) }
        guard let words = storage.words else { throw CellMismatch.invalid("stored as its `storage` asks") }
        try encoder.append(.text, text: self ? words.true : words.false)
    }
}

extension Cell {
    @usableFromInline
    func mismatch(_ expected: String) -> CellMismatch { isNull ? .null : .kind(kind, expected: expected) }

    /// The integer in the cell; a decimal without fraction counts, since PostgreSQL sums integers as numeric.
    @inlinable
    func storedInteger() throws -> Int64 {
        if kind == .integer { return integer }
        return try storedIntegerOfDecimal()
    }

    @usableFromInline
    func storedIntegerOfDecimal() throws -> Int64 {
        guard kind == .decimal else { throw mismatch("an integer") }
        guard let value = Int64(String(decoding: bytes, as: UTF8.self)) else {
            throw CellMismatch.invalid("a 64-bit integer")
        }
        return value
    }
}

extension FixedWidthInteger where Self: Storable {
    @inlinable
    public static func _decode(_ cell: Cell) throws -> Self {
        let stored = try cell.storedInteger()
        guard let value = Self(exactly: stored) else { throw integerMismatch }
        return value
    }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        guard let stored = Int64(exactly: self) else {
            throw Self.integerMismatch
        }
        encoder.append(.integer(stored))
    }

    @inlinable
    public static func _isSame(_ left: Self, _ right: Self) -> Bool? { left == right }

    @inlinable
    public static func _smallOriginal(_ value: Self?) -> SmallOriginal? {
        bitWidth > 64 ? nil : .of(value) { UInt64(truncatingIfNeeded: $0) }
    }

    public static func _value(ofBits bits: UInt64) -> Self? { Self(truncatingIfNeeded: bits) }

    @usableFromInline
    static var integerMismatch: CellMismatch {
        // Columns are signed.
        .invalid("an integer from \(Int64(clamping: Self.min)) to \(Int64(clamping: Self.max))")
    }
}

extension Int8: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int16 : nil }
}

extension Int16: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int16 : nil }
}

extension Int32: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int32 : nil }
}

extension Int64: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int64 : nil }
}

extension Int: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int64 : nil }
}

extension UInt8: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int16 : nil }
}

extension UInt16: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int32 : nil }
}

extension UInt32: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int64 : nil }
}

/// Kept in a signed 64-bit column: it takes the values from 0 to 2^63 - 1, and greater ones are refused.
extension UInt64: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int64 : nil }
}

/// Kept in a signed 64-bit column: it takes the values from 0 to 2^63 - 1, and greater ones are refused.
extension UInt: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .int64 : nil }
}

extension Double: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .double : nil }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> Double {
        if cell.kind == .real { return cell.real }
        return try ofOtherNumber(cell)
    }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if isNaN { throw CellMismatch.invalid("a number: NaN can't be stored") }
        if self == 0, sign == .minus { encoder.hasAdjusted = true }
        encoder.append(.real(self + 0))  // -0.0 + 0 is 0.0
    }

    @inlinable
    public static func _isSame(_ left: Double, _ right: Double) -> Bool? {
        if left.bitPattern == right.bitPattern { return true }
        return left == right ? nil : false  // 0.0 and -0.0 are told apart by what is done with bits
    }

    @inlinable
    public static func _smallOriginal(_ value: Double?) -> SmallOriginal? { .of(value, \.bitPattern) }

    public static func _value(ofBits bits: UInt64) -> Double? { Double(bitPattern: bits) }

    @usableFromInline
    static func ofOtherNumber(_ cell: Cell) throws -> Double {
        switch cell.kind {
        case .integer:
            guard let value = Double(exactly: cell.integer) else {
                throw CellMismatch.invalid("an integer that a Double holds")
            }
            return value
        case .decimal:
            guard let value = Double(String(decoding: cell.bytes, as: UTF8.self)) else {
                throw CellMismatch.invalid("a number")
            }
            return value
        default: throw cell.mismatch("a number")
        }
    }
}

extension Float: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .float : nil }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> Float {
        let double = try Double._decode(cell)
        guard let value = Float(exactly: double) else {
            throw CellMismatch.invalid("a number that a Float holds exactly")
        }
        return value
    }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        try Double(self)._encode(into: &encoder, storage)
    }

    @inlinable
    public static func _isSame(_ left: Float, _ right: Float) -> Bool? { Double._isSame(Double(left), Double(right)) }

    @inlinable
    public static func _smallOriginal(_ value: Float?) -> SmallOriginal? { .of(value) { UInt64($0.bitPattern) } }

    public static func _value(ofBits bits: UInt64) -> Float? { Float(bitPattern: UInt32(truncatingIfNeeded: bits)) }
}
