#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where values are encoded to: the cells of one column after the other.
public struct CellEncoder: Sendable {
    @usableFromInline var buffer: ParameterBuffer
    /// Whether a value was changed to what its column can hold (a date rounded, -0.0 made 0.0).
    @usableFromInline var hasAdjusted = false

    init(width: Int) { buffer = ParameterBuffer(width: width) }

    /// Makes room for the cells of so many rows.
    mutating func reserveCells(rows: Int) { buffer.cells.reserveCapacity(rows * buffer.width) }

    /// Takes what was encoded so far, and makes room for as much again.
    mutating func takeBuffer() -> ParameterBuffer {
        let taken = buffer
        buffer = ParameterBuffer(width: taken.width)
        buffer.cells.reserveCapacity(taken.cells.count)
        buffer.bytes.reserveCapacity(taken.bytes.count + taken.bytes.count / 16)
        return taken
    }

    /// Makes room for the bytes of many rows, going by those that were encoded so far.
    mutating func reserveBytes(rows: Int, encoded: Int) {
        let (expected, overflows) = (buffer.bytes.count / encoded + 1).multipliedReportingOverflow(by: rows)
        if !overflows { buffer.bytes.reserveCapacity(expected + expected / 16) }
    }

    @usableFromInline
    static func containsNUL(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = utf8.baseAddress else { return false }
        return memchr(start, 0, utf8.count) != nil
    }

    @inlinable
    mutating func append(_ cell: Cell) { buffer.append(cell) }

    @inlinable
    mutating func append(_ kind: Cell.Kind, _ contents: UnsafeRawBufferPointer) { buffer.append(kind, contents) }

    /// Appends the UTF-8 of `text`, which must hold no NUL character: PostgreSQL can't, so neither engine may.
    @inlinable
    mutating func append(_ kind: Cell.Kind, text: String) throws {
        var text = text
        try text.withUTF8 { utf8 in
            if Self.containsNUL(utf8) { throw CellMismatch.invalid("free of NUL characters, which text can't hold") }
            buffer.append(kind, UnsafeRawBufferPointer(utf8))
        }
    }
}
