#if Telemetry
internal import CoreMetrics
#endif

/// Metrics of a pool of connections, by OpenTelemetry's semantic conventions for database clients.
struct PoolMetrics: Sendable {
    #if Telemetry
    private let idle: Meter
    private let used: Meter
    private let pending: Meter
    private let timeouts: Counter
    private let waitTime: Timer
    private let createTime: Timer
    #endif

    /// Returns nil if the program has installed no metrics.
    ///
    /// - Parameter name: The name of the pool, which no other pool of the program should have.
    init?(pool name: String) {
        #if Telemetry
        let factory = MetricsSystem.factory
        if factory is NOOPMetricsHandler { return nil }
        let dimensions = [("db.client.connection.pool.name", name)]
        func count(_ state: String) -> Meter {
            Meter(
                label: "db.client.connection.count",
                dimensions: dimensions + [("db.client.connection.state", state)], factory: factory)
        }
        func timer(_ label: String) -> Timer {
            Timer(label: label, dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
        }
        (idle, used) = (count("idle"), count("used"))
        pending = Meter(label: "db.client.connection.pending_requests", dimensions: dimensions, factory: factory)
        timeouts = Counter(label: "db.client.connection.timeouts", dimensions: dimensions, factory: factory)
        waitTime = timer("db.client.connection.wait_time")
        createTime = timer("db.client.connection.create_time")
        #else
        return nil
        #endif
    }

    /// Tells how the numbers of connections and requests have changed.
    ///
    /// As differences, since threads may come here in another order than they changed the pool.
    func note(_ change: PoolCounts) {
        #if Telemetry
        for (meter, difference) in [(idle, change.idle), (used, change.used), (pending, change.waiting)] {
            if difference > 0 { meter.increment(by: Double(difference)) }
            if difference < 0 { meter.decrement(by: Double(-difference)) }
        }
        #endif
    }

    /// Tells how long a request for a connection took that got one.
    func noteWait(_ duration: Duration) {
        #if Telemetry
        waitTime.recordNanoseconds(duration.nanoseconds)
        #endif
    }

    /// Tells how long opening a connection took.
    func noteOpened(after duration: Duration) {
        #if Telemetry
        createTime.recordNanoseconds(duration.nanoseconds)
        #endif
    }

    /// Tells that a request got no connection in time.
    func noteTimeout() {
        #if Telemetry
        timeouts.increment()
        #endif
    }
}
