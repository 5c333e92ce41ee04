import Logging
import Synchronization

/// The parts of an open database: its driver, its pools, and a plan for each mapping.
final class DatabaseCore: Sendable {
    let id: DatabaseID
    let configuration: DatabaseConfiguration
    let driver: any Driver
    let dialect: any Dialect
    let capabilities: Capabilities
    let controlStatements: ControlStatements
    let saveWaiters = SaveWaiters.shared
    let statementTexts: StatementTexts
    let looseTables: LooseTables
    let warnings: GivenWarnings
    let observer: StatementObserver
    /// Lets one migration after the other in.
    let migrationLock: AsyncLock

    /// The tasks that read streams with connections of their own.
    let streamTasks: StreamTasks

    /// Whoever observes what this process commits.
    let observations: Observations
    let notificationListener: NotificationListener
    /// What higher floors keep.
    let services: DatabaseServices

    private let state: DatabaseState
    private let writers: ConnectionPool
    private let readers: ConnectionPool
    /// The plan of each type: a `MappingPlan` of that very type.
    let plans: PlanSet
    /// The plans for those who see other rows.
    private let scopedPlans: ScopedPlans
    /// The database as it was opened, where this is for those who see other rows; what goes on in the background is
    /// its.
    let root: DatabaseCore?

    /// Opens a first connection, so that a database that can't be reached fails here.
    init(_ configuration: DatabaseConfiguration) async throws {
        guard configuration.pool.maximumConnections > 0 else {
            throw DatabaseError(
                .invalidValue, "A database needs at least one connection: set pool.maximumConnections to 1 or more.")
        }
        if let depth = configuration.loading.defaultDepth, depth < 0 {
            throw DatabaseError(
                .invalidValue,
                "A load follows 0 levels of relations or more: set loading.defaultDepth to that, not to \(depth).")
        }
        if let maximum = configuration.loading.maximumObjects, maximum < 1 {
            throw DatabaseError(
                .invalidValue, "A load brings objects: set loading.maximumObjects to 1 or more, not to \(maximum).")
        }
        id = DatabaseID()
        (controlStatements, statementTexts, warnings) = (ControlStatements(), StatementTexts(), GivenWarnings())
        (migrationLock, streamTasks, observations) = (AsyncLock(), StreamTasks(), Observations())
        (notificationListener, services, state) = (NotificationListener(), DatabaseServices(), DatabaseState())
        (plans, scopedPlans, root) = (PlanSet(), ScopedPlans(), nil)
        let configuration = configuration.withBoundedTimes
        self.configuration = configuration
        let driver = try configuration.makeDriver(configuration)
        self.driver = driver
        let target = driver.telemetryTarget
        observer = StatementObserver(configuration, target)
        var dialect = driver.dialect
        if configuration.expiry.clock != nil { dialect.timePosition = 0 }
        self.dialect = dialect
        looseTables = LooseTables(dialect)
        guard configuration.expiry.clock == nil || dialect.timePosition != nil else {
            await driver.shutdown()
            throw DatabaseError(
                .unsupported, "The driver takes the time from no clock but the engine's: the configuration has one.")
        }
        func pool(_ role: ConnectionRole, _ maximum: Int, _ suffix: String = "") -> ConnectionPool {
            ConnectionPool(
                maximum: maximum, checkoutTimeout: configuration.pool.checkoutTimeout,
                idleTimeout: configuration.pool.idleTimeout,
                maximumLifetime: configuration.pool.maximumConnectionLifetime,
                isOfOneWriter: role == .write && driver.sharing == .singleWriter,
                logger: configuration.telemetry.logger, metrics: PoolMetrics(pool: target.poolName + suffix),
                connect: {
                    let connection = try await driver.connect(role)
                    guard let clock = configuration.expiry.clock else { return connection }
                    return ClockedConnection(connection, clock)
                })
        }
        switch driver.sharing {
        case .any:
            writers = pool(.write, configuration.pool.maximumConnections)
            readers = writers
        case .singleWriter:
            writers = pool(.write, 1, "#write")
            readers = pool(.read, configuration.pool.maximumConnections, "#read")
        }
        do {
            let lease = try await Self.firstLease(of: writers, configuration)
            var capabilities = lease.connection.capabilities
            capabilities.looksIntoDocuments = driver.dialect.documents != nil
            capabilities.searchesText = driver.dialect.search.map { $0.obstacle == nil } ?? false
            self.capabilities = capabilities
            lease.release()
            try capabilities.requireAll()
        } catch {
            await writers.close()
            await driver.shutdown()
            throw error
        }
    }

    /// The same database for those who see other rows of types with scopes.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` if the driver's dialect can't carry what they see.
    init(_ other: DatabaseCore, seeing view: ScopeView) throws {
        var dialect = other.dialect
        dialect.scopes = view
        guard dialect.scopes == view else {
            throw DatabaseError(.unsupported, "The driver takes no values of scopes, and ignores none.")
        }
        self.dialect = dialect
        (id, configuration, driver, capabilities) = (other.id, other.configuration, other.driver, other.capabilities)
        (controlStatements, statementTexts) = (other.controlStatements, other.statementTexts)
        (warnings, observer, migrationLock) = (other.warnings, other.observer, other.migrationLock)
        (streamTasks, observations, services) = (other.streamTasks, other.observations, other.services)
        (notificationListener, state) = (other.notificationListener, other.state)
        (writers, readers, scopedPlans) = (other.writers, other.readers, other.scopedPlans)
        looseTables = other.looseTables
        plans = other.scopedPlans.plans(for: view)
        root = other.root ?? other
    }

    /// The dialect that queries are written in.
    var queryDialect: any Dialect {
        var dialect = looseTables.dialect
        if root != nil { dialect.scopes = self.dialect.scopes }
        return dialect
    }

    /// Lends the first connection, and waits for a server that is still starting as long as the configuration says.
    private static func firstLease(
        of pool: ConnectionPool, _ configuration: DatabaseConfiguration
    ) async throws -> Lease {
        let deadline = PoolClock.now + configuration.timeouts.start
        var pause = Duration.milliseconds(100)
        while true {
            do {
                return try await pool.lease(purpose: "open")
            } catch let error as DatabaseError where error.code == .cannotConnect || error.code == .connectionLost {
                let rest = deadline - PoolClock.now
                guard rest > .zero else { throw error }
                configuration.telemetry.logger.info(
                    "The database can't be reached yet; it is tried again.", metadata: ["code": "\(error.code)"])
                // Not all that wait for one server at the same instants.
                let part = Double.random(in: 0.5...1)
                do { try await Task.sleep(for: min(pause * part, rest)) } catch {
                    throw DatabaseError(.cancelled, "The task was cancelled while it waited for the database.")
                }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    /// Refuses new work, waits for what is under way, and closes every connection.
    func close() async {
        state.closing.store(true, ordering: .relaxed)
        observations.close()
        observations.publishUnknown()
        await services.close()
        await notificationListener.close()
        if readers !== writers { await readers.close() }
        await writers.close()
        await driver.shutdown()
    }

    /// Closes as ``close()`` does, but waits no longer than `limit` for what is under way: then that is stopped.
    ///
    /// An operation that does not end even then is left to itself: a closure that goes on without the database, or a
    /// statement whose server does not answer. Its connection is closed as soon as it ends.
    func close(within limit: Duration) async {
        state.closing.store(true, ordering: .relaxed)
        let (ended, end) = AsyncStream<Void>.makeStream()
        Task.detached { [self] in
            await close()
            end.finish()
        }
        let deadline = Task.detached { [self] in
            // Sleeping throws only where the task is cancelled, here and below: once all is closed.
            guard (try? await Task.sleep(for: limit.bounded)) != nil else { return }
            state.givesUp.store(true, ordering: .relaxed)
            for _ in 0..<Self.interruptions {
                writers.giveUp()
                if readers !== writers { readers.giveUp() }
                guard (try? await Task.sleep(for: Self.interruptionInterval)) != nil else { return }
            }
            configuration.telemetry.logger.info(
                "A database was closed while some of its connections were still in use.")
            end.finish()
        }
        // Detached: cancelling who closes does not shorten it.
        await Task.detached { for await _ in ended {} }.value
        deadline.cancel()
    }

    /// How often what is under way is stopped before it is left to itself.
    private static let interruptions = 40
    private static let interruptionInterval = Duration.milliseconds(25)

    /// Whether nothing more is run, since the database was closed and its deadline has passed.
    var hasGivenUp: Bool { state.givesUp.load(ordering: .relaxed) }

    /// Whether ``close()`` was called.
    var isClosing: Bool { state.closing.load(ordering: .relaxed) }

    /// How many connections there can be that write.
    var writerCount: Int { driver.sharing == .singleWriter ? 1 : configuration.pool.maximumConnections }

    /// How the pools stand.
    var poolStatistics: PoolStatistics {
        readers === writers ? writers.statistics : writers.statistics.adding(readers.statistics)
    }

    /// Whether anyone waits for a connection to read with.
    var hasWaitingReaders: Bool { readers.waiterCount > 0 }

    func lease(_ role: ConnectionRole, purpose: LeasePurpose) async throws -> Lease {
        try CurrentLease.check(id)
        return try await pool(role).lease(purpose: purpose)
    }

    /// The pool whose connections are used for `role`.
    func pool(_ role: ConnectionRole) -> ConnectionPool { role == .write ? writers : readers }

    /// Whether it is time for a task to suspend itself that has not had to: one that never does keeps its actor from
    /// everybody else, also from whoever would cancel it.
    var isTimeToYield: Bool { state.immediateRuns.add(1, ordering: .relaxed).newValue % 512 == 0 }
}
