import Logging
import Synchronization

/// Looks at the change log while somebody observes logged tables, and tells the observations of this process what
/// others have committed.
final class LogWatcher: DatabaseService {
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

    /// Does nothing: it ends when the database, which it looks at, is closed.
    func close() async {}

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
        let core = core.root ?? core
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
        var failure: DatabaseError.Code?
        while !Task.isCancelled {
            guard let core = core(), !core.isClosing else { return }
            let isTold = await listen(core)
            var interval = isTold ? Self.intervalWhenTold : core.configuration.changeLog.pollInterval
            do {
                try await look(core, after: &token)
                failure = nil
            } catch  where Self.isOutage(error) || Task.isCancelled {
                // Whoever observes finds out by itself, and this goes on where it is.
            } catch {
                let code = (error as? DatabaseError)?.code ?? .engine
                if code == .notMigrated || code == .changesTrimmed { token = nil }
                // Where nothing is known of what was committed, it may be anything.
                core.observations.publishUnknown()
                if code != .changesTrimmed {
                    interval = max(core.configuration.changeLog.pollInterval, Self.intervalWhenBlind)
                }
                if code != failure { warn("Observed queries are read again and again", error, core) }
                failure = code
            }
            do { try await signal.wait(atMost: interval) } catch { break }
            signal.reset()
        }
        state.withLock { $0.listening.take() }?.cancel()
    }

    /// How often the log is looked at where the engine tells of new entries, all the same.
    private static let intervalWhenTold = Duration.seconds(5)
    /// How often observed queries are read again while the log can't be read.
    private static let intervalWhenBlind = Duration.seconds(1)

    /// Whether the server may be away, or the program has no connection to it.
    private static func isOutage(_ error: any Error) -> Bool {
        switch (error as? DatabaseError)?.code {
        case .connectionLost, .cannotConnect, .poolTimeout, .closed, .cancelled: true
        default: error is CancellationError
        }
    }

    private func warn(_ consequence: String, _ error: any Error, _ core: DatabaseCore) {
        core.configuration.telemetry.logger.warning(
            "\(consequence), since the change log could not be read.",
            metadata: ["error": "\((error as? DatabaseError)?.description ?? "unknown")"])
    }

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

    /// Tells of what is in the log after a token, and moves that behind it.
    private func look(_ core: DatabaseCore, after token: inout ChangeToken?) async throws {
        let reader = LogReader(core: core)
        guard var place = token else {
            token = try await reader.now()
            // What was committed before somebody looked.
            core.observations.publishUnknown()
            return
        }
        var hasWarned = false
        while true {
            do {
                let page = try await reader.page(after: place, tables: tables, limit: 10_000)
                place = page.token
                // If the server is away, the page is read again.
                core.observations.publishLogged(try await changes(page.changes, core))
                token = place
                if !page.isFull { return }
            } catch let error as DatabaseError where !Self.isOutage(error) {
                guard let behind = error.changeToken ?? (place == token ? nil : place) else { throw error }
                // Whatever it was about.
                core.observations.publishUnknown()
                if !hasWarned { warn("Every observed query was read again", error, core) }
                hasWarned = true
                (place, token) = (behind, behind)
            }
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

extension DatabaseCore {
    /// Looks at the change log while somebody observes logged tables.
    var logWatcher: LogWatcher { services.service(LogWatcher.self) }
}
