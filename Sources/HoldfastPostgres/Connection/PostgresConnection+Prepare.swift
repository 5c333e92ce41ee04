internal import CPostgres
@_spi(Driver) import Holdfast
import Synchronization

extension PostgresConnection {
    /// How to run `statement`, if it is prepared.
    func keptPlan(_ statement: Statement, _ parameters: ParameterBuffer) -> StatementPlan? {
        prepared.withLock { prepared in
            let types = prepared.choice(for: statement.id).types(parameters)
            let key = PreparedStatements.Key(
                statement: statement.id, namedTypes: types, width: parameters.width)
            return prepared.find(key).map { StatementPlan(statement: $0) }
        }
    }

    /// Finds out how to run `statement`, preparing it if it isn't.
    ///
    /// - Parameter namedTypes: The types to name for its parameters; nil for those that it is known to need.
    func plan(
        _ statement: Statement, _ parameters: ParameterBuffer, namedTypes: [UInt32]?
    ) async throws(DatabaseError) -> StatementPlan {
        var (choice, dropped) = prepared.withLock { ($0.choice(for: statement.id), $0.dropped.count) }
        if dropped >= Self.deallocatedTogether, transactionStatus == .idle { try await deallocateDropped() }
        while true {
            let types = namedTypes ?? choice.types(parameters)
            let key = PreparedStatements.Key(
                statement: statement.id, namedTypes: types, width: parameters.width)
            if let plan = prepared.withLock({ $0.find(key) }).map({ StatementPlan(statement: $0) }) {
                return plan
            }
            do throws(DatabaseError) {
                return try await prepare(statement, parameters, key, mayRetry: namedTypes == nil && choice < .all)
            } catch {
                guard namedTypes == nil, choice < .all, TypeChoice.canHelp(error.engineCode),
                    transactionStatus != .failed
                else { throw error }
                choice = choice == .inferred ? .byKind : .all
                // Where no value has a kind to name, the first of the two changes nothing.
                if choice == .byKind, choice.types(parameters).allSatisfy({ $0 == 0 }) { choice = .all }
                prepared.withLock { $0.setChoice(choice, for: statement.id) }
            }
        }
    }

    /// Makes a statement known to the session, which then tells the types of its parameters.
    ///
    /// - Parameters:
    ///   - mayRetry: Whether it is to be tried in another way if this fails: then a transaction must survive it.
    ///   - method: How a change of the types of its columns is noticed.
    private func prepare(
        _ statement: Statement, _ parameters: ParameterBuffer, _ key: PreparedStatements.Key, mayRetry: Bool,
        guardedBy method: ColumnGuard.Method = .returning
    ) async throws(DatabaseError) -> StatementPlan {
        let isKept =
            statement.isCached && options.keepsStatementsPrepared && prepared.withLock { $0.hasRoom }
        let status = transactionStatus
        var commands: [StatementPlan.Command] = []
        let name = isKept ? prepared.withLock { $0.makeName() } : ""
        if isKept {
            commands = prepared.withLock { prepared in
                prepared.evict()
                return StatementPlan.Command.canClose ? prepared.takeDropped().map { .close(name: $0) } : []
            }
        }
        if parameters.width == 0 {
            let prepare = StatementPlan.Command.prepare(name: name, sql: statement.sql, types: key.namedTypes)
            let known = PreparedStatement(key, of: statement, name: name, oids: [], types: [])
            return StatementPlan(statement: known, leading: commands + [prepare])
        }
        guard parameters.width <= Self.parameterLimit else {
            throw DatabaseError(
                .unsupported,
                "The statement has \(parameters.width) parameters, and libpq takes \(Self.parameterLimit) at most. Bind a "
                    + "list as one value, or split the statement.")
        }
        // The schema decides what its names mean.
        if status == .idle, let pooled { commands.append(.run(pooled.beforeStatement)) }
        let columnGuard = statement.rowChange.flatMap { change in
            let comparesRecords = prepared.withLock { $0.comparesRecords }
            let method = isKept || method != .returning ? method : comparesRecords ? .selecting : .comparing
            return ColumnGuard(change, statement.columnTypes, parameters, by: method)
        }
        let guardName = isKept && columnGuard?.method == .selecting ? name + "_guard" : nil
        let isInSavepoint = status == .open && (mayRetry || columnGuard != nil)
        if isInSavepoint { commands.append(.run("SAVEPOINT holdfast_prepare")) }
        let sql = statement.sql + (columnGuard?.returning ?? "")
        let position = commands.count
        commands += [.prepare(name: name, sql: sql, types: key.namedTypes), .describe(name: name)]
        if let change = statement.rowChange {
            commands += [.prepare(name: "", sql: change.selection, types: []), .describe(name: "")]
        }
        switch columnGuard?.method {
        case .returning?: columnGuard.map { commands.append($0.check) }
        case .selecting?:
            columnGuard.map { commands.append(.prepare(name: guardName ?? "", sql: $0.selection, types: [])) }
            // Whether the user may do it is asked when it runs.
            commands.append(.runPrepared(name: guardName ?? ""))
        case .comparing?: columnGuard.map { commands.append($0.types) }
        case .some(.none), nil: break
        }
        if isInSavepoint { commands.append(.run("RELEASE SAVEPOINT holdfast_prepare")) }
        let (answers, failure) = try await send(commands)
        if let failure {
            let mayPass = mayRetry && TypeChoice.canHelp(failure.error.engineCode)
            // A rule may refuse that rows are returned, and a server that its catalog or the columns are read.
            let isOfGuard =
                columnGuard != nil
                && (failure.index == position && failure.error.engineCode == "0A000" || failure.index >= position + 4)
            if isInSavepoint, failure.index >= position, mayPass || isOfGuard {
                _ = try await send([
                    .run("ROLLBACK TO SAVEPOINT holdfast_prepare"), .run("RELEASE SAVEPOINT holdfast_prepare"),
                ])
            }
            guard isOfGuard, transactionStatus != .failed, let columnGuard else { throw failure.error }
            let names = failure.index > position + 4 ? [name, guardName].compactMap(\.self) : [name]
            if isKept, failure.index > position { prepared.withLock { $0.drop(names) } }
            return try await prepare(
                statement, parameters, key, mayRetry: mayRetry, guardedBy: columnGuard.method.next)
        }
        if columnGuard?.method == .returning, answers[position + 4]?.rowCount != 1 {
            prepared.withLock { $0.drop([name]) }
            return try await prepare(statement, parameters, key, mayRetry: mayRetry, guardedBy: .selecting)
        }
        let oids = answers[position + 1]?.parameterTypes ?? []
        if oids.count != parameters.width {
            let counts = "\(oids.count) placeholders, but was given \(parameters.width) values"
            throw DatabaseError(.invalidValue, "The statement has \(counts).")
        }
        let shape = statement.isMapped ? answers[position + 1] : nil
        let columns = (0..<Int(shape?.columnCount ?? 0)).dropLast(columnGuard?.count ?? 0)
        let columnTypes = shape.map { shape in columns.map { shape.type($0) } } ?? []
        try await learn((oids + columnTypes).filter { catalog.format($0) == nil })
        if let shape, let column = columns.first(where: { catalog.format(shape.type($0))?.isReadable == false }) {
            if isKept { prepared.withLock { $0.drop([name, guardName].compactMap(\.self)) } }
            throw DatabaseError.unreadable(column, shape, catalog)
        }
        let limits = statement.rowChange.flatMap { change in
            answers[position + 3].map { ValueLimit.limits($0, of: change, statement.columnTypes) }
        }
        let types = oids.map { catalog.format($0) ?? .other($0) }
        var comparison: StatementPlan.Command?
        if columnGuard?.method == .comparing {
            comparison = answers[position + 4].flatMap { columnGuard?.catalogComparison($0) }
        }
        let known = PreparedStatement(
            key, of: statement, name: name, oids: oids, types: types, limits: limits ?? [],
            guardCount: columnGuard?.count ?? 0, guardName: guardName, comparison: comparison)
        if isKept {
            prepared.withLock { $0.insert(known) }
            return StatementPlan(statement: known, isFresh: true)
        }
        // Behind a transaction pooler, the next round trip may reach another session: so it brings the statement along.
        var leading = [StatementPlan.Command.prepare(name: name, sql: statement.sql, types: oids)]
        if status == .idle, columnGuard?.method == .selecting, let change = statement.rowChange,
            let columns = answers[position + 3], let comparison = columnGuard?.comparison(oids, change, columns)
        {
            // Another program may change the columns between the two. In front, since both have the empty name.
            leading.insert(comparison, at: 0)
        }
        return StatementPlan(statement: known, leading: leading, isFresh: true)
    }

    /// Whether the rows of a statement, which is made known to the session on its way, are of types that nobody has
    /// looked at.
    func checksTypes(_ plan: StatementPlan, _ statement: Statement) -> Bool { plan.prepares && statement.isMapped }

    /// Keeps what a run has prepared on its way.
    ///
    /// - Parameter index: The command that failed.
    func keep(_ plan: StatementPlan, unlessFailedAt index: Int?) {
        guard plan.prepares, !plan.name.isEmpty, index ?? .max >= plan.leading.count else { return }
        prepared.withLock { $0.insert(plan.statement) }
    }

    /// From how many on, dropped statements are taken from the server by SQL.
    static let deallocatedTogether = 32

    /// Takes from the server what is not kept any more, between transactions: a failure hurts none then.
    private func deallocateDropped() async throws(DatabaseError) {
        let names = prepared.withLock { $0.takeDropped() }
        guard let failure = try await send(names.map { .run("DEALLOCATE \($0)") }).failure else { return }
        guard failure.error.engineCode == "26000" else { throw failure.error }
        // A pooler has given them other names, so that only libpq 17 could close them.
        prepared.withLock { $0.giveUpMakingRoom() }
    }

    /// Sends commands in one round trip, and returns their results, and what failed.
    @discardableResult
    func send(
        _ commands: [StatementPlan.Command]
    ) async throws(DatabaseError) -> (answers: [ServerResult?], failure: (index: Int, error: DatabaseError)?) {
        var answers: [ServerResult?] = commands.map { _ in nil }
        var pipeline = Pipeline(channel, count: commands.count, showsValues: configuration.telemetry.showsValues)
        do throws(DatabaseError) {
            try await pipeline.run { session, index throws(DatabaseError) in
                commands[index].send(session)
            } receive: { index, result in
                answers[index] = result
            }
        } catch {
            if error.code == .connectionLost { throw error }
            guard let failure = pipeline.failure else { throw error }
            return (answers, failure)
        }
        return (answers, nil)
    }

    /// Asks the server for what it knows of types that aren't its own.
    func learn(_ types: [UInt32]) async throws(DatabaseError) {
        var unknown = Set(types)
        while !unknown.isEmpty {
            let list = unknown.map(String.init).joined(separator: ", ")
            let sql = """
                SELECT oid, typtype, typcategory, typbasetype, pg_catalog.format_type(oid, NULL), typelem
                FROM pg_catalog.pg_type WHERE oid IN (\(list))
                """
            let (answers, failure) = try await send([.run(sql)])
            if let failure { throw failure.error }
            unknown = answers[0].map { catalog.learn(from: $0, asked: unknown) } ?? []
        }
    }

    /// Sets the session up as the configuration says, in one round trip; behind a transaction pooler, where it would
    /// stay for others, nothing is set.
    func setUp(_ role: ConnectionRole, deadline: MonotonicTime) async throws(DatabaseError) {
        if options.pooler == .transaction { return }
        let (statement, parameters) = SessionSettings(configuration, options, role).ofSession
        do throws(DatabaseError) {
            try channel.begin(deadline: deadline)
            _ = try await perform(statement, parameters)
            channel.end()
        } catch {
            var error = error
            if error.code == .cancelled { throw error }
            if error.code == .statementTimeout {
                error.message =
                    "The server did not set the session up within the connect timeout. Raise the timeout, or see "
                    + "why the server is slow."
            }
            error.code = .cannotConnect
            throw error
        }
    }
}
