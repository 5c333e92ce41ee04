@_spi(Driver) import Holdfast

/// A server error's SQLSTATE and what it means to us; the table is appendix A of the PostgreSQL manual.
struct SQLState {
    let state: String
    /// The server's function that raised it, which tells a few states of one code apart in any language.
    let function: String?
    let code: DatabaseError.Code

    init(_ state: String, function: String? = nil, cancelReason: Channel.CancelReason? = nil) {
        self.state = state
        self.function = function
        self.code =
            switch (state, cancelReason) {
            case ("57014", .task?): .cancelled
            case ("57014", _): .statementTimeout
            default: Self.code(of: state, function: function)
            }
    }

    /// Whether a prepared statement no longer fits the schema or the session: preparing it again helps.
    var isStalePlan: Bool { Self.isStalePlan(state, function) }

    /// Whether the server's sentence is about names and words of a statement, as all of class 42 are, or about the
    /// length of a type.
    var isAboutNames: Bool {
        (state.hasPrefix("42") || ["3F000", "22001"].contains(state)) && function != "exec_stmt_raise"
    }

    /// Whether the server's sentence names the object or the type alone, whatever was bound: `permission denied for
    /// table person`, `value too long for type character varying(5)`.
    var namesNoValue: Bool { state == "22001" || state == "42501" && function == "aclcheck_error" }

    private static func isStalePlan(_ state: String, _ function: String?) -> Bool {
        state == "26000" || (state == "0A000" && function == "RevalidateCachedQuery")
    }

    private static func code(of state: String, function: String?) -> DatabaseError.Code {
        if isStalePlan(state, function) { return .serializationFailure }
        return switch state {
        case "23505", "23P01": .uniqueViolation
        case "23503", "23001": .foreignKeyViolation
        case "23502": .notNullViolation
        case "23514": .checkViolation
        case "40001": .serializationFailure
        case "40P01": .deadlock
        case "55P03": .lockTimeout
        case "25P02": .transactionAborted
        case "25006": .readOnly
        case "53100": .diskFull
        case "53300": .cannotConnect
        case "XX001", "XX002": .corrupt
        case "42P01", "42703", "3F000": .notMigrated
        case "3D000": .cannotConnect
        case "42501": .permissionDenied
        case "42P07", "42701", "42P06", "42710", "42P04", "42P05": .conflict
        // Other things depend on what was to be dropped.
        case "2BP01": .conflict
        case "25P01": .transactionAborted
        // A column that is computed.
        case "428C9": .unsupported
        case "54000" where isOfIndexRow(function): .invalidValue
        // Too few or too many parameters for a statement.
        case "08P01": .invalidValue
        case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04": .connectionLost
        default: code(ofClass: state.prefix(2))
        }
    }

    /// Whether a function of the server raised an error about a value that is too long for an index.
    private static func isOfIndexRow(_ function: String?) -> Bool {
        ["_bt_check_third_page", "index_form_tuple", "index_form_tuple_context"].contains(function)
    }

    private static func code(ofClass stateClass: Substring) -> DatabaseError.Code {
        switch stateClass {
        case "08": .connectionLost
        case "0A": .unsupported
        case "22": .invalidValue
        case "28": .authenticationFailed
        case "42": .syntax
        case "54": .unsupported
        default: .engine
        }
    }

    /// The last SQLSTATE in a message of libpq of verbosity SQLSTATE or VERBOSE: `FATAL:  28P01`.
    static func last(in message: String) -> String? {
        let bytes = Array(message.utf8)
        for start in bytes.indices.reversed() where bytes[start...].starts(with: ":  ".utf8) {
            let state = bytes[(start + 3)...].prefix { isStateCharacter($0) }
            let next = bytes[state.endIndex...].first ?? UInt8(ascii: "\n")
            let isOver = next == UInt8(ascii: "\n") || next == UInt8(ascii: ":")
            if state.count == 5, isOver { return String(decoding: state, as: UTF8.self) }
        }
        return nil
    }

    /// The server's function that raised the last error in a message of verbosity VERBOSE, whose last line is
    /// `LOCATION:  ClientAuthentication, auth.c:542`, in any language.
    static func lastFunction(in message: String) -> String? {
        for line in message.split(separator: "\n").reversed() {
            if let match = line.wholeMatch(of: /[^\s:]+:\s+([A-Za-z_0-9]+), [A-Za-z_0-9.\/]+:[0-9]+/) {
                return String(match.output.1)
            }
        }
        return nil
    }

    private static func isStateCharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    static let stalePlanMessage =
        "The schema changed while this statement was kept prepared. Run the transaction again."

    /// A sentence for people, without anything that the server said of values.
    func message(table: String?, columns: [String], constraint: String?) -> String {
        let isDeleteRule = constraint?.hasPrefix(DeleteRuleDefinition.namePrefix) == true
        let tableName = table
        let table = table.map { "\"\($0)\"" } ?? "a table"
        let column = columns.first.map { "\"\($0)\"" } ?? "a column"
        return switch code {
        case .uniqueViolation:
            DatabaseError.uniqueMessage(table: tableName, properties: columns, constraint: constraint)
        case .foreignKeyViolation where isDeleteRule:
            "A row of \(table) holds another one, and its delete rule refuses to let it go. Unlink that first."
        case .foreignKeyViolation:
            DatabaseError.foreignKeyMessage(nil)
        case .notNullViolation: "The column \(column) of \(table) must have a value, but was given none."
        case .checkViolation:
            DatabaseError.checkMessage(constraint.map { CheckDefinition.name(ofConstraint: $0) ?? $0 }, of: tableName)
        case _ where state == "26000" || state == "42P05":
            "The server's prepared statements are not those of this connection. A pooler in transaction mode is likely "
                + "in between: add pooler=transaction to the URL. If there is none, some SQL ran DEALLOCATE or DISCARD."
        case .serializationFailure where isStalePlan: Self.stalePlanMessage
        case .serializationFailure:
            "A concurrent transaction changed what this one read. Run the transaction again."
        case .deadlock: "Two transactions waited for each other. Run this one again."
        case .lockTimeout:
            "Another transaction held a lock for longer than the lock timeout allows to wait. Look for transactions that "
                + "stay open."
        case .statementTimeout:
            "The statement took longer than its timeout allows: that of the program (`timeouts.statement`), or of the "
                + "server or the role (statement_timeout). Raise it, or ask for less."
        case .cancelled: "The task was cancelled while the statement ran."
        case .transactionAborted: "An earlier error ended this transaction. Roll it back before anything else."
        case .readOnly: "The transaction is read-only, or the server takes no writes: it is a standby, or was told so."
        case .diskFull: "The server ran out of disk space."
        case .corrupt: "The server found damaged data. Check its disk, and restore a backup."
        case .notMigrated where state == "3F000":
            "There is no schema of that name. Create it, or check the schema that the URL or the statement names."
        case .notMigrated:
            "A table or a column that the statement names does not exist. Run migrate, or check the names."
        case .invalidValue where state == "54000":
            "A text is too long for a key or an index: the server takes about 2,700 bytes. Shorten it, or drop the index."
        case .invalidValue where state == "22012": "The statement divides by zero."
        case .invalidValue where state == "22003": "A value, or what is computed, is outside the range of its type."
        case .invalidValue where state == "22P02" || state == "22007":
            "A text is not of the form of the type that it is compared with, stored as, or cast to."
        case .invalidValue: "A value does not fit its column or the function it was given to."
        case .syntax where function == "exec_parse_message": "There is more than one statement; run one at a time."
        case .syntax: "The server could not understand the statement, or does not know a name or a type in it."
        case _ where state == "2BP01":
            "Something else in the database depends on what was to be dropped. Drop that first."
        case .conflict: "Something of that name exists in the database."
        case _ where state == "428C9":
            "A column is computed by the database, and can't be written. Mark it by `@Column(generated: true)`."
        case .unsupported: "The server can't do what the statement asks for."
        case .authenticationFailed: "The server refused the user or the password."
        case .cannotConnect: "The server accepts no connection at the moment, or not to this database."
        case .connectionLost: "The server ended the session; what was not committed is rolled back."
        case _ where state == "25001":
            "The statement can't run in a transaction. Behind a transaction pooler, each is in one: connect to the server itself."
        case .permissionDenied: "The user has no permission for what the statement does with \(table)."
        default: "The server failed to run the statement. Its code is \(state.isEmpty ? "unknown" : state)."
        }
    }
}
