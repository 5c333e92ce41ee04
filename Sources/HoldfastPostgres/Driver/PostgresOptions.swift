import Holdfast

/// Where a PostgreSQL server is, and what a session with it begins with: a connection string taken apart.
struct PostgresOptions: Sendable {
    /// One server to try, in libpq's words; nil where the keywords or the environment say it.
    struct Target: Sendable, Hashable {
        var host: String?
        var address: String?
        var port: String?
        /// What `target_session_attrs` asks for, where it differs from the keywords'.
        var sessionKind: String?
    }

    /// libpq's keywords and values; later ones win.
    var keywords: [(keyword: String, value: String)]
    /// The servers, in the order in which they are tried.
    private(set) var targets: [Target] = [Target()]
    /// How long one server may take to answer, where the connection string says so.
    private(set) var connectTimeout: Duration?

    /// The schema in which names are looked up and tables are made; nil for the server's own default.
    var schema: String?
    /// What the connection string, or the caller, says of a pooler and of prepared statements.
    var chosenPooler: PostgresPooler?
    private var choosesPreparedStatements: Bool?

    var pooler: PostgresPooler { chosenPooler ?? (choosesPreparedStatements == false ? .transaction : .session) }

    /// Whether connections keep statements prepared: behind a transaction pooler only where that is said to know of them.
    var keepsStatementsPrepared: Bool { choosesPreparedStatements ?? (pooler == .session) }

    // Those of our own parameters that the configuration of every engine has.
    var maximumConnections: Int?
    var statementTimeout: Duration?
    var lockTimeout: Duration?

    /// Takes libpq's keywords as they are.
    init(keywords: [(keyword: String, value: String)]) throws(DatabaseError) {
        self.keywords = keywords
        readTargets(keywords)
    }

    /// Reads a URL, or a string of libpq's `key=value` kind.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect``, without any part of the string but names of parameters.
    init(connectionString: String) throws(DatabaseError) {
        let (string, own) = try Self.takeOwnParameters(connectionString)
        keywords = [("dbname", string)]
        for (name, value) in own { try apply(name, value) }
        readTargets(try ConnectionString.parse(string))
    }

    // MARK: Our own parameters

    private static let ownParameters: Set<Substring> = [
        "schema", "pool_size", "statement_timeout", "lock_timeout", "prepared_statements", "pooler",
    ]

    private mutating func apply(_ name: Substring, _ value: String) throws(DatabaseError) {
        func milliseconds() throws(DatabaseError) -> Duration {
            guard let count = Int32(value), count > 0 else { throw Self.invalid(name, "a number of milliseconds") }
            return .milliseconds(count)
        }
        switch name {
        case "schema": schema = value
        case "statement_timeout": statementTimeout = try milliseconds()
        case "lock_timeout": lockTimeout = try milliseconds()
        case "pool_size":
            guard let count = Int(value), count > 0 else { throw Self.invalid(name, "a number of connections") }
            maximumConnections = count
        case "pooler":
            switch value {
            case "session": chosenPooler = .session
            case "transaction": chosenPooler = .transaction
            default: throw Self.invalid(name, "session or transaction")
            }
        default:
            switch value {
            case "on", "true", "1": choosesPreparedStatements = true
            case "off", "false", "0": choosesPreparedStatements = false
            default: throw Self.invalid(name, "on or off")
            }
        }
    }

    private static func invalid(_ name: Substring, _ expected: String) -> DatabaseError {
        DatabaseError(.cannotConnect, "The parameter \"\(name)\" of the database URL must be \(expected).")
    }

    /// Splits a URL into what libpq is given and our own parameters, and refuses what neither knows.
    private static func takeOwnParameters(
        _ string: String
    ) throws(DatabaseError) -> (String, [(Substring, String)]) {
        guard let query = ConnectionString.queryRange(of: string) else { return (string, []) }
        var own: [(Substring, String)] = []
        var others: [Substring] = []
        for item in string[query].split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            if ownParameters.contains(name) {
                guard let value = ConnectionString.percentDecoded(item.dropFirst(name.count + 1)) else {
                    throw invalid(name, "percent-encoded UTF-8")
                }
                own.append((name, value))
            } else if name.contains("%") || ConnectionString.isKnown(String(name)) {
                others.append(item)
            } else {
                let message = "The database URL has a parameter \"\(name)\" that neither Holdfast nor libpq knows."
                throw DatabaseError(.cannotConnect, message + " Remove or correct it.")
            }
        }
        let head = string[..<string.index(before: query.lowerBound)]
        return (others.isEmpty ? String(head) : head + "?" + others.joined(separator: "&"), own)
    }

    // MARK: Several servers

    /// Takes the lists of hosts, addresses and ports apart.
    ///
    /// libpq would go from one to the next itself, but in its non-blocking way it has no timeout of its own, so the first
    /// server that doesn't answer at all would use up the time of all.
    private mutating func readTargets(_ options: [(keyword: String, value: String)]) {
        func list(_ keyword: String) -> [String]? {
            options.last { $0.keyword == keyword && !$0.value.isEmpty }?
                .value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        if let seconds = list("connect_timeout").flatMap({ Int32($0[0]) }), seconds > 0 {
            connectTimeout = .seconds(seconds)
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = (addresses ?? hosts ?? []).count
        // Lists that don't fit each other are left to libpq, which says so.
        guard count > 1, hosts.map({ $0.count == count }) ?? true,
            ports.map({ $0.count == count || $0.count == 1 }) ?? true
        else { return }
        targets = (0..<count).map { index in
            Target(
                host: hosts?[index], address: addresses?[index], port: ports.map { $0.count == 1 ? $0[0] : $0[index] })
        }
        if list("load_balance_hosts") == ["random"] { targets.shuffle() }
        if list("target_session_attrs") == ["prefer-standby"] {
            targets = ["standby", "any"].flatMap { kind in
                targets.map { target in
                    var target = target
                    target.sessionKind = kind
                    return target
                }
            }
        }
    }
}
