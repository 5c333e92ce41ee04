/// One value of a row, or of a parameter, as drivers and codecs pass it: a kind and eight bytes.
///
/// Texts and blobs are not held but pointed at. In a row, the payload is the address of the bytes, valid until
/// the driver is asked for the next row; in a ``ParameterBuffer``, it is their offset in the buffer.
///
/// ```swift
/// let cell = Cell.integer(42)
/// cell.kind       // .integer
/// cell.integer    // 42
/// ```
public struct Cell: Sendable, BitwiseCopyable {
    /// The kind of value that a cell holds.
    ///
    /// ```swift
    /// switch cell.kind {
    /// case .null: print("NULL")
    /// case .integer: print(cell.integer)
    /// case .text: print(String(decoding: cell.bytes, as: UTF8.self))
    /// default: print(cell.kind)
    /// }
    /// ```
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// SQL NULL.
        case null
        /// A truth value: payload 0 or 1.
        case boolean
        /// A signed 64-bit integer.
        case integer
        /// The bits of a Double.
        case real
        /// UTF-8 text.
        case text
        /// Bytes.
        case blob
        /// A UTC instant: signed microseconds since 1970-01-01.
        case timestamp
        /// A decimal number as plain ASCII text: `-12.50`, without exponent.
        case decimal
        /// Sixteen bytes.
        case uuid
        /// JSON as UTF-8 text.
        case json
        /// A whole column of values, only as a parameter: payload is its index in ``ParameterBuffer/lists``.
        case list
    }

    /// The kind of the value.
    public var kind: Kind
    /// How the property asks its value to be stored; only codecs look at it.
    public var storage: ValueStorage
    /// The number of bytes of a text, blob, decimal, UUID or JSON cell.
    public var count: UInt32
    /// The integer, the bits of the Double, the address (in a buffer: offset) of the bytes, or the index of the list.
    public var payload: UInt64

    /// Creates a cell of a kind whose payload means what ``payload`` says.
    @inlinable
    public init(kind: Kind, count: UInt32 = 0, payload: UInt64 = 0) {
        self.kind = kind
        self.storage = .native
        self.count = count
        self.payload = payload
    }

    /// SQL NULL.
    public static var null: Cell {
        @inlinable get { Cell(kind: .null) }
    }

    /// A truth value.
    @inlinable
    public static func boolean(_ value: Bool) -> Cell { Cell(kind: .boolean, payload: value ? 1 : 0) }

    /// An integer of up to 64 bits.
    @inlinable
    public static func integer(_ value: Int64) -> Cell { Cell(kind: .integer, payload: UInt64(bitPattern: value)) }

    /// A floating-point number of 64 bits.
    @inlinable
    public static func real(_ value: Double) -> Cell { Cell(kind: .real, payload: value.bitPattern) }

    /// A UTC instant, in microseconds since 1970-01-01.
    ///
    /// ```swift
    /// Cell.timestamp(1_700_000_000_000_000)    // 2023-11-14 22:13:20 UTC
    /// ```
    @inlinable
    public static func timestamp(_ microseconds: Int64) -> Cell {
        Cell(kind: .timestamp, payload: UInt64(bitPattern: microseconds))
    }

    /// A cell of `kind` over bytes that must outlive its use.
    ///
    /// If there are 4 GiB or more, `count` is its maximum; every engine refuses a value of that size.
    ///
    /// ```swift
    /// let text = sqlite3_column_text(pointer, column)
    /// let count = Int(sqlite3_column_bytes(pointer, column))
    /// cells[Int(column)] = .bytes(.text, UnsafeRawBufferPointer(start: text, count: count))
    /// ```
    @inlinable
    public static func bytes(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) -> Cell {
        Cell(kind: kind, count: UInt32(clamping: bytes.count), payload: UInt64(UInt(bitPattern: bytes.baseAddress)))
    }

    /// Whether it is SQL NULL.
    @inlinable
    public var isNull: Bool { kind == .null }

    /// The payload as a signed integer: of integer and timestamp cells.
    @inlinable
    public var integer: Int64 { Int64(bitPattern: payload) }

    /// The payload as a Double: of real cells.
    @inlinable
    public var real: Double { Double(bitPattern: payload) }

    /// The bytes of a text, blob, decimal, UUID or JSON cell whose payload is an address.
    @inlinable
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: UInt(payload)), count: Int(count))
    }

    /// Whether the payload points at bytes.
    @inlinable
    public var hasBytes: Bool {
        switch kind {
        case .text, .blob, .decimal, .uuid, .json: true
        case .null, .boolean, .integer, .real, .timestamp, .list: false
        }
    }
}
