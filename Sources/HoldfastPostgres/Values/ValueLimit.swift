internal import CPostgres
@_spi(Driver) import Holdfast

/// The limit that a column sets to the values of its type, and beyond which the server rounds or cuts instead of
/// refusing: the scale of a `numeric(p, s)`, the digits of a `timestamptz(p)`, the length of a `varchar(n)`, the blanks
/// at the end of a `char(n)`.
enum ValueLimit: Hashable, Sendable {
    /// So many digits after the decimal point; if negative, so many zeros before it.
    case scale(Int)
    /// So many digits of a fraction of a second.
    case fraction(Int)
    /// So many characters; the server cuts blanks beyond them, and refuses anything else.
    case length(Int)
    /// No blanks at the end, which mean nothing in a `char(n)`.
    case unpadded

    /// Reads a type's modifier, as the catalog keeps it (`numerictypmodin` and its like in the server's source).
    ///
    /// - Returns: Nil if the type has no limit that the server does not check by itself.
    init?(type: UInt32, modifier: Int32) {
        if type == TypeOID.character || type == TypeOID.characterArray {
            self = .unpadded
            return
        }
        guard modifier >= 0 else { return nil }
        switch type {
        case TypeOID.numeric, TypeOID.numericArray:
            // The lower eleven bits are the scale, with its sign.
            let bits = (Int(modifier) - 4) & 0x7FF
            self = .scale(bits >= 0x400 ? bits - 0x800 : bits)
        case TypeOID.timestamp, TypeOID.timestamptz, TypeOID.timestampArray, TypeOID.timestamptzArray:
            guard modifier < 6 else { return nil }
            self = .fraction(Int(modifier))
        case TypeOID.varchar, TypeOID.varcharArray: self = .length(Int(modifier) - 4)
        default: return nil
        }
    }

    /// The limits of the parameters of a change, from the description of its columns; empty if none has one.
    ///
    /// - Parameter types: Their types; nil for a value that the library makes, which the column may round.
    static func limits(
        _ description: ServerResult, of change: Statement.RowChange, _ types: [ColumnType?]
    ) -> [ValueLimit?] {
        let limits = change.columnOfParameter.map { column -> ValueLimit? in
            guard let column, column < description.columnCount, column >= types.count || types[column] != nil else {
                return nil
            }
            let index = Int32(truncatingIfNeeded: column)
            return ValueLimit(type: PQftype(description.raw, index), modifier: PQfmod(description.raw, index))
        }
        return limits.contains { $0 != nil } ? limits : []
    }

    /// Whether the server stores exactly the value, or refuses it.
    func allows(_ cell: Cell) -> Bool {
        switch (self, cell.kind) {
        case (.scale(let scale), .decimal): Self.isWithin(scale, cell.bytes)
        case (.scale(let scale), .integer):
            scale >= 0 || Self.isWithin(scale, Array(cell.integer.description.utf8))
        case (.scale(let scale), .real): Self.isWithin(scale, Array(NumericCodec.plainText(cell.real).utf8))
        case (.fraction(let digits), .timestamp):
            cell.integer.isMultiple(of: (0..<6 - digits).reduce(1) { product, _ in product * 10 })
        case (.length(let length), .text): Self.isWithin(length: length, cell.bytes)
        case (.unpadded, .text): cell.bytes.last != UInt8(ascii: " ")
        // Of an array in one column, each element.
        case (.scale, .json): allowsAll(cell, as: .decimal)
        case (.fraction, .json): allowsAll(cell, as: .timestamp)
        case (.length, .json), (.unpadded, .json): allowsAll(cell, as: nil)
        default: true
        }
    }

    private func allowsAll(_ array: Cell, as type: ColumnType?) -> Bool {
        guard let elements = ArrayText.cells(of: array.bytes, as: type) else { return true }
        return (0..<elements.rowCount).allSatisfy { row in elements.withRow(row) { allows($0[0]) } }
    }

    private static func isWithin(_ scale: Int, _ text: some BidirectionalCollection<UInt8>) -> Bool {
        let digits = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = digits.first else { return true }
        let fraction = digits.dropFirst().first ?? whole[whole.endIndex...]
        let zero = UInt8(ascii: "0")
        if scale >= 0 { return fraction.dropFirst(scale).allSatisfy { $0 == zero } }
        return fraction.allSatisfy { $0 == zero } && whole.suffix(-scale).allSatisfy { $0 == zero || $0 == 45 }
    }

    /// Whether a text is short enough, or has more than blanks beyond the limit, which the server refuses.
    private static func isWithin(length: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > length else { return true }
        // Of a character, bytes after the first begin with the bits 10.
        let starts = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 }
        guard starts.count > length else { return true }
        return !bytes[starts[length]...].allSatisfy { $0 == UInt8(ascii: " ") }
    }
}

extension ValueLimit {
    /// The limit after the name of the type: `(…, 2)`.
    var description: String {
        switch self {
        case .scale(let scale): "numeric with a scale of \(scale)"
        case .fraction(let digits): "timestamp(\(digits))"
        case .length(let length): "varchar(\(length))"
        case .unpadded: "char(n), in which blanks at the end mean nothing"
        }
    }
}
