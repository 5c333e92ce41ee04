extension DatabaseError {
    /// The status by which a web service answers a request that failed with this error.
    ///
    /// ```swift
    /// } catch let error as DatabaseError {
    ///     return Response(status: .init(code: error.httpStatus))
    /// }
    /// ```
    ///
    /// | status | codes |
    /// |---|---|
    /// | 404 Not Found | ``Code/notFound`` |
    /// | 409 Conflict | ``Code/uniqueViolation``, ``Code/foreignKeyViolation``, ``Code/staleVersion`` |
    /// | 410 Gone | ``Code/changesTrimmed`` |
    /// | 422 Unprocessable Content | ``Code/invalidValue``, ``Code/notNullViolation``, ``Code/checkViolation`` |
    /// | 503 Service Unavailable | ``Code/poolTimeout``, ``Code/lockTimeout``, ``Code/serializationFailure``, ``Code/deadlock``, ``Code/cannotConnect``, ``Code/connectionLost``, ``Code/notMigrated``, ``Code/cancelled``, ``Code/closed`` |
    /// | 504 Gateway Timeout | ``Code/statementTimeout`` |
    /// | 507 Insufficient Storage | ``Code/diskFull`` |
    /// | 500 Internal Server Error | all others |
    ///
    /// After a 503, nothing was done, and the request may be sent again. After
    /// ``Code/commitOutcomeUnknown``, which is a 500, it may have been done, so that nobody is to send it again unseen.
    ///
    /// ``Code/conflict`` is a 500, since the program contradicts itself: what a client sends never causes one by
    /// ``TableObject/init(json:allowing:)`` or `setValues(json:allowing:)`.
    ///
    /// Show ``message`` to nobody outside: it names tables and properties.
    public var httpStatus: Int {
        switch code {
        case .notFound: 404
        case .uniqueViolation, .foreignKeyViolation, .staleVersion: 409
        case .changesTrimmed: 410
        case .invalidValue, .notNullViolation, .checkViolation: 422
        case .poolTimeout, .lockTimeout, .serializationFailure, .deadlock, .cannotConnect, .connectionLost,
            .notMigrated, .cancelled, .closed:
            503
        case .statementTimeout: 504
        case .diskFull: 507
        default: 500
        }
    }
}
