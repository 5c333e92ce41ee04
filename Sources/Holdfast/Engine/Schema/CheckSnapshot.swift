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
