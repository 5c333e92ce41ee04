@_spi(Driver) public import Holdfast

extension DatabaseConfiguration {
    /// A PostgreSQL database named by a URL.
    ///
    /// ```swift
    /// let db = try await Database.open(.postgres(url: "postgres://app@db/prod"))
    /// let db = try await Database.open(.postgres(url: "postgres://app@a,b/prod?target_session_attrs=read-write"))
    /// ```
    ///
    /// The URL is libpq's: all its parameters work, such as `sslmode`, `sslrootcert`, `connect_timeout` and
    /// `application_name`, and so do its environment variables and `~/.pgpass`. There are six more:
    ///
    /// | parameter | meaning |
    /// |---|---|
    /// | `schema` | the schema in which names are looked up and tables are made |
    /// | `pool_size` | `pool.maximumConnections` |
    /// | `statement_timeout`, `lock_timeout` | `timeouts.statement` and `timeouts.lock`, in milliseconds |
    /// | `pooler` | `transaction` behind a pooler in transaction mode; else `session`, see ``PostgresPooler`` |
    /// | `prepared_statements` | `off`, which implies `pooler=transaction`; or `on`, if that pooler knows of them |
    ///
    /// A URL that can't be read is reported when the database is opened, as `cannotConnect`.
    ///
    /// - Parameters:
    ///   - url: Where the database is.
    ///   - schema: The schema in which names are looked up and tables are made; nil for that of the URL, or else for
    ///     the server's default. Opening the database does not look for it; a statement throws `notMigrated` if it does
    ///     not exist.
    public static func postgres(url: String, schema: String? = nil) -> DatabaseConfiguration {
        postgres(schema: schema) { () throws(DatabaseError) in try PostgresOptions(connectionString: url) }
    }

    /// A PostgreSQL database named by its parts.
    ///
    /// ```swift
    /// let db = try await Database.open(.postgres(host: "db", user: "app", password: secret, database: "prod"))
    /// ```
    ///
    /// - Parameters:
    ///   - host: The server's name or address, or the directory of its socket.
    ///   - port: The server's port.
    ///   - user: The role to log in as.
    ///   - password: Its password; nil to look for one in `~/.pgpass`, or where none is needed.
    ///   - database: The database's name.
    ///   - schema: The schema in which names are looked up and tables are made; nil for the server's default.
    ///   - pooler: Whether there is a pooler that shares the server's sessions.
    ///   - parameters: More of libpq's parameters: `["sslmode": "verify-full"]`.
    public static func postgres(
        host: String,
        port: Int = 5432,
        user: String,
        password: String? = nil,
        database: String,
        schema: String? = nil,
        pooler: PostgresPooler = .session,
        parameters: [String: String] = [:]
    ) -> DatabaseConfiguration {
        var keywords = [("host", host), ("port", String(port)), ("user", user)]
        if let password { keywords.append(("password", password)) }
        // libpq takes a "dbname" for a whole connection string if it looks like one; this one is quoted into one.
        let quoted = database.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        keywords.insert(("dbname", "dbname='\(quoted)'"), at: 0)
        keywords += parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let all = keywords
        return postgres(schema: schema) { () throws(DatabaseError) in
            var options = try PostgresOptions(keywords: all)
            options.chosenPooler = pooler
            return options
        }
    }

    /// A PostgreSQL database named by a URL, whose password is asked for whenever a connection is opened: a secret that
    /// is rotated, or a token that expires.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.postgres(url: "postgres://app@db/prod?sslmode=verify-full") {
    ///     try await tokens.current()
    /// }
    /// ```
    ///
    /// Connections that are open stay so with the password they began with, for as long as
    /// `pool.maximumConnectionLifetime` says. If the closure throws, the connection can't be opened; if it takes longer
    /// than `timeouts.connect`, its task is cancelled.
    ///
    /// - Parameters:
    ///   - url: Where the database is; a password in it is not used.
    ///   - schema: The schema in which names are looked up and tables are made; nil for that of the URL, or else for
    ///     the server's default.
    ///   - password: Gives the password, in a task of its own, never in that of an operation.
    public static func postgres(
        url: String, schema: String? = nil, password: @escaping @Sendable () async throws -> String
    ) -> DatabaseConfiguration {
        postgres(schema: schema) { () throws(DatabaseError) in
            var options = try PostgresOptions(connectionString: url)
            options.password = password
            return options
        }
    }

    private static func postgres(
        schema: String?, options read: () throws(DatabaseError) -> PostgresOptions
    ) -> DatabaseConfiguration {
        let options = Result { () throws(DatabaseError) in
            var options = try read()
            if let schema { options.schema = schema }
            return options
        }
        var configuration = DatabaseConfiguration { configuration in
            try PostgresDriver(options.get(), configuration)
        }
        configuration.pool.maximumConnectionLifetime = .seconds(1_800)
        if case .success(let options) = options {
            if let count = options.maximumConnections { configuration.pool.maximumConnections = count }
            if let timeout = options.statementTimeout { configuration.timeouts.statement = timeout }
            if let timeout = options.lockTimeout { configuration.timeouts.lock = timeout }
        }
        return configuration
    }
}

extension DriverType {
    /// PostgreSQL, for URLs that begin with `postgres:` or `postgresql:`.
    public static var postgres: DriverType {
        DriverType(schemes: ["postgres", "postgresql"], dialect: PostgresDialect()) { url in
            _ = try PostgresOptions(connectionString: url)
            return .postgres(url: url)
        }
    }
}
