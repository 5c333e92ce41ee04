/// The CHECK constraints that this library makes, of enums.
extension DatabaseSchema.Check {
    /// The beginning of the names of the library's constraints.
    @_spi(Driver) public static let namePrefix = "holdfast_"

    /// The values that it admits, of the type of others.
    func cases(like cases: [ColumnDefinition.Case]) -> Set<ColumnDefinition.Case> {
        let constants = SQLConstants(expression)
        if case .integer = cases.first { return Set(constants.integers.map { .integer($0) }) }
        return Set(constants.texts.map { .text($0) })
    }

    /// Whether it is the library's own, of a column.
    func isOwn(of column: String) -> Bool { isOwn && self.column == column }

    /// Whether it is the library's own.
    var isOwn: Bool { name?.hasPrefix(Self.namePrefix) ?? false }
}

extension Naming {
    /// The name of the CHECK constraint of a column.
    static func check(of table: String, _ column: String) -> String {
        shortened("\(DatabaseSchema.Check.namePrefix)\(table)_\(column)_check")
    }
}
