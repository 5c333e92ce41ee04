extension DatabaseError {
    /// Returns the error with its statement, and with the place where the program called the operation that sent it.
    func naming(_ statement: Statement, of purpose: LeasePurpose, in core: DatabaseCore) -> DatabaseError {
        var error = naming(statement).called(by: purpose)
        // A load has statements about several tables.
        if lacksColumn, statement.isMapped { error.table = table ?? statement.table }
        if statement.isRaw {
            let showsValues = core.configuration.telemetry.showsValues
            error.shownSQL = shownSQL ?? statement.shownText(showsValues: showsValues)
            error.engineSentence = engineSentence.flatMap { statement.shown($0, showsValues: showsValues) }
        }
        return error
    }

    /// Returns the error with the place where the program called an operation, unless it already has one.
    func called(by purpose: LeasePurpose) -> DatabaseError {
        guard callSite == nil, let site = purpose.site else { return self }
        var error = self
        error.callSite = site.description
        return error
    }
}
