import Synchronization

/// The one connection by which a database listens, for all channels and consumers.
final class NotificationListener: Sendable {
    /// Whoever listens on a channel.
    fileprivate struct Consumer {
        let channel: String
        let buffer: BufferedConsumer<DatabaseNotification>
    }

    private struct State {
        var consumers: [Int: Consumer] = [:]
        var lastNumber = 0
        var connection: (any DriverConnection)?
        /// The channels that the connection listens on.
        var channels: Set<String> = []
        var isClosed = false
        /// Opens the connection.
        var opening: Task<any DriverConnection, any Error>?
        /// Opens the connection again, or looks from time to time whether it is still there.
        var keeper: Task<Void, Never>?
    }

    private let state = Mutex(State())
    /// Wakes the keeper when the connection is lost.
    private let loss = ObservationSignal(nil)
    /// Who opens the connection or runs something on it does so alone.
    private let turn = AsyncLock()

    /// How often the server is asked whether it is still there, of which a network may not tell.
    private static let probeInterval = Duration.seconds(30)
    private static let pauses = (first: Duration.milliseconds(50), last: Duration.seconds(2))
    private static let timeout = Duration.seconds(10)

    static var unsupported: DatabaseError {
        DatabaseError(
            .unsupported,
            "The engine has no notifications. Log the table and read its changes, which every engine has.")
    }

    static func check(_ channel: String) throws {
        guard (1...63).contains(channel.utf8.count), !channel.utf8.contains(0) else {
            throw DatabaseError(
                .invalidValue, "The name of a channel has 1 to 63 bytes, and no NUL. Nothing was sent.")
        }
    }

    func listen(on channel: String, buffer: Int, of core: DatabaseCore) async throws -> NotificationRegistration {
        try Self.check(channel)
        guard core.dialect.notification != nil else { throw Self.unsupported }
        guard core.capabilities.deliversNotifications else {
            throw DatabaseError(
                .unsupported,
                "Nobody can listen behind a transaction pooler, which gives no session of one's own. Connect to the server itself, or read the change log."
            )
        }
        // The connection is that of all who see whatever rows.
        let core = core.root ?? core
        let consumer = BufferedConsumer<DatabaseNotification>(limit: buffer, gap: .mayHaveMissed)
        let number = try state.withLock { state in
            guard !state.isClosed else { throw DatabaseError(.closed, "The database is closed.") }
            state.lastNumber += 1
            state.consumers[state.lastNumber] = Consumer(channel: channel, buffer: consumer)
            return state.lastNumber
        }
        let registration = NotificationRegistration(consumer: consumer, number: number, listener: self, core: core)
        try await turn.withLock { try await update(core) }
        return registration
    }

    /// Ends a consumer, and the listening of which it was the last.
    fileprivate func end(_ number: Int, _ core: DatabaseCore) {
        let isLast = state.withLock { state in
            guard let consumer = state.consumers.removeValue(forKey: number) else { return false }
            return !state.consumers.values.contains { $0.channel == consumer.channel }
        }
        guard isLast else { return }
        Task { [weak core] in
            try? await turn.withLock { if let core { try await update(core) } }  // It is tried again with the next.
        }
    }

    /// Ends everything, when the database is closed.
    func close() async {
        let (consumers, keeper, opening) = state.withLock { state in
            state.isClosed = true
            defer { (state.consumers, state.keeper) = ([:], nil) }
            return (Array(state.consumers.values), state.keeper, state.opening)
        }
        keeper?.cancel()
        opening?.cancel()
        for consumer in consumers { consumer.buffer.close() }
        await turn.withLockEvenIfCancelled { await disconnect() }
    }

    /// Has the connection listen on what the consumers want: opens it with the first, and closes it after the last.
    private func update(_ core: DatabaseCore) async throws {
        let (wanted, connection, channels) = state.withLock {
            (Set($0.consumers.values.map(\.channel)), $0.connection, $0.channels)
        }
        if wanted.isEmpty { return await disconnect() }
        if let connection, connection.isUsable {
            for channel in wanted.subtracting(channels) {
                try await run(core.dialect.listen(channel, ends: false), connection)
            }
            for channel in channels.subtracting(wanted) {
                try await run(core.dialect.listen(channel, ends: true), connection)
            }
            try await receive(connection, wanted)
        } else {
            try await connect(core, wanted)
        }
    }

    private func connect(_ core: DatabaseCore, _ channels: Set<String>) async throws {
        await disconnect(keepsKeeper: true)
        let connection = try await open(core)
        do {
            for channel in channels { try await run(core.dialect.listen(channel, ends: false), connection) }
            try await receive(connection, channels)
        } catch {
            await connection.close()
            throw error
        }
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            state.connection = connection
            if state.keeper == nil { state.keeper = Task { [self, weak core] in await keep { core } } }
            return false
        }
        if isClosed { await connection.close() }
    }

    /// Opens the connection, unless the database is closed or the task cancelled meanwhile.
    private func open(_ core: DatabaseCore) async throws -> any DriverConnection {
        let opening = Task { try await core.driver.connect(.read) }
        let isClosed = state.withLock { state in
            state.opening = opening
            return state.isClosed
        }
        defer { state.withLock { $0.opening = nil } }
        if isClosed { opening.cancel() }
        return try await withTaskCancellationHandler {
            try await opening.value
        } onCancel: {
            opening.cancel()
        }
    }

    private func run(_ sql: String, _ connection: any DriverConnection) async throws {
        try await connection.run(Statement(sql, isCached: false), .none, timeout: Self.timeout) { _ in }
    }

    private func receive(_ connection: any DriverConnection, _ channels: Set<String>) async throws {
        state.withLock { $0.channels = channels }
        try connection.receiveNotifications { [weak self] notification in
            guard let notification else { self?.loss.notify(); return }
            self?.deliver(notification.channel, notification.payload)
        }
    }

    private func deliver(_ channel: String, _ payload: String) {
        let consumers = state.withLock { $0.consumers.values.filter { $0.channel == channel } }
        for consumer in consumers { consumer.buffer.receive(.received(channel: channel, payload: payload)) }
    }

    private func disconnect(keepsKeeper: Bool = false) async {
        let (connection, keeper) = state.withLock { state in
            let keeper = keepsKeeper ? nil : state.keeper
            if !keepsKeeper { state.keeper = nil }
            defer { (state.connection, state.channels) = (nil, []) }
            return (state.connection, keeper)
        }
        keeper?.cancel()
        await connection?.close()
    }

    /// Opens a lost connection again, for as long as somebody listens.
    private func keep(_ core: () -> DatabaseCore?) async {
        var pause: Duration?
        while true {
            do {
                if let pause {
                    try await Task.sleep(for: pause)
                } else {
                    try await loss.wait(atMost: Self.probeInterval)
                }
            } catch {
                return  // Nobody listens any more.
            }
            loss.reset()
            guard let core = core(), !core.isClosing else { return }
            do {
                try await turn.withLock {
                    if state.withLock({ $0.connection?.isUsable ?? false }) {
                        try await probe(core)
                    } else {
                        try await reconnect(core)
                    }
                }
                pause = nil
            } catch {
                // The server is not there: it is tried again.
                pause = min(pause.map { $0 * 2 } ?? Self.pauses.first, Self.pauses.last)
            }
        }
    }

    /// Finds out whether the server answers; if not, the connection is opened again.
    private func probe(_ core: DatabaseCore) async throws {
        let (connection, channels) = state.withLock { ($0.connection, $0.channels) }
        guard let connection, let channel = channels.first else { return }
        do {
            try await run(core.dialect.listen(channel, ends: false), connection)
            try await receive(connection, channels)
        } catch {
            try await reconnect(core)
        }
    }

    private func reconnect(_ core: DatabaseCore) async throws {
        let consumers = state.withLock { Array($0.consumers.values) }
        if consumers.isEmpty { return }
        try await connect(core, Set(consumers.map(\.channel)))
        for consumer in consumers { consumer.buffer.receiveGap() }
    }
}

/// The place of a consumer among those of the listener, which ends when this is released.
final class NotificationRegistration: Sendable {
    let consumer: BufferedConsumer<DatabaseNotification>
    private let number: Int
    private let listener: NotificationListener
    private let core: DatabaseCore

    fileprivate init(
        consumer: BufferedConsumer<DatabaseNotification>, number: Int, listener: NotificationListener,
        core: DatabaseCore
    ) {
        (self.consumer, self.number, self.listener, self.core) = (consumer, number, listener, core)
    }

    deinit { listener.end(number, core) }
}
