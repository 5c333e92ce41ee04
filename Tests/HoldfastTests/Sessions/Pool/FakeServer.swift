import Logging
import Synchronization

@_spi(Driver) @testable import Holdfast

/// A server that counts its connections, and can refuse, delay and break them.
final class FakeServer: Sendable {
    struct State: Sendable {
        var opened = 0
        var open = 0
        var mostOpen = 0
        var failure: (any Error)?
        var connections: [FakeConnection] = []
    }

    let state = Mutex(State())
    /// How long opening a connection takes.
    let delay: Duration

    init(delay: Duration = .zero) { self.delay = delay }

    var opened: Int { state.withLock { $0.opened } }
    var open: Int { state.withLock { $0.open } }
    var mostOpen: Int { state.withLock { $0.mostOpen } }

    func connect() async throws -> any DriverConnection {
        if delay > .zero { try await Task.sleep(for: delay) } else { await Task.yield() }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.opened += 1
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            let connection = FakeConnection(server: self, number: state.opened)
            state.connections.append(connection)
            return connection
        }
    }

    /// Lets every attempt to connect fail with `error`, until it is nil.
    func refuse(with error: (any Error)?) { state.withLock { $0.failure = error } }

    /// Breaks every connection there is.
    func restart() { for connection in state.withLock({ $0.connections }) { connection.breakDown() } }

    func pool(
        _ maximum: Int, checkoutTimeout: Duration = .seconds(300), idleTimeout: Duration? = nil
    ) -> ConnectionPool {
        ConnectionPool(
            maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout,
            logger: Logger(label: "pool tests") { _ in SwiftLogNoOpLogHandler() }, connect: connect)
    }
}

/// A connection that runs nothing, but knows whether it is lost, and whether two use it concurrently.
final class FakeConnection: DriverConnection {
    let number: Int
    private let server: FakeServer
    private let isBroken = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    private let isInUse = Atomic<Bool>(false)
    private let isInTransaction = Atomic<Bool>(false)

    init(server: FakeServer, number: Int) {
        self.server = server
        self.number = number
    }

    var isUsable: Bool { !isBroken.load(ordering: .relaxed) && !isClosed.load(ordering: .relaxed) }

    var transactionStatus: TransactionStatus { isInTransaction.load(ordering: .relaxed) ? .open : .idle }

    func breakDown() { isBroken.store(true, ordering: .relaxed) }

    func begin() { isInTransaction.store(true, ordering: .relaxed) }

    /// Holds the connection over a suspension; false if it was closed, or another used it in the meantime.
    func use() async -> Bool {
        guard !isInUse.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        await Task.yield()
        let isFine = !isClosed.load(ordering: .relaxed)
        return isInUse.exchange(false, ordering: .acquiringAndReleasing) && isFine
    }

    func close() async {
        await Task.yield()
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        server.state.withLock { state in
            state.open -= 1
            state.connections.removeAll { $0 === self }
        }
    }

    var capabilities: Capabilities {
        Capabilities(
            maximumParameters: 0, maximumNameBytes: nil, isolationLevels: [], hasConcurrentWriters: true,
            namesForeignKeys: false, canTerminateSessions: false, engineVersion: "0")
    }

    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        throw DatabaseError(.unsupported, "A fake connection runs nothing.")
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        throw DatabaseError(.unsupported, "A fake connection runs nothing.")
    }

    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        throw DatabaseError(.unsupported, "A fake connection has no tables.")
    }
}

extension Lease {
    /// The number of the fake connection.
    var number: Int { (connection as? FakeConnection)?.number ?? 0 }
}

extension ConnectionPool {
    /// A lease of a pool with so short a timeout that, on a busy machine, opening a connection may take longer.
    func patientLease(purpose: LeasePurpose) async throws -> Lease {
        while true {
            do { return try await lease(purpose: purpose) } catch let error as DatabaseError {
                guard error.code == .poolTimeout else { throw error }
            }
        }
    }
}

/// Waits until `condition` holds; false if it does not within a minute.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < deadline {
        if condition() { return true }
        do { try await Task.sleep(for: .milliseconds(1)) } catch { return condition() }
    }
    return condition()
}

/// The code that `operation` fails with.
func code(of operation: () async throws -> some Any) async -> DatabaseError.Code? {
    do { _ = try await operation() } catch { return (error as? DatabaseError)?.code }
    return nil
}

/// What happened, in the order in which it did.
final class Record<Element: Sendable>: Sendable {
    private let mutex = Mutex<[Element]>([])

    var all: [Element] { mutex.withLock { $0 } }

    func append(_ element: Element) { mutex.withLock { $0.append(element) } }
}
