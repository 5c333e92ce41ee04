import Synchronization

/// Keeps the statistics of the shapes of statements that took longest in all.
final class StatementRecorder: Sendable {
    /// What makes statements one shape.
    fileprivate struct Key: Hashable {
        let sql: String
        let operation: String?
    }

    fileprivate struct Entry {
        var table: String?
        var failureCount = 0
        var rowCount = 0
        var total = Duration.zero
        var maximum = Duration.zero
        var histogram = DurationHistogram()
        var callSites: [(callSite: String, count: Int)] = []
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        var otherCount = 0
        var otherTotal = Duration.zero
    }

    /// How many call sites of a shape are told apart.
    private static let callSiteLimit = 4

    private let limit: Int
    private let showsValues: Bool
    private let state = Mutex(State())

    /// Returns nil if the configuration asks for no statistics.
    init?(_ configuration: DatabaseConfiguration) {
        guard configuration.telemetry.statementStatisticsLimit > 0 else { return nil }
        (limit, showsValues) = (configuration.telemetry.statementStatisticsLimit, configuration.telemetry.showsValues)
    }

    /// Counts a statement that has ended.
    func record(_ ended: EndedStatement) {
        let site = ended.purpose.site.map { "\($0)" }
        let key = Key(
            sql: ended.statement.shownText(showsValues: showsValues), operation: ended.operationName)
        state.withLock { state in
            var entry = state.entries.removeValue(forKey: key) ?? Entry(table: ended.statement.table)
            entry.add(ended, from: site, limit: Self.callSiteLimit)
            if state.entries.count >= limit { state.forgetFastest() }
            state.entries[key] = entry
        }
    }

    /// The statistics since the database was opened, or since they were reset.
    var statistics: StatementStatistics {
        state.withLock { state in
            StatementStatistics(
                shapes: state.entries.map { key, entry in entry.shape(key.sql, key.operation) }
                    .inOrder { $0.total > $1.total },
                otherCount: state.otherCount, otherTotal: state.otherTotal)
        }
    }

    func reset() { state.withLock { $0 = State() } }
}

extension StatementRecorder.State {
    /// Makes room for a shape: the one that took least in all is counted among the others.
    fileprivate mutating func forgetFastest() {
        guard let fastest = entries.min(by: { $0.value.total < $1.value.total }) else { return }
        entries[fastest.key] = nil
        otherCount += fastest.value.histogram.total
        otherTotal += fastest.value.total
    }
}

extension StatementRecorder.Entry {
    fileprivate mutating func add(_ ended: EndedStatement, from site: String?, limit: Int) {
        histogram.add(ended.duration)
        total += ended.duration
        maximum = max(maximum, ended.duration)
        rowCount += ended.rows?.total ?? 0
        if ended.error != nil { failureCount += 1 }
        guard let site else { return }
        if let index = callSites.firstIndex(where: { $0.callSite == site }) {
            callSites[index].count += 1
        } else if callSites.count < limit {
            callSites.append((site, 1))
        }
    }

    fileprivate func shape(_ sql: String, _ operation: String?) -> StatementStatistics.Shape {
        StatementStatistics.Shape(
            sql: sql, operation: operation, table: table, count: histogram.total, failureCount: failureCount,
            rowCount: rowCount, total: total, maximum: maximum, p99: min(histogram.quantile(0.99), maximum),
            callers: callSites.inOrder { $0.count > $1.count }.map { .init(callSite: $0.callSite, count: $0.count) })
    }
}
