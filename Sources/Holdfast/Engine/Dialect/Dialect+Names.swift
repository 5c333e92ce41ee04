/// Names and placeholders, as every statement has them.
@_spi(Driver) extension Dialect {
    /// Whether placeholders have numbers, so that one can come twice, and in another order than the parameters.
    var numbersPlaceholders: Bool { placeholder(1) != placeholder(2) }

    /// `count` placeholders from `first` on, separated by commas.
    func placeholders(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map(placeholder).joined(separator: ", ")
    }

    public func returning(_ values: [String]) -> String { " RETURNING " + values.joined(separator: ", ") }

    /// Returns a name in double quotes, with quotes inside doubled: `"a ""b"""`.
    public func quoted(_ name: String) -> String {
        "\"" + name.doubling("\"") + "\""
    }

    public func quoted(_ table: TableName) -> String {
        (table.schema.map { quoted($0) + "." } ?? "") + quoted(table.name)
    }

    /// Names in double quotes, separated by commas.
    package func list(_ names: some Sequence<String>) -> String {
        names.map(quoted).joined(separator: ", ")
    }
}
