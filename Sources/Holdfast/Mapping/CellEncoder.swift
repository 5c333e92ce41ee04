/// Where values are encoded to: the cells of one column after the other.
public struct CellEncoder: Sendable {
    @usableFromInline var buffer: ParameterBuffer
    /// Whether a value was changed to what its column can hold (a date rounded, -0.0 made 0.0).
    @usableFromInline var hasAdjusted = false

    init(width: Int) { buffer = ParameterBuffer(width: width) }

    @inlinable
    mutating func append(_ cell: Cell) { buffer.append(cell) }

    @inlinable
    mutating func append(_ kind: Cell.Kind, _ contents: UnsafeRawBufferPointer) { buffer.append(kind, contents) }

    /// Appends the UTF-8 of `text`, which must hold no NUL character: PostgreSQL can't, so neither engine may.
    @inlinable
    mutating func append(_ kind: Cell.Kind, text: String) throws {
        var text = text
        try text.withUTF8 { utf8 in
            if utf8.contains(0) { throw CellMismatch.invalid("free of NUL characters, which text can't hold") }
            buffer.append(kind, UnsafeRawBufferPointer(utf8))
        }
    }
}
