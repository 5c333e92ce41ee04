@_spi(Driver) import Holdfast

/// Where a PostgreSQL server is, and what a session with it begins with: a connection string taken apart.
struct PostgresOptions: Sendable {
    /// One server to try, in libpq's words; nil where the keywords or the environment say it.
    struct Target: Sendable, Hashable {
        var host: String?
        var address: String?
        var port: String?
        /// The value of `target_session_attrs`, where it differs from the keywords'.
        var sessionKind: String?
    }

    /// libpq's keywords and values; later ones win.
    var keywords: [(keyword: String, value: String)]
    /// The servers, in the order in which they are tried.
    private(set) var targets: [Target] = [Target()]
    /// The only server, as far as the connection string names it.
    private(set) var server = Target()
    /// Whether host and port may be pieces of a password whose reserved characters were not encoded, so that no message
    /// may name them.
    private(set) var hidesAddresses = false
    /// How long one server may take to answer, where the connection string says so.
    private(set) var connectTimeout: Duration?

    /// The name of the database, as far as the connection string names it.
    private(set) var database: String?

    /// The schema in which names are looked up and tables are made; nil for the server's own default.
    var schema: String?
    /// Gives the password of each new connection; nil for the one of the connection string.
    var password: (@Sendable () async throws -> String)?
    /// The pooler that the connection string, or the caller, names; nil for none.
    var chosenPooler: PostgresPooler?
    /// Whether statements are kept prepared, as the connection string says; nil if it says nothing of that.
    private var choosesPreparedStatements: Bool?

    var pooler: PostgresPooler { chosenPooler ?? (choosesPreparedStatements == false ? .transaction : .session) }

    /// Whether connections keep statements prepared: behind a transaction pooler only where that is said to know of
    /// them.
    var keepsStatementsPrepared: Bool { choosesPreparedStatements ?? (pooler == .session) }

    // Those of our own parameters that the configuration of every engine has.
    var maximumConnections: Int?
    var statementTimeout: Duration?
    var lockTimeout: Duration?

    /// Takes libpq's keywords as they are.
    init(keywords: [(keyword: String, value: String)]) throws(DatabaseError) {
        for (keyword, value) in keywords { try Self.refuseNUL(keyword, value) }
        self.keywords = keywords
        try readTargets(keywords)
    }

    /// Reads a URL, or a string of libpq's `key=value` kind.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect``, without any part of the string but names of parameters.
    init(connectionString: String) throws(DatabaseError) {
        try Self.refuseNUL(connectionString)
        let isDoubtful = ConnectionString.mayHideSecret(connectionString)
        let (string, own) = try Self.splitOwnParameters(connectionString, isDoubtful: isDoubtful)
        keywords = [("dbname", string)]
        hidesAddresses = isDoubtful
        for (name, value) in own { try apply(name, value) }
        try readTargets(try ConnectionString.parse(string))
    }

    /// C would take what is before it for the whole.
    private static func refuseNUL(_ texts: String...) throws(DatabaseError) {
        guard texts.contains(where: { $0.utf8.contains(0) }) else { return }
        throw .malformedURL("The connection string has a NUL character. Remove it.")
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
        .malformedURL("The parameter \"\(name)\" of the database URL must be \(expected).")
    }

    /// Splits a URL into what libpq is given and our own parameters, and refuses what neither knows.
    private static func splitOwnParameters(
        _ string: String, isDoubtful: Bool
    ) throws(DatabaseError) -> (String, [(Substring, String)]) {
        guard let query = ConnectionString.queryRange(of: string) else { return (string, []) }
        var own: [(Substring, String)] = []
        var others: [Substring] = []
        // Behind a secret, what looks like a parameter may be the rest of it, after an "&" that was not encoded.
        var isBehindSecret = isDoubtful
        for item in string[query].split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            if ownParameters.contains(name) {
                guard let value = DatabaseURL.percentDecoded(item.dropFirst(name.count + 1)) else {
                    throw invalid(name, "percent-encoded UTF-8")
                }
                own.append((name, value))
            } else if name.contains("%") || ConnectionString.isKnown(String(name)) {
                others.append(item)
                isBehindSecret = isBehindSecret || name.contains("%") || name.hasSuffix("password")
            } else {
                throw unknown(name, isShown: !isBehindSecret)
            }
        }
        let head = string[..<string.index(before: query.lowerBound)]
        return (others.isEmpty ? String(head) : head + "?" + others.joined(separator: "&"), own)
    }

    private static func unknown(_ name: Substring, isShown: Bool) -> DatabaseError {
        let isName = name.wholeMatch(of: /[a-z_]{1,63}/) != nil
        let what = isShown && isName ? "a parameter \"\(name)\"" : "a parameter"
        let message = "The database URL has \(what) that neither Holdfast nor libpq knows. Remove or correct it."
        return .malformedURL(isShown && isName ? message : "\(message) \(ConnectionString.encoding)")
    }

    // MARK: Several servers

    /// Takes the lists of hosts, addresses and ports apart.
    ///
    /// libpq would go from one to the next itself, but in its non-blocking way it has no timeout of its own, so the
    /// first server that doesn't answer at all would use up the time of all.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect`` for what is no host and no port. libpq would say so later, and
    ///   quote what may be a piece of a password.
    private mutating func readTargets(_ options: [(keyword: String, value: String)]) throws(DatabaseError) {
        func list(_ keyword: String) -> [String]? {
            options.last { $0.keyword == keyword && !$0.value.isEmpty }?
                .value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        if let seconds = list("connect_timeout").flatMap({ Int32($0[0]) }), seconds > 0 {
            connectTimeout = .seconds(seconds)
        }
        database = options.last { $0.keyword == "dbname" && !$0.value.isEmpty }?.value
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        for port in ports ?? [] where !port.isEmpty && UInt16(port).map({ $0 > 0 }) != true {
            throw .malformedURL(
                "A port of the connection string is not a number from 1 to 65535. \(ConnectionString.encoding)")
        }
        // "@" begins the name of an abstract socket.
        for host in hosts ?? [] where host.dropFirst().contains("@") {
            throw .malformedURL("A host of the connection string has an \"@\". \(ConnectionString.encoding)")
        }
        server = Target(host: hosts?.first, address: addresses?.first, port: ports?.first)
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

extension PostgresOptions: _ValuesHidden {}
