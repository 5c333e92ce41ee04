@_spi(Driver) import Holdfast

/// The settings that the configuration asks of the server's session.
struct SessionSettings {
    private var settings: [(name: String, value: String)]

    init(_ configuration: DatabaseConfiguration, _ options: PostgresOptions, _ role: ConnectionRole) {
        // What casts between types of time mean must not depend on the server's whereabouts.
        settings = [("TimeZone", "UTC"), ("standard_conforming_strings", "on")]
        if let timeout = configuration.timeouts.lock { settings.append(("lock_timeout", Self.milliseconds(timeout))) }
        if let timeout = configuration.timeouts.statement {
            settings.append(("statement_timeout", Self.milliseconds(timeout)))
        }
        if let schema = options.schema { settings.append(("search_path", PostgresDialect().quoted(schema))) }
        if role == .read { settings.append(("default_transaction_read_only", "on")) }
    }

    /// A duration as a setting says it.
    static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.bounded.components
        let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
        return String(Int(min(max(milliseconds.rounded(.up), 1), Double(Int32.max))))
    }

    /// The statement that sets all for the session.
    var ofSession: (Statement, ParameterBuffer) {
        var parameters = ParameterBuffer(width: settings.count * 2)
        for text in settings.flatMap({ [$0.name, $0.value] }) {
            var text = text
            text.withUTF8 { parameters.append(.text, UnsafeRawBufferPointer($0)) }
        }
        let calls = settings.indices.map { "pg_catalog.set_config($\($0 * 2 + 1), $\($0 * 2 + 2), false)" }
        return (Statement("SELECT " + calls.joined(separator: ", "), isCached: false), parameters)
    }

    /// Returns the settings that go along with each transaction.
    ///
    /// - Parameter reported: What the server has reported of a setting of its own.
    /// - Returns: Nil if all is as it should be, and the configuration asks for nothing.
    func ofTransactions(reported: (String) -> String?) -> Pooled? {
        let isRight = settings.allSatisfy { setting in
            switch setting.name {
            case "TimeZone": ["UTC", "Etc/UTC"].contains(reported("TimeZone"))
            case "standard_conforming_strings": reported("standard_conforming_strings") == "on"
            default: false
            }
        }
        return isRight ? nil : Pooled(settings)
    }

    /// The settings of a session that is shared: each transaction brings them along, and they end with it.
    struct Pooled {
        /// The statement that sets all for the implicit transaction of those sent with it.
        let beforeStatement: String
        /// The statements that set all for the transaction that was just begun.
        ///
        /// They take no snapshot.
        let afterBegin: [String]

        fileprivate init(_ settings: [(name: String, value: String)]) {
            let calls = settings.map { setting in
                // BEGIN says for itself whether it is to read only; here, the transaction has begun already.
                let name = setting.name == "default_transaction_read_only" ? "transaction_read_only" : setting.name
                return "pg_catalog.set_config('\(name)', \(Self.literal(setting.value)), true)"
            }
            beforeStatement = "SELECT " + calls.joined(separator: ", ")
            afterBegin = settings.compactMap { setting in
                switch setting.name {
                case "default_transaction_read_only": nil
                // The name of a schema, in its quotes.
                case "search_path": "SET LOCAL search_path = \(setting.value)"
                default: "SET LOCAL \(setting.name) = \(Self.literal(setting.value))"
                }
            }
        }

        /// A text constant that means the same whatever standard_conforming_strings is.
        private static func literal(_ text: String) -> String {
            "E'" + text.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
        }
    }
}
