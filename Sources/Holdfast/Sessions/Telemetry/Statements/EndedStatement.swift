/// The facts about a statement that has ended.
struct EndedStatement {
    let statement: Statement
    /// The operation that it belongs to.
    let purpose: LeasePurpose
    let duration: Duration
    /// The number of rows, if they were counted.
    var rows: RowCount?
    /// The number of rows of parameters: of a statement that is run for each of them.
    var batchSize = 1
    /// Whether it is not the statement that ran, but rows were read of its cursor.
    var isPortion = false
    var error: (any Error)?
    /// The time for which its connection had to be waited for, if it is the first to run on that.
    var wait: Duration?
    /// The span of the transaction in which it ran.
    var span: TransactionSpan?

    /// The name of the operation, by OpenTelemetry's conventions; nil if the words of the statement don't tell.
    var operationName: String? {
        guard let name = isPortion ? "FETCH" : statement.operationName else { return nil }
        return batchSize > 1 ? "BATCH \(name)" : name
    }

    /// The class of the error, the same on every engine: the name of its code.
    var errorType: String? {
        guard let error else { return nil }
        return (error as? DatabaseError).map { "\($0.code)" } ?? "\(type(of: error))"
    }

    /// The engine's own code of the error.
    var statusCode: String? { (error as? DatabaseError)?.engineCode }
}
