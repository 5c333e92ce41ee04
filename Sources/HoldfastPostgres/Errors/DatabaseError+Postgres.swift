internal import CPostgres
@_spi(Driver) import Holdfast

extension DatabaseError {
    /// Creates the error that the server reported in `result`, in our own words.
    ///
    /// - Parameters:
    ///   - cancelReason: Why we asked for the statement to be cancelled, if we did.
    ///   - showsValues: Whether the server's words, which quote data, may be shown.
    init(_ result: ServerResult, cancelReason: Channel.CancelReason?, showsValues: Bool) {
        let state = result.field(HOLDFAST_DIAG_SQLSTATE)
        let table = result.field(HOLDFAST_DIAG_TABLE)
        let column = result.field(HOLDFAST_DIAG_COLUMN)
        let constraint = result.field(HOLDFAST_DIAG_CONSTRAINT)
        let function = result.field(HOLDFAST_DIAG_FUNCTION)
        let detail = state == "23505" ? result.field(HOLDFAST_DIAG_DETAIL) : nil
        let columns = column.map { [$0] } ?? detail.map(Self.columns(ofKeyIn:)) ?? []
        let failure = SQLState(state ?? "", function: function, cancelReason: cancelReason)
        if result.field(HOLDFAST_DIAG_MESSAGE)?.contains(PostgresDialect.refusal) == true {
            self.init(
                .decoding,
                "A query compares or orders by a column that holds something of another type than its property.")
        } else {
            self.init(failure.code, failure.message(table: table, columns: columns, constraint: constraint))
        }
        self.table = table
        self.properties = columns
        self.constraint = constraint.flatMap(CheckDefinition.name) ?? constraint
        self.engineCode = state
        self.lacksColumn = state == "42703"
        // There, the name is one of the text, and no value that was cast. The sentence is in any language, whose
        // quotation marks may be others.
        if state == "42P01", function == "parserOpenTable",
            let name = result.field(HOLDFAST_DIAG_MESSAGE)?.firstMatch(of: /"([^"]+)"/)?.output.1
        {
            self.message = Self.missingTableMessage(String(name))
        }
        let isDeleteRule = constraint?.hasPrefix(DeleteRuleDefinition.namePrefix) == true
        if code == .foreignKeyViolation, !isDeleteRule, let message = result.field(HOLDFAST_DIAG_MESSAGE) {
            (foreignKeySide, self.message) = Self.foreignKey(message, table: table, constraint: constraint)
        }
        // With a position, the server was reading the text, and knew no bound value. Others with such a state can be of
        // a function that was given one: `relation "x" does not exist` is one of `$1::regclass`.
        if failure.isAboutNames, result.field(HOLDFAST_DIAG_POSITION) != nil || failure.namesNoValue {
            self.engineSentence = result.field(HOLDFAST_DIAG_MESSAGE)
        }
        if showsValues {
            let fields = [HOLDFAST_DIAG_MESSAGE, HOLDFAST_DIAG_DETAIL, HOLDFAST_DIAG_HINT]
            self.shownEngineMessage = fields.compactMap(result.field).joined(separator: "\n")
        }
    }

    /// The side of a foreign key, and the words for it.
    ///
    /// In every language of the server, its message names two tables and the constraint if rows still refer to one:
    /// `update or delete on table "person" violates foreign key constraint "project_lead_id_fkey" on table "project"`.
    ///
    /// - Parameters:
    ///   - text: The server's message.
    ///   - table: The table with the constraint.
    static func foreignKey(
        _ text: String, table: String?, constraint: String?
    ) -> (side: ForeignKeySide, message: String) {
        var rest = text
        for name in [constraint, table].compactMap(\.self) {
            if let range = rest.firstRange(of: name) { rest.removeSubrange(range) }
        }
        // The names themselves are gone, with the quotes around them left, of whatever language they are.
        let quoteCount = rest.count { "\"«»„“”「」".contains($0) }
        let name = constraint.map { "\"\($0)\"" }
        if quoteCount > 4 {
            let rows = table.map { "rows of \"\($0)\"" } ?? "rows"
            let references = [rows + (name.map { " (constraint \($0))" } ?? "")]
            return (.referred, foreignKeyMessage(.referred, by: references))
        }
        return (.missing, foreignKeyMessage(.missing, of: table, by: name.map { ["the constraint \($0)"] } ?? []))
    }

    /// The columns of a key that is there already, from the server's detail.
    ///
    /// It is `Key (a, b)=(1, 2) already exists.`
    /// In every language of the server, the names come first, in parentheses. Values are left alone.
    ///
    /// - Returns: None where the key has expressions, or the user may not read it, so that the server does not tell.
    static func columns(ofKeyIn detail: String) -> [String] {
        guard let start = detail.firstIndex(of: "(") else { return [] }
        var rest = detail[start...].dropFirst()
        var names: [String] = []
        while true {
            var name = ""
            if rest.first == "\"" {
                rest.removeFirst()
                // A quotation mark in a name is doubled.
                while let end = rest.firstIndex(of: "\"") {
                    name += rest[..<end]
                    rest = rest[end...].dropFirst()
                    guard rest.first == "\"" else { break }
                    name.append(rest.removeFirst())
                }
            } else {
                let plain = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
                name = String(plain)
                rest = rest[plain.endIndex...]
            }
            guard !name.isEmpty else { return [] }
            names.append(name)
            if rest.hasPrefix(")=(") { return names }
            guard rest.hasPrefix(", ") else { return [] }
            rest.removeFirst(2)
        }
    }

    /// The session ended.
    static func connectionLost(because cause: DatabaseError? = nil) -> DatabaseError {
        var error = DatabaseError(
            .connectionLost, "The connection to the server ended; what was not committed is rolled back.")
        error.engineCode = cause?.engineCode
        error.shownEngineMessage = cause?.shownEngineMessage
        return error
    }

    /// The run ended because somebody asked for it.
    ///
    /// - Parameter afterSending: Whether the server had begun; core takes an error without a code of the engine for one
    ///   that was raised before.
    static func cancelled(_ reason: Channel.CancelReason, afterSending: Bool = false) -> DatabaseError {
        var error =
            switch reason {
            case .task:
                DatabaseError(
                    .cancelled, "The task was cancelled \(afterSending ? "while" : "before") the statement ran.")
            case .timeout:
                DatabaseError(
                    .statementTimeout,
                    "The statement took longer than its timeout allows. Raise it (`timeouts.statement`), or ask for less."
                )
            }
        if afterSending { error.engineCode = "57014" }
        return error
    }

    /// The run was to end for `reason`, and the connection was given up before the server had answered.
    static func unanswered(_ reason: Channel.CancelReason) -> DatabaseError {
        var error = cancelled(reason, afterSending: true)
        error.mayHaveRun = true
        return error
    }

    /// COMMIT of a transaction that had failed.
    static func rolledBack() -> DatabaseError {
        DatabaseError(.transactionAborted, "An earlier error had ended the transaction; COMMIT rolled it back.")
    }

    /// Whether a statement that was kept prepared has to be prepared again.
    var isStalePlan: Bool {
        code == .serializationFailure
            && (["0A000", "26000"].contains(engineCode) || engineCode?.hasPrefix("42") == true)
    }

    /// The error of a statement that no longer fits the schema since it was prepared.
    var asStalePlan: DatabaseError {
        var error = self
        (error.code, error.message) = (.serializationFailure, SQLState.stalePlanMessage)
        return error
    }

    /// Returns this error with the SQL that failed, which is not always that of the statement that was to be run.
    func naming(_ sql: String) -> DatabaseError {
        var error = self
        error.sql = error.sql ?? sql
        return error
    }

    /// A parameter can't be sent.
    ///
    /// - Parameters:
    ///   - column: Its position, from 0.
    ///   - type: The name of the type that the server expects.
    static func parameter(
        _ cause: ParameterFailure, _ kind: Cell.Kind, column: Int, type: String
    ) -> DatabaseError {
        let what = "Parameter \(column + 1), a value of the kind \"\(kind)\","
        return switch cause {
        case .tooLarge:
            DatabaseError(
                .invalidValue, "\(what) makes the row larger than the server takes, which is 1 GiB. Nothing was sent.")
        case .doesNotFit:
            DatabaseError(.invalidValue, "\(what) is outside what the type \(type) holds exactly. Nothing was sent.")
        case .exceedsLimit(let limit):
            DatabaseError(
                .invalidValue,
                "\(what) has more digits or characters than its column keeps, a \(limit.description). Round it, or widen "
                    + "the column. Nothing was sent.")
        case .mismatch, .isAmbiguous:
            DatabaseError(
                .invalidValue, "\(what) can't go where the server expects the type \(type). Cast it in the statement.")
        }
    }
}
