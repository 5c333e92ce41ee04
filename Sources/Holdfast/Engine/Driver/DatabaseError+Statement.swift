extension DatabaseError {
    /// Returns the error with the SQL of the failed statement, unless it already has SQL.
    ///
    /// - Parameter statement: The statement.
    @_spi(Driver) public func naming(_ statement: Statement) -> DatabaseError {
        var error = self
        error.sql = sql ?? statement.sql
        return error
    }
}
