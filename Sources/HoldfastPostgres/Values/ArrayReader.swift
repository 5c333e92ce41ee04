import Holdfast

/// Reads an array that the server sends in binary; see `array_send` in its `arrayfuncs.c`.
enum ArrayReader {
    /// Why an array can't be read.
    enum Failure: Error {
        case dimensions, element, format

        /// The reason, to follow "an array".
        var what: String {
            switch self {
            case .dimensions: "of several dimensions"
            case .element: "with an element that is infinite, or no number"
            case .format: "in a format that is unknown"
            }
        }
    }

    /// The elements as the JSON that ``ArrayText`` has.
    ///
    /// - Parameter format: The format of the elements.
    static func json(_ bytes: UnsafeRawBufferPointer, _ format: WireType) throws(Failure) -> [UInt8] {
        var position = 0
        func number() throws(Failure) -> Int {
            guard position + 4 <= bytes.count else { throw .format }
            defer { position += 4 }
            return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
        }
        // Dimensions, whether there are NULLs, the type; then the length and the first index.
        let dimensions = try number()
        _ = try number()
        let type = UInt32(truncatingIfNeeded: try number())
        if dimensions > 1 { throw .dimensions }
        let count = dimensions == 0 ? 0 : try number()
        if dimensions == 1 { _ = try number() }
        var text = ArrayText()
        for _ in 0..<count {
            let length = try number()
            guard length >= 0 else {
                try append(.null, to: &text)
                continue
            }
            guard position + length <= bytes.count else { throw .format }
            let value = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
            position += length
            if format == .numeric {
                try append(numeric: value, to: &text)
            } else {
                try append(try cell(value, format, type), to: &text)
            }
        }
        text.end()
        return text.utf8
    }

    private static func append(_ cell: Cell, to text: inout ArrayText) throws(Failure) {
        do throws(CellMismatch) { try text.append(cell) } catch { throw .element }
    }

    private static func append(numeric bytes: UnsafeRawBufferPointer, to text: inout ArrayText) throws(Failure) {
        let digits = UnsafeMutableRawBufferPointer.allocate(
            byteCount: NumericCodec.textCapacity(bytes), alignment: 8)
        defer { digits.deallocate() }
        guard let start = digits.baseAddress, let count = NumericCodec.write(bytes, to: start) else { throw .element }
        try append(.bytes(.decimal, UnsafeRawBufferPointer(start: start, count: count)), to: &text)
    }

    private static func instant(_ microseconds: Int64?) throws(Failure) -> Cell {
        guard let microseconds else { throw .element }
        return .timestamp(microseconds)
    }

    private static func cell(
        _ bytes: UnsafeRawBufferPointer, _ format: WireType, _ type: UInt32
    ) throws(Failure) -> Cell {
        func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) throws(Failure) -> Value {
            guard bytes.count == MemoryLayout<Value>.size else { throw .format }
            return Value(bigEndian: bytes.loadUnaligned(as: type))
        }
        switch format {
        case .bool: return .boolean(try load(UInt8.self) != 0)
        case .int2: return .integer(Int64(try load(Int16.self)))
        case .int4: return .integer(Int64(try load(Int32.self)))
        case .int8: return .integer(try load(Int64.self))
        case .float4: return .real(Double(Float(bitPattern: try load(UInt32.self))))
        case .float8: return .real(Double(bitPattern: try load(UInt64.self)))
        case .uuid: return .bytes(.uuid, bytes)
        case .timestamptz, .timestamp: return try instant(ServerTime.toUnix(try load(Int64.self)))
        case .date: return try instant(ServerTime.toUnix(day: try load(Int32.self)))
        case .text where type == TypeOID.character:
            let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
            return .bytes(.text, UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        case .text: return .bytes(.text, bytes)
        // No elements that can be read: see ``WireType/isReadable``. Decimals have been read before.
        case .numeric, .oid, .paddedText, .json, .jsonb, .bytea, .void, .array, .other: throw .format
        }
    }
}
