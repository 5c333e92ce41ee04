/// The values that a column admits, where a CHECK constraint keeps others out.
///
/// ```swift
/// enum Status: String, Storable, CaseIterable { case planned, running, done }
///
/// @Column(check: .cases) var status = Status.planned
/// // CONSTRAINT "holdfast_project_status_check" CHECK ("status" IN ('planned', 'running', 'done'))
/// ```
public enum ColumnCheck: Hashable, Sendable {
    /// The stored values of the cases of an enum, and NULL if the property is optional.
    case cases
}

extension ColumnDefinition {
    /// The stored value of a case of an enum.
    public enum Case: Hashable, Sendable {
        /// A text.
        case text(String)
        /// An integer.
        case integer(Int64)

        init?(_ cell: Cell) {
            switch cell.kind {
            case .text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
            case .integer: self = .integer(cell.integer)
            default: return nil
            }
        }

        func literal(_ dialect: any Dialect) -> String {
            switch self {
            case .text(let text): dialect.literal(text)
            case .integer(let number): String(number)
            }
        }
    }
}

/// A CHECK constraint that this library made, as the engine describes it: one whose name begins with
/// ``CheckSnapshot/namePrefix``.
///
/// ```swift
/// CheckSnapshot(
///     name: "holdfast_note_kind_check", column: "kind", expression: "(kind = ANY (ARRAY['a'::text, 'b'::text]))")
/// ```
@_spi(Driver) public struct CheckSnapshot: Hashable, Sendable {
    /// The beginning of the names of the library's constraints.
    public static let namePrefix = "holdfast_"

    /// The name of the constraint.
    public var name: String
    /// The column that it restricts.
    public var column: String
    /// Its condition in the words of the engine.
    public var expression: String

    /// Creates a snapshot of a constraint.
    public init(name: String, column: String, expression: String) {
        (self.name, self.column, self.expression) = (name, column, expression)
    }

    /// The values that it admits, of the type of others.
    func cases(like cases: [ColumnDefinition.Case]) -> Set<ColumnDefinition.Case> {
        let constants = SQLConstants(expression)
        if case .integer = cases.first { return Set(constants.integers.map { .integer($0) }) }
        return Set(constants.texts.map { .text($0) })
    }
}

extension Naming {
    /// The name of the CHECK constraint of a column.
    static func check(of table: String, _ column: String) -> String {
        shortened("\(CheckSnapshot.namePrefix)\(table)_\(column)_check")
    }
}

/// The constants in an expression that an engine has written, such as `(kind = ANY (ARRAY['a'::text, 'b'::text]))`.
struct SQLConstants {
    private(set) var texts: [String] = []
    /// The integers, also those between quotes: `'-1'::integer`.
    private(set) var integers: [Int64] = []

    init(_ expression: String) {
        var rest = Array(expression.utf8)[...]
        var sign = ""
        while let byte = rest.first {
            if byte == UInt8(ascii: "'") {
                add(Self.quoted(&rest, byte, hasEscapes: false))
            } else if byte == UInt8(ascii: "\"") {
                _ = Self.quoted(&rest, byte, hasEscapes: false)
            } else if Self.isDigit(byte) {
                let digits = rest.prefix { Self.isDigit($0) }
                rest.removeFirst(digits.count)
                if let number = Int64(sign + String(decoding: digits, as: UTF8.self)) { integers.append(number) }
            } else if Self.isWord(byte) {
                let word = rest.prefix { Self.isWord($0) || Self.isDigit($0) }
                rest.removeFirst(word.count)
                let isEscape = word.count == 1 && byte | 0x20 == UInt8(ascii: "e")
                if isEscape, rest.first == UInt8(ascii: "'") {
                    add(Self.quoted(&rest, UInt8(ascii: "'"), hasEscapes: true))
                }
            } else {
                rest.removeFirst()
                if byte == UInt8(ascii: " ") { continue }
                sign = byte == UInt8(ascii: "-") ? "-" : ""
                continue
            }
            sign = ""
        }
    }

    private mutating func add(_ text: String) {
        texts.append(text)
        if let number = Int64(text) { integers.append(number) }
    }

    /// Takes a text in quotes from the beginning, where a quote in it is doubled, and after an `E` a backslash as well.
    private static func quoted(_ rest: inout ArraySlice<UInt8>, _ quote: UInt8, hasEscapes: Bool) -> String {
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote, rest.first != quote { break }
            if byte == quote || hasEscapes && byte == UInt8(ascii: "\\") {
                if let second = rest.popFirst() { text.append(second) }
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x61...0x7a).contains(byte | 0x20)
    }
}
