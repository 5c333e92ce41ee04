/// The SQL of functions that engines write, or compute, differently.
///
/// Each result is NULL where a value that it is computed of is, if nothing else is said.
@_spi(Driver) public protocol FunctionDialect: Sendable {
    /// Returns a number without its sign; an integer as ``ColumnType/int64``. It must throw where none fits.
    ///
    /// ```sql
    /// abs((t0."age")::bigint) -- PostgreSQL
    /// ```
    func magnitude(_ sql: String, _ type: ColumnType) -> String

    /// Returns -1, 0 or 1, as a number is less than, equal to or greater than 0, as ``ColumnType/int64``.
    func sign(_ sql: String, _ type: ColumnType) -> String

    /// Returns a number that is rounded to so many fractional digits, half away from zero: a ``ColumnType/double`` by
    /// the digits of its shortest text.
    ///
    /// ```sql
    /// round(t0."price", 2) -- PostgreSQL, of a decimal
    /// ```
    ///
    /// - Parameters:
    ///   - sql: The number.
    ///   - digits: 0 to 30.
    ///   - type: ``ColumnType/float``, ``ColumnType/double`` or ``ColumnType/decimal``.
    func rounded(_ sql: String, digits: Int, _ type: ColumnType) -> String

    /// Returns the nearest whole number that is not greater, or not less.
    func whole(_ sql: String, up: Bool, _ type: ColumnType) -> String

    /// Returns the greatest, or the least, of the values that are not NULL, in the order of
    /// ``QueryDialect/ordered(_:_:)``; NULL where all are.
    ///
    /// ```sql
    /// GREATEST(t0."due_at", t0."closed_at") -- PostgreSQL
    /// ```
    func extreme(of values: [String], isGreatest: Bool, _ type: ColumnType) -> String

    /// Returns the position, counted from 1 in Unicode scalars, at which a text has another one first; 0 where it has
    /// not.
    ///
    /// ```sql
    /// instr("name", ?) -- SQLite
    /// ```
    func position(of part: String, in text: String) -> String

    /// Returns a number as one of another type: as the nearest ``ColumnType/double``, or as a ``ColumnType/decimal``,
    /// of a double the shortest that stands for it.
    ///
    /// ```sql
    /// (t0."quantity")::numeric -- PostgreSQL, of an integer
    /// ```
    func converted(_ sql: String, from type: ColumnType, to result: ColumnType) -> String

    /// Returns the integer that a text writes, as `^[+-]?[0-9]{1,18}$` says; NULL where it writes none.
    func integer(of text: String) -> String
}
