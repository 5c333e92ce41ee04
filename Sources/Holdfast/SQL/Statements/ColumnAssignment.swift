/// A column that an update by a query sets, and to what.
struct ColumnAssignment {
    var column: String
    /// The value, as SQL.
    var sql: String
    /// The position of the parameter that is the value, counted from 0; nil where the value is computed.
    var parameter: Int?
    /// The type of the property; nil for a value that is not to be compared with what the column keeps: one that the
    /// library makes, and that of a relation.
    var type: ColumnType?
}

extension [ColumnAssignment] {
    /// Returns the change that the statement makes to the rows of `table`, for the driver.
    func change(of table: TableName) -> Statement.RowChange {
        .set(table: table, columns: map(\.column), parameters: map(\.parameter))
    }
}
