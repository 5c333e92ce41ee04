/// The part of a ``Dialect`` for conditions, orders and values of queries.
///
/// Its methods combine SQL texts; none receives a value.
@_spi(Driver) public protocol QueryDialect: Sendable {
    /// Returns a value so that `=` compares it by the portable profile: text by its bytes.
    ///
    /// ```sql
    /// "name" COLLATE BINARY -- SQLite, where a column may have been declared otherwise
    /// ```
    func exact(_ sql: String, _ type: ColumnType) -> String

    /// Returns a value so that `<` and ORDER BY order it by the portable profile.
    ///
    /// ```sql
    /// "name"::text COLLATE "C"          -- PostgreSQL: text by code point
    /// "price" COLLATE holdfast_decimal -- SQLite: a decimal as a number
    /// ```
    func ordered(_ sql: String, _ type: ColumnType) -> String

    /// Returns a column as a value of `type`, which fails for values of other types if its table can hold any.
    ///
    /// ```sql
    /// holdfast_stored(t0."total", 3) -- SQLite, in a table that another program has made
    /// ```
    func trusted(_ sql: String, _ type: ColumnType, of table: String) -> String

    /// Returns a column of dates that are stored as text, in the form in which the order of texts is that of dates.
    ///
    /// If the table can hold any text, the expression fails for one that is no date.
    ///
    /// ```sql
    /// holdfast_stored(t0."at", 6) -- SQLite, in a table that another program has made
    /// ```
    func trustedDate(_ sql: String, of table: String) -> String

    /// Returns the value that the text in a column stands for, and an error where it stands for none; nil if the engine
    /// can't tell it, so that a query with such a column is refused.
    ///
    /// ```sql
    /// t0."sent_at"::timestamptz -- PostgreSQL
    /// ```
    func value(of sql: String, as form: TextForm) -> String?

    /// Returns the text of a value whose type the engine alone knows, as the engine writes it; nil, the default, if all
    /// columns with texts hold texts.
    ///
    /// ```sql
    /// CASE WHEN t0."address" IS DISTINCT FROM NULL THEN format('%s', t0."address") END -- PostgreSQL
    /// ```
    func text(ofColumnType sql: String) -> String?

    /// The SQL that looks into documents; nil, the default, if the driver can't.
    var documents: (any DocumentDialect)? { get }

    /// The SQL that computes with dates; nil, the default, if the driver can't.
    var dates: (any DateDialect)? { get }

    /// The SQL of functions of numbers and texts; nil, the default, if the driver lacks some.
    var functions: (any FunctionDialect)? { get }

    /// Returns the comparison of two values that is true if both are NULL, and never unknown.
    ///
    /// ```sql
    /// a IS NOT DISTINCT FROM b -- PostgreSQL
    /// a IS b                   -- SQLite
    /// ```
    func isSame(_ left: String, _ right: String, isNegated: Bool) -> String

    /// Returns a parameter with its type, for a statement from which the engine can't infer it.
    ///
    /// ```sql
    /// $1::bigint -- PostgreSQL
    /// ```
    func typed(_ placeholder: String, _ type: ColumnType) -> String

    /// Returns the condition that a text matches a pattern, ignoring the case of ASCII letters or not.
    ///
    /// ```sql
    /// "name"::text COLLATE "C" ILIKE $1 -- PostgreSQL
    /// "name" LIKE ? ESCAPE '\'          -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - pattern: The placeholder of the result of ``pattern(_:isCaseSensitive:)``.
    ///   - isCaseSensitive: Whether `a` differs from `A`.
    func like(_ text: String, _ pattern: String, isCaseSensitive: Bool) -> String

    /// Converts a pattern with `%`, `_` and `\` to the engine's form: `a%` is `a*` for GLOB.
    func pattern(_ pattern: String, isCaseSensitive: Bool) -> String

    /// Returns the condition that a text contains another one literally.
    ///
    /// ```sql
    /// strpos("name"::text, $1) > 0 -- PostgreSQL
    /// instr("name", ?) > 0         -- SQLite
    /// ```
    func contains(_ text: String, _ part: String) -> String

    /// Renders arithmetic on two numbers of a type: ``ColumnType/int64``, ``ColumnType/double`` or
    /// ``ColumnType/decimal``.
    ///
    /// A result that does not fit the type must throw; division by 0 must yield NULL.
    func arithmetic(_ operation: ArithmeticOperator, _ left: String, _ right: String, _ type: ColumnType) -> String

    /// Returns a computed value for a column of `type`, which must fail if it does not fit.
    func fitting(_ sql: String, _ type: ColumnType) -> String

    /// Returns the sum of a column, NULL for no rows; of integers as ``ColumnType/int64``.
    ///
    /// A sum that does not fit its type must throw, also one of doubles that becomes infinite. Only the result has to
    /// fit, not what it is on the way.
    ///
    /// ```sql
    /// sum("budget")::bigint  -- PostgreSQL
    /// holdfast_sum("budget") -- SQLite, which fails on overflow
    /// ```
    ///
    /// - Parameters:
    ///   - sql: The value.
    ///   - type: Its type.
    ///   - clauses: What belongs behind the call of every aggregate, with leading spaces: FILTER, OVER, or nothing.
    func sum(_ sql: String, _ type: ColumnType, _ clauses: String) -> String

    /// Returns the average of a column, NULL for no rows; of decimals rounded to 20 fractional digits.
    func average(_ sql: String, _ type: ColumnType, _ clauses: String) -> String

    /// Returns the standard deviation of a sample of numbers as ``ColumnType/double``, NULL for fewer than two, and
    /// where one is infinite; nil, the default, if the engine computes none.
    ///
    /// ```sql
    /// stddev_samp("age"::double precision) -- PostgreSQL
    /// ```
    func standardDeviation(_ sql: String, _ clauses: String) -> String?

    /// Returns what is at a fraction of the values that are not NULL, in their order: one of them, or of numbers one
    /// between two as ``ColumnType/double``; NULL of none, and where it is no number. Nil, the default, if the engine
    /// can't.
    ///
    /// ```sql
    /// percentile_cont($1) WITHIN GROUP (ORDER BY ("age")::double precision) -- PostgreSQL
    /// ```
    ///
    /// - Parameters:
    ///   - fraction: A number from 0 to 1.
    ///   - sql: The value, to be ordered by.
    ///   - isDiscrete: Whether it is one of the values.
    ///   - clauses: What belongs behind the call, with a leading space.
    func percentile(_ fraction: String, of sql: String, isDiscrete: Bool, _ clauses: String) -> String?

    /// Returns the texts of a column that are not NULL one after another, in an order; NULL for none. Nil, the default,
    /// if the engine can't.
    ///
    /// ```sql
    /// string_agg("name", $1 ORDER BY "name" COLLATE "C") -- PostgreSQL
    /// ```
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - separator: What comes between two of them.
    ///   - order: What they are ordered by.
    ///   - clauses: What belongs behind the call, with a leading space.
    func joined(_ text: String, _ separator: String, order: [OrderedValue], _ clauses: String) -> String?

    /// Returns the clause that limits the rows of a result, with a leading space; empty for all rows.
    ///
    /// ```sql
    /// LIMIT 20 OFFSET 40
    /// ```
    func limit(_ limit: Int?, offset: Int) -> String

    /// Returns the statement for the query plan of another, whose last column is the text of each step.
    ///
    /// ```sql
    /// EXPLAIN SELECT …            -- PostgreSQL
    /// EXPLAIN QUERY PLAN SELECT … -- SQLite
    /// ```
    func explain(_ sql: String) -> String

    /// Whether the engine measures the steps of a plan while it runs the statement.
    var measuresSteps: Bool { get }

    /// Returns the statement that runs another and gives its query plan with what was measured; only the plan where the
    /// engine measures no steps.
    ///
    /// ```sql
    /// EXPLAIN (ANALYZE, BUFFERS) SELECT … -- PostgreSQL
    /// ```
    func explainAnalyze(_ sql: String) -> String
}

@_spi(Driver) extension QueryDialect {
    public var measuresSteps: Bool { false }
    public func explainAnalyze(_ sql: String) -> String { explain(sql) }
    public func trusted(_ sql: String, _ type: ColumnType, of table: String) -> String { sql }
    public func trustedDate(_ sql: String, of table: String) -> String { sql }
    public func value(of sql: String, as form: TextForm) -> String? { nil }
    public func text(ofColumnType sql: String) -> String? { nil }
    public func standardDeviation(_ sql: String, _ clauses: String) -> String? { nil }
    public func percentile(_ fraction: String, of sql: String, isDiscrete: Bool, _ clauses: String) -> String? { nil }
    public func joined(
        _ text: String, _ separator: String, order: [OrderedValue], _ clauses: String
    ) -> String? { nil }
    public var documents: (any DocumentDialect)? { nil }
    public var dates: (any DateDialect)? { nil }
    public var functions: (any FunctionDialect)? { nil }
}
