/// An error of a database operation, with the same codes on every engine.
///
/// Match on ``code``, show ``message`` to people, and log ``description``, which also says where the program called the
/// operation. Unless the database was opened with values shown, none contains a stored or bound value, or the engine's
/// own message, which quotes values. If the engine refused a statement of the program's because of a name or a word in
/// it, the description has the engine's sentence about that.
///
/// ```swift
/// do {
///     try await db.insert(account)
/// } catch let error as DatabaseError where error.code == .uniqueViolation {
///     print("taken:", error.properties)   // ["email"]
/// }
/// ```
public struct DatabaseError: Error, Sendable {
    /// What the properties below have.
    private struct Fields {
        var code: Code
        var message: String
        var table: String?
        var properties: [String]
        var constraint: String?
        var objectIndex: Int?
        var node: NodeID?
        var objectPath: String?
        var objectType: String?
        var shownKey: String?
        var sql: String?
        var callSite: String?
        var shownSQL: String?
        var engineCode: String?
        var shownEngineMessage: String?
        var engineSentence: String?
        var shownSentence: String?
        var foreignKeySide: ForeignKeySide?
        var lacksColumn = false
        var underlyingCode: Code?
        var mayHaveRun = false
        var unreadableType: String?
        var resumption: String?
        var currentRow: (any Sendable)?
    }

    private var fields: CopyOnWrite<Fields>

    /// The kind of failure: the same for the same cause on every engine.
    public var code: Code {
        get { fields.value.code }
        set { fields.value.code = newValue }
    }

    /// One or two sentences of Holdfast's own: the problem and its remedy.
    public var message: String {
        get { fields.value.message }
        set { fields.value.message = newValue }
    }

    /// The table concerned, if it is known.
    public var table: String? {
        get { fields.value.table }
        set { fields.value.table = newValue }
    }

    /// The properties concerned; columns if no property is known.
    public var properties: [String] {
        get { fields.value.properties }
        set { fields.value.properties = newValue }
    }

    /// The name of the violated constraint, if the engine reports it.
    public var constraint: String? {
        get { fields.value.constraint }
        set { fields.value.constraint = newValue }
    }

    /// The position of the failed object in the collection that you passed to the operation.
    public var objectIndex: Int? {
        get { fields.value.objectIndex }
        set { fields.value.objectIndex = newValue }
    }

    /// The properties by which a save came to the failed object, from one that was given:
    /// `ticket.organisation.tickets[3]`.
    ///
    /// It is nil for an object that was given itself, and where it is not known which object failed.
    public var objectPath: String? {
        get { fields.value.objectPath }
        set { fields.value.objectPath = newValue }
    }

    /// The type of the failed object at ``objectPath``.
    var objectType: String? {
        get { fields.value.objectType }
        set { fields.value.objectType = newValue }
    }

    /// The failed object of a save, as long as the save has not said what it is.
    var node: NodeID? {
        get { fields.value.node }
        set { fields.value.node = newValue }
    }

    /// The primary key of the object or row concerned; only if keys are shown.
    public var shownKey: String? {
        get { fields.value.shownKey }
        set { fields.value.shownKey = newValue }
    }

    /// The failed statement, with placeholders for bound values.
    public var sql: String? {
        get { fields.value.sql }
        set { fields.value.sql = newValue }
    }

    /// The file and line of the call whose statement failed: `App/Import.swift:12`; nil if no statement did.
    public var callSite: String? {
        get { fields.value.callSite }
        set { fields.value.callSite = newValue }
    }

    /// The failed statement if the program wrote it, without the values in its text unless values are shown.
    var shownSQL: String? {
        get { fields.value.shownSQL }
        set { fields.value.shownSQL = newValue }
    }

    /// The engine's own code: an SQLSTATE such as `23505`, or an extended result code such as `2067`.
    public var engineCode: String? {
        get { fields.value.engineCode }
        set { fields.value.engineCode = newValue }
    }

    /// The engine's own message; only if values are shown.
    public var shownEngineMessage: String? {
        get { fields.value.shownEngineMessage }
        set { fields.value.shownEngineMessage = newValue }
    }

    /// The engine's sentence, once it is known that no literal of the statement is in it.
    var shownSentence: String? {
        get { fields.value.shownSentence }
        set { fields.value.shownSentence = newValue }
    }

    /// The engine's own sentence about names and words of a statement's text, or about a limit of a type.
    ///
    /// A driver sets it only where no bound value can be in it; it is shown unless it repeats a literal of the text.
    @_spi(Driver) public var engineSentence: String? {
        get { fields.value.engineSentence }
        set { fields.value.engineSentence = newValue }
    }

    /// The side of the foreign key that was violated, as long as no mapping has said which relations it may be.
    ///
    /// A driver sets it where the engine or ``Statement/kind`` tells it: the message then names the relations on that
    /// side. ``table`` is the one with the foreign key, if the driver knows it.
    @_spi(Driver) public var foreignKeySide: ForeignKeySide? {
        get { fields.value.foreignKeySide }
        set { fields.value.foreignKeySide = newValue }
    }

    /// Whether a column that the statement names does not exist.
    ///
    /// A driver sets it with ``Code/notMigrated``: the message then says whether to migrate, or to adopt the table.
    @_spi(Driver) public var lacksColumn: Bool {
        get { fields.value.lacksColumn }
        set { fields.value.lacksColumn = newValue }
    }

    /// The cause of a ``Code/commitOutcomeUnknown``: ``Code/connectionLost``, ``Code/statementTimeout`` or
    /// ``Code/cancelled``.
    public var underlyingCode: Code? {
        get { fields.value.underlyingCode }
        set { fields.value.underlyingCode = newValue }
    }

    /// Whether the statement may have taken effect although it failed: it was sent, and no answer came.
    ///
    /// A driver sets it for errors that are not about its connection, such as ``Code/cancelled`` or
    /// ``Code/statementTimeout``. If the statement would have committed by itself, the caller gets
    /// ``Code/commitOutcomeUnknown``.
    public var mayHaveRun: Bool {
        get { fields.value.mayHaveRun }
        set { fields.value.mayHaveRun = newValue }
    }

    /// The type of a column that can't be read.
    ///
    /// A driver sets it with ``Code/decoding``, and the column as the only one of ``properties``: the message then
    /// names both, and says how the column can be declared.
    @_spi(Driver) public var unreadableType: String? {
        get { fields.value.unreadableType }
        set { fields.value.unreadableType = newValue }
    }

    /// The text of a token from which reading of the change log can be resumed.
    var resumption: String? {
        get { fields.value.resumption }
        set { fields.value.resumption = newValue }
    }

    /// The row that an object with an older version has, a `CurrentRow`: see ``currentObject(_:)``.
    var currentRow: (any Sendable)? {
        get { fields.value.currentRow }
        set { fields.value.currentRow = newValue }
    }

    /// Creates an error of `code`, explained by `message`.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The problem and its remedy, without any stored or bound value.
    ///   - table: The table concerned.
    ///   - properties: The properties concerned.
    @inline(never)  // there are hundreds of places that throw
    public init(_ code: Code, _ message: String, table: String? = nil, properties: [String] = []) {
        fields = CopyOnWrite(Fields(code: code, message: message, table: table, properties: properties))
    }
}

extension DatabaseError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What happened and where, with the statement if the program wrote it, and the names that the engine complains of.
    public var description: String {
        [
            summary,
            shownSentence.map { "Engine: \($0)" },
            shownSQL.map { "Statement: \($0)" },
        ].compactMap(\.self).joined(separator: "\n")
    }

    private var summary: String {
        var parts = "\(code): \(message)"
        if let objectIndex { parts += " (object \(objectIndex) of those given)" }
        if let objectPath { parts += " (\(objectType ?? "object") at \(objectPath))" }
        if let shownKey { parts += " (key \(shownKey))" }
        if let callSite { parts += " At \(callSite)." }
        return parts
    }

    public var debugDescription: String {
        [
            summary,
            engineCode.map { "Engine code: \($0)" },
            sql.map { "Statement: \($0)" },
            (shownEngineMessage ?? shownSentence).map { "Engine: \($0)" },
        ].compactMap(\.self).joined(separator: "\n")
    }
}
