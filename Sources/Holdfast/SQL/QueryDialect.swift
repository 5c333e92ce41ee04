/// How one engine writes what queries ask: the part of a ``Dialect`` that is about conditions, orders and values.
///
/// Its methods put together texts that are SQL already; none is given a value.
public protocol QueryDialect: Sendable {
    /// A value of `type`, so that `=` compares it as the portable profile has it: text by its bytes.
    ///
    /// ```sql
    /// "name" COLLATE BINARY -- SQLite, where a column may have been declared otherwise
    /// ```
    func exact(_ sql: String, _ type: ColumnType) -> String

    /// A value of `type`, so that `<` and ORDER BY order it as the portable profile has it: text by code point, a decimal as
    /// a number.
    func ordered(_ sql: String, _ type: ColumnType) -> String

    /// A column of `type` as a value of that type; where its table can hold values of any type, an error for those of
    /// another, which could not be compared.
    ///
    /// ```sql
    /// holdfast_stored(t0."total", 3) -- SQLite, in a table that another program has made
    /// ```
    func trusted(_ sql: String, _ type: ColumnType, of table: String) -> String

    /// A column of dates that are kept as text, in the one form in which texts compare as dates do; where its table can
    /// hold any text, an error for what is no date.
    ///
    /// ```sql
    /// holdfast_stored(t0."at", 6) -- SQLite, in a table that another program has made
    /// ```
    func trustedDate(_ sql: String, of table: String) -> String

    /// Whether two values are the same, or both NULL: true or false, never unknown.
    ///
    /// ```sql
    /// a IS NOT DISTINCT FROM b -- PostgreSQL
    /// a IS b                   -- SQLite
    /// ```
    func isSame(_ left: String, _ right: String, isNegated: Bool) -> String

    /// A parameter whose type nothing else in the statement tells.
    func typed(_ placeholder: String, _ type: ColumnType) -> String

    /// A condition that a text is like a pattern; without regard to the case of ASCII letters, or with it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - pattern: The placeholder of what ``pattern(_:isCaseSensitive:)`` gives.
    ///   - isCaseSensitive: Whether `a` differs from `A`.
    func like(_ text: String, _ pattern: String, isCaseSensitive: Bool) -> String

    /// A pattern as the engine takes it, of one with `%`, `_`, and `\` before what is meant literally.
    func pattern(_ pattern: String, isCaseSensitive: Bool) -> String

    /// A condition that a text has another in it, literally.
    func contains(_ text: String, _ part: String) -> String

    /// What is computed of two numbers, as `type`: ``ColumnType/int64``, ``ColumnType/double`` or ``ColumnType/decimal``.
    ///
    /// What does not fit the type has to throw; a division by 0 gives NULL.
    func arithmetic(_ operation: ArithmeticOperator, _ left: String, _ right: String, _ type: ColumnType) -> String

    /// A computed value that is assigned to a column of `type`: what does not fit it has to throw.
    func fitting(_ sql: String, _ type: ColumnType) -> String

    /// The sum of a column of `type`, NULL of none; of integers as ``ColumnType/int64``, or an error.
    func sum(_ sql: String, _ type: ColumnType) -> String

    /// The average of a column of `type`, NULL of none; of decimals rounded to 20 fractional digits.
    func average(_ sql: String, _ type: ColumnType) -> String

    /// The clause that gives some rows of a result, with a leading space; empty for all of them.
    func limit(_ limit: Int?, offset: Int) -> String

    /// The statement that shows the engine's plan for another, a row a step, its last column text.
    func explain(_ sql: String) -> String
}

extension QueryDialect {
    public func trusted(_ sql: String, _ type: ColumnType, of table: String) -> String { sql }
    public func trustedDate(_ sql: String, of table: String) -> String { sql }
}
