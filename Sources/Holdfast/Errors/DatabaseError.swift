/// An error of a database operation, with the same codes on every engine.
///
/// Match on ``code``; show ``description`` to people. Neither carries a stored or bound value, nor the
/// engine's own words (they quote data), unless the database was opened with values shown.
///
/// ```swift
/// do {
///     try await db.insert(account)
/// } catch let error as DatabaseError where error.code == .uniqueViolation {
///     print("taken:", error.properties)   // ["email"]
/// }
/// ```
public struct DatabaseError: Error, Sendable {
    /// The kind of failure: the same for the same cause on every engine.
    public var code: Code

    /// One sentence or two of our own: what happened, and what to do about it.
    public var message: String

    /// The table that the failure is about, where it is known.
    public var table: String?

    /// The properties (or, where no property is known, the columns) that the failure is about.
    public var properties: [String]

    /// The name of the constraint that was violated, where the engine tells it.
    public var constraint: String?

    /// The position, in the collection that was given to the operation, of the object that failed.
    public var objectIndex: Int?

    /// The primary key of the object or row concerned; only where values are shown.
    public var shownKey: String?

    /// The statement that failed, with placeholders where values were bound.
    public var sql: String?

    /// The engine's own code: an SQLSTATE such as `23505`, or an extended result code such as `2067`.
    public var engineCode: String?

    /// The engine's own message; only where values are shown.
    public var shownEngineMessage: String?

    /// The failure behind a ``Code/commitOutcomeUnknown``: ``Code/connectionLost``, ``Code/statementTimeout`` or
    /// ``Code/cancelled``.
    public var underlyingCode: Code?

    /// Whether the statement may have done its work although it failed: it was sent, and the answer never came.
    ///
    /// A driver sets it with an error that is none of its connection's, such as ``Code/cancelled`` or
    /// ``Code/statementTimeout``. Where the statement would have committed by itself, ``Code/commitOutcomeUnknown`` is
    /// what the caller gets.
    public var mayHaveRun = false

    /// The row that an object with an older version has: see ``currentObject(_:)``.
    var currentRow: CurrentRow?

    /// Creates an error of `code`, explained by `message`.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened and what to do, without any stored or bound value.
    ///   - table: The table concerned.
    ///   - properties: The properties concerned.
    public init(_ code: Code, _ message: String, table: String? = nil, properties: [String] = []) {
        self.code = code
        self.message = message
        self.table = table
        self.properties = properties
    }

    /// Returns the error with the SQL of the failed statement, unless it already has SQL.
    ///
    /// - Parameter statement: The statement.
    public func naming(_ statement: Statement) -> DatabaseError {
        var error = self
        error.sql = sql ?? statement.sql
        return error
    }
}

extension DatabaseError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        var parts = "\(code): \(message)"
        if let objectIndex { parts += " (object \(objectIndex) of those given)" }
        if let shownKey { parts += " (key \(shownKey))" }
        return parts
    }

    public var debugDescription: String {
        [
            description,
            engineCode.map { "Engine code: \($0)" },
            sql.map { "Statement: \($0)" },
            shownEngineMessage.map { "Engine: \($0)" },
        ].compactMap(\.self).joined(separator: "\n")
    }
}
