extension DatabaseError {
    /// Returns the error with its statement, and with the place where the program called the operation that sent it.
    func naming(_ statement: Statement, of purpose: LeasePurpose, in core: DatabaseCore) -> DatabaseError {
        var error = naming(statement).called(by: purpose)
        // A load has statements about several tables.
        if lacksColumn, statement.isMapped { error.table = table ?? statement.table }
        let showsValues = core.configuration.telemetry.showsValues
        if statement.isRaw || statement.includesCallersSQL {
            error.shownSQL = shownSQL ?? statement.shownText(showsValues: showsValues)
        }
        error.shownSentence = engineSentence.flatMap { statement.shown($0, showsValues: showsValues) }
        return error
    }

    /// Returns the error with the place where the program called an operation, unless it already has one.
    func called(by purpose: LeasePurpose) -> DatabaseError {
        called(at: purpose.site)
    }

    func called(at site: CallSite?) -> DatabaseError {
        guard callSite == nil, let site else { return self }
        var error = self
        error.callSite = site.description
        return error
    }
}

extension DatabaseAccess {
    /// Runs a part of an operation, and says of its error where the program called that.
    func naming<Output>(_ body: () throws -> Output) throws -> Output {
        do { return try body() } catch let error as DatabaseError { throw error.called(at: site) }
    }
}
