/// The state of a database's connections at one moment, for metrics, health checks, and the error of a checkout
/// timeout.
///
/// ```swift
/// let pool = db.poolStatistics
/// if pool.waiting > 0 { logger.warning("\(pool)") }
/// // 4 of at most 4 connections are in use (transaction at App/Import.swift:7 for 31.2 s, and 3 more)
/// ```
public struct PoolStatistics: Sendable, CustomStringConvertible {
    /// A connection in use.
    public struct Holder: Sendable, CustomStringConvertible {
        let purpose: LeasePurpose
        /// The time for which it has been in use.
        public let duration: Duration

        /// The operation that uses it: `transaction`, `stream`, `save`.
        public var operation: String { "\(purpose.name)" }
        /// The file and line that called the operation, `App/Import.swift:7`; nil for operations of the library itself.
        public var callSite: String? { purpose.site?.description }

        /// The holder in words: `transaction at App/Import.swift:7 for 31.2 s`.
        public var description: String { "\(purpose) for \(PoolStatistics.seconds(duration))" }
    }

    /// How many holders are named: those that hold for longest are the ones to look at.
    static let namedHolders = 3

    /// The greatest number of connections there can be; on SQLite, that of readers, and one that writes.
    public internal(set) var maximum: Int
    /// The number of connections that nobody uses.
    public internal(set) var idle: Int
    /// The number of connections that are being opened.
    public internal(set) var opening: Int
    /// The number of connections that are being closed.
    public internal(set) var closing: Int
    /// The number of operations that wait for a connection.
    public internal(set) var waiting: Int
    /// The connections in use, those that have been for longest first.
    public internal(set) var holders: [Holder]
    /// The code of the latest attempt to open a connection, if that failed.
    public internal(set) var openFailure: DatabaseError.Code?

    /// Whether there is one connection by design, which writes, whatever the configuration allows.
    var isOfOneWriter = false
    /// The reason of ``openFailure``.
    var openFailureMessage: String?

    /// The number of connections in use.
    public var inUse: Int { holders.count }

    /// The connections of two pools together.
    func adding(_ other: PoolStatistics) -> PoolStatistics {
        var sum = self
        let (maximum, isBeyond) = maximum.addingReportingOverflow(other.maximum)
        sum.maximum = isBeyond ? .max : maximum
        sum.idle += other.idle
        sum.opening += other.opening
        sum.closing += other.closing
        sum.waiting += other.waiting
        sum.holders = (holders + other.holders).inOrder { $0.duration > $1.duration }
        sum.openFailure = openFailure ?? other.openFailure
        sum.openFailureMessage = openFailureMessage ?? other.openFailureMessage
        sum.isOfOneWriter = isOfOneWriter && other.isOfOneWriter
        return sum
    }

    /// The connections in use, who uses them, and how many operations wait, in a sentence.
    ///
    /// `4 of at most 4 connections are in use (transaction at App/Import.swift:7 for 31.2 s, and 3 more), 2 operations
    /// waiting`
    public var description: String { description(ofWaiting: "operations") }

    /// The same with another word for what waits.
    func description(ofWaiting operations: String) -> String {
        var text = "\(holders.count) of at most \(maximum) connections are in use"
        if !holders.isEmpty {
            var names = holders.prefix(Self.namedHolders).map(\.description)
            if holders.count > names.count { names.append("and \(holders.count - names.count) more") }
            text += " (\(names.joined(separator: ", ")))"
        }
        if waiting > 0 { text += ", \(waiting) \(waiting == 1 ? String(operations.dropLast()) : operations) waiting" }
        if opening > 0 { text += ", \(opening) being opened" }
        if closing > 0 { text += ", \(closing) being closed" }
        if let openFailure {
            let reason = openFailureMessage.map { ": \($0)" } ?? ""
            text += ", and the latest attempt to open one failed (\(openFailure)\(reason))"
        }
        return text
    }

    /// `duration` in seconds, or below one second in milliseconds: `31.2 s`, `250 ms`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        guard milliseconds >= 1000 else { return "\(Int(milliseconds.rounded())) ms" }
        let tenths = Int64((milliseconds / 100).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
