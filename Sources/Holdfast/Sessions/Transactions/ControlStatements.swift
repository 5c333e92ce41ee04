import Synchronization

/// The statements that begin and end transactions, made once for each database.
final class ControlStatements: Sendable {
    let commit = Statement(transactionControl: "COMMIT", ignoresCancellation: true)
    /// Ends a transaction that has only read, with its last statements.
    let endOfLoad = Statement(transactionControl: "COMMIT", ignoresCancellation: false)
    /// A statement that does nothing, to find out whether a connection works.
    let probe = Statement("SELECT 1", isBrief: true)

    let rollback = Statement(transactionControl: "ROLLBACK", ignoresCancellation: true)

    private let others = Mutex<[String: Statement]>([:])

    func begin(_ isolation: IsolationLevel, readOnly: Bool, dialect: any Dialect) -> Statement {
        statement(dialect.begin(isolation, readOnly: readOnly), ignoresCancellation: false)
    }

    func savepoint(_ depth: Int) -> Statement { statement("SAVEPOINT \(name(depth))", ignoresCancellation: false) }

    func release(_ depth: Int) -> Statement { statement("RELEASE SAVEPOINT \(name(depth))", ignoresCancellation: true) }

    func rollbackTo(_ depth: Int) -> Statement {
        statement("ROLLBACK TO SAVEPOINT \(name(depth))", ignoresCancellation: true)
    }

    /// The change that a statement makes to a savepoint: `begin`, `release` or `rollback`; nil if it makes none.
    static func savepointChange(_ statement: Statement) -> StaticString? {
        if statement.sql.hasPrefix("SAVEPOINT ") { return "begin" }
        if statement.sql.hasPrefix("RELEASE SAVEPOINT ") { return "release" }
        return statement.sql.hasPrefix("ROLLBACK TO SAVEPOINT ") ? "rollback" : nil
    }

    private func name(_ depth: Int) -> String { "holdfast_\(depth)" }

    private func statement(_ sql: String, ignoresCancellation: Bool) -> Statement {
        others.withLock { others in
            if let statement = others[sql] { return statement }
            let statement = Statement(transactionControl: sql, ignoresCancellation: ignoresCancellation)
            others[sql] = statement
            return statement
        }
    }
}
