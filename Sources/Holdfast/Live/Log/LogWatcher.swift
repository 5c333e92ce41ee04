import Synchronization

/// Looks at the change log while somebody observes logged tables, and tells the observations of this process what
/// others have committed.
final class LogWatcher: Sendable {
    private struct State {
        /// The tables that each user observes; empty for all.
        var tables: [Int: Set<String>] = [:]
        /// The types that observed queries ask for, by their tables.
        var statements: [String: TableStatements] = [:]
        var lastNumber = 0
        var task: Task<Void, Never>?
        /// Listens to what the engine tells of new entries.
        var listening: Task<Void, Never>?
        /// The types that are logged because a schema says so.
        var logged: Set<ObjectIdentifier> = []
    }

    private let state = Mutex(State())
    private let signal = ObservationSignal(nil)

    /// Notes types that are logged because a schema says so.
    func note(_ descriptions: [TableDescription]) {
        if descriptions.isEmpty { return }
        state.withLock { $0.logged.formUnion(descriptions.map { ObjectIdentifier($0) }) }
    }

    /// Whether the changes of a type are logged, as far as this process knows.
    func isLogged(_ description: TableDescription) -> Bool {
        description.log != .none || state.withLock { $0.logged.contains(ObjectIdentifier(description)) }
    }

    /// Watches tables until the result is released.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables; nil for all.
    ///   - statements: Those of the type whose rows are told apart; nil for none.
    func watch(_ tables: Set<String>?, _ statements: TableStatements?, of core: DatabaseCore) -> LogWatch {
        let number = state.withLock { state in
            state.lastNumber += 1
            if let statements { state.statements[statements.description.tableName.name] = statements }
            state.tables[state.lastNumber] = tables ?? []
            if state.task == nil {
                // Detached: it belongs to all that observe, and ends with the last of them.
                state.task = Task.detached { [self, weak core] in await run { core } }
            }
            return state.lastNumber
        }
        return LogWatch(watcher: self, number: number)
    }

    fileprivate func end(_ number: Int) {
        state.withLock { state in
            state.tables[number] = nil
            if state.tables.isEmpty { state.task.take()?.cancel() }
        }
    }

    /// All tables that are observed; empty if all are.
    private var tables: [String] {
        state.withLock { state in
            if state.tables.values.contains(where: \.isEmpty) { return [] }
            return state.tables.values.reduce(into: Set()) { $0.formUnion($1) }.sorted()
        }
    }

    /// Looks again and again, and never holds the database while it waits.
    private func run(_ core: () -> DatabaseCore?) async {
        var token: ChangeToken?
        while !Task.isCancelled {
            guard let core = core(), !core.isClosing else { return }
            let isTold = await listen(core)
            let interval = isTold ? Self.intervalWhenTold : core.configuration.logPollInterval
            do {
                token = try await look(core, after: token)
            } catch let error as DatabaseError where error.code == .notMigrated || error.code == .changesTrimmed {
                token = nil
                core.observations.publishUnknown()
            } catch {
                // The server may be away: whoever observes finds out by itself, and this looks again.
            }
            do { try await signal.wait(atMost: interval) } catch { break }
            signal.reset()
        }
        state.withLock { $0.listening.take() }?.cancel()
    }

    /// How often the log is looked at where the engine tells of new entries, all the same.
    private static let intervalWhenTold = Duration.seconds(5)

    /// Has the engine tell of new entries, if it can.
    ///
    /// - Returns: Whether it does.
    private func listen(_ core: DatabaseCore) async -> Bool {
        guard let channel = core.dialect.changeLog?.channel, core.capabilities.deliversNotifications else {
            return false
        }
        if state.withLock({ $0.listening != nil }) { return true }
        guard let notifications = try? await Database(core: core).notifications(on: channel) else {
            return false  // It is tried again before the next look.
        }
        let task = Task { [self] in
            do {
                for try await notification in notifications where concerns(notification) { signal.notify() }
            } catch {
                // The database was closed.
            }
        }
        let other = state.withLock { state in
            defer { state.listening = task }
            return state.listening
        }
        other?.cancel()
        return true
    }

    private func concerns(_ notification: DatabaseNotification) -> Bool {
        guard case .received(_, let table) = notification else { return true }
        return state.withLock { $0.tables.values.contains { $0.isEmpty || $0.contains(table) } }
    }

    /// What logged changes are to observed queries.
    private func changes(_ logged: [LoggedChange], _ core: DatabaseCore) async throws -> SessionChanges {
        let statements = state.withLock { $0.statements }
        var untold: Set<String> = []
        var told: [TableChanges] = []
        let byTable = Dictionary(grouping: logged, by: \.table)
        for (table, changes) in byTable {
            let rows = statements[table].map { LoggedRows(core: core, statements: $0) }
            if let known = try await rows?.changes(changes) {
                told.append(TableChanges(table: table, changes: known))
            } else {
                untold.insert(table)
            }
        }
        return SessionChanges(TouchedTables(names: Set(byTable.keys), untold: untold), told)
    }

    private func look(_ core: DatabaseCore, after token: ChangeToken?) async throws -> ChangeToken {
        let reader = LogReader(core: core)
        guard var token else {
            let token = try await reader.now()
            // What was committed before somebody looked.
            core.observations.publishUnknown()
            return token
        }
        while true {
            let page = try await reader.page(after: token, tables: tables, limit: 10_000)
            // If this fails, the page is read again.
            core.observations.publishLogged(try await changes(page.changes, core))
            token = page.token
            if !page.isFull { return token }
        }
    }
}

/// The use of the watcher, which ends when this is released.
final class LogWatch: Sendable {
    private let watcher: LogWatcher
    private let number: Int

    fileprivate init(watcher: LogWatcher, number: Int) {
        self.watcher = watcher
        self.number = number
    }

    deinit { watcher.end(number) }
}
