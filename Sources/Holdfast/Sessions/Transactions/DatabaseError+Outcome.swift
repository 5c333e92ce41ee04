extension DatabaseError {
    /// Whether the connection was lost, whatever else is to be said of it.
    var tellsOfLoss: Bool { code == .connectionLost || underlyingCode == .connectionLost }

    /// Whether the engine may have done what it was asked, though it did not say so.
    var leavesOutcomeOpen: Bool { code == .connectionLost || mayHaveRun }

    /// The error of a statement whose answer never came, where it commits: COMMIT, or one that commits by itself.
    var ofCommit: DatabaseError {
        let reason =
            switch code {
            case .cancelled: "The task was cancelled"
            case .statementTimeout: "The statement timeout passed"
            case .connectionLost: "The connection was lost"
            default: "An error (\(code)) occurred"
            }
        var unknown = DatabaseError(
            .commitOutcomeUnknown,
            "\(reason) before the answer to a COMMIT, a write or SQL of the program's came: what it changes may or may not have "
                + "been changed. "
                + "Read the data to find out.",
            table: table, properties: properties)
        unknown.underlyingCode = code
        (unknown.sql, unknown.callSite, unknown.shownSQL) = (sql, callSite, shownSQL)
        unknown.engineCode = engineCode
        unknown.shownEngineMessage = shownEngineMessage
        return unknown
    }
}
