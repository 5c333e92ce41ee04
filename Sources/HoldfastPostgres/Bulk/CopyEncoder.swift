internal import CPostgres
import Holdfast

/// Rows of parameters as COPY takes them in binary: for each row the number of its fields, then each one's length and
/// bytes.
struct CopyEncoder: ~Copyable {
    private var encoder: ParameterEncoder
    private let parameters: ParameterBuffer
    private var keys: ServerResult?
    private var keyWidth = 0

    init(_ statement: PreparedStatement, _ parameters: ParameterBuffer) {
        encoder = ParameterEncoder(statement.types, limits: statement.limits)
        self.parameters = parameters
    }

    /// Whether the formats of all types are known.
    var canEncode: Bool {
        encoder.types.allSatisfy { type in
            if case .other = type { false } else { type != .void }
        }
    }

    /// Adds a key to each row, as its last field.
    ///
    /// - Parameters:
    ///   - keys: The keys: one bigint for each row.
    ///   - type: The type of the column.
    /// - Returns: Whether it is an integer type.
    mutating func useKeys(_ keys: ServerResult, type: UInt32) -> Bool {
        switch WireType(type) {
        case .int8: keyWidth = 8
        case .int4: keyWidth = 4
        case .int2: keyWidth = 2
        default: return false
        }
        self.keys = keys
        return true
    }

    mutating func append(_ row: Int, to bytes: inout [UInt8]) throws(DatabaseError) {
        let count = encoder.types.count
        let total = count + (keys == nil ? 0 : 1)
        Self.append(Int16(truncatingIfNeeded: total), to: &bytes)
        let (isBinary, _) = encoder.send(parameters, row: row) { values, lengths, formats in
            for column in 0..<count {
                guard let value = values[column] else {
                    Self.append(Int32(-1), to: &bytes)
                    continue
                }
                Self.append(lengths[column], to: &bytes)
                bytes.append(contentsOf: UnsafeRawBufferPointer(start: value, count: Int(lengths[column])))
            }
            return (0..<count).allSatisfy { formats[$0] == 1 } ? 1 : 0
        }
        if isBinary == 0 { throw DatabaseError(.invalidValue, "A value can't be copied.") }
        guard let keys, let value = PQgetvalue(keys.raw, Int32(truncatingIfNeeded: row), 0) else { return }
        let key = Int64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Int64.self))
        guard keyWidth == 8 || key >> (keyWidth * 8 - 1) == 0 else {
            throw DatabaseError(.invalidValue, "A key does not fit its column.")
        }
        Self.append(Int32(keyWidth), to: &bytes)
        withUnsafeBytes(of: key.bigEndian) { bytes.append(contentsOf: $0.suffix(keyWidth)) }
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
