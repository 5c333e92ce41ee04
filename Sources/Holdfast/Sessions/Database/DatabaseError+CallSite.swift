extension DatabaseError {
    /// Returns the error with its statement, and with the place where the program called the operation that sent it.
    func naming(_ statement: Statement, of purpose: LeasePurpose, in core: DatabaseCore) -> DatabaseError {
        var error = naming(statement)
        if let site = purpose.site { error.callSite = callSite ?? site.description }
        if statement.isRaw {
            error.shownSQL =
                shownSQL ?? statement.shownText(showsValues: core.configuration.telemetry.showsValues)
        }
        return error
    }
}
