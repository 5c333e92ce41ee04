import Synchronization

/// An identity of an open database, unique while the process lives.
///
/// Not an object identifier: those are used again, and a mark can outlive its database.
struct DatabaseID: Hashable, Sendable {
    private static let last = Atomic<Int>(0)

    private let number: Int

    /// Makes one that no other database has.
    init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}

/// The mark that the current task works inside a closure which holds a lease.
///
/// A task that is started inside the closure inherits the mark and may outlive the closure, so the mark does not
/// keep the lease, and counts only while the lease lives.
struct HeldLease: Sendable {
    let database: DatabaseID
    private weak let lease: Lease?

    init(_ lease: Lease, of database: DatabaseID) {
        self.database = database
        self.lease = lease
    }

    /// The lease, if it has not ended.
    var liveLease: Lease? { lease.flatMap { $0.isLive ? $0 : nil } }
}

/// Guards against using a database inside the closure of its own transaction, which could wait for itself for ever.
enum CurrentLease {
    /// The leases that the closures around the current task hold, the outermost first.
    @TaskLocal static var held: [HeldLease] = []

    /// Whether a closure around the current task holds a lease, of whatever database.
    static var isHeld: Bool { held.contains { $0.liveLease != nil } }

    /// Refuses the use of `database` where a closure around the current task holds one of its leases.
    ///
    /// - Throws: ``DatabaseError/Code/nestedCheckout``.
    static func check(_ database: DatabaseID) throws {
        let held = held
        guard !held.isEmpty else { return }
        for mark in held.reversed() where mark.database == database {
            guard let lease = mark.liveLease else { continue }
            throw DatabaseError(
                .nestedCheckout,
                "The database was used inside the closure of its own \(lease.purpose), which holds a connection. "
                    + "Use the `Transaction` that the closure was given.")
        }
    }

    /// Runs `operation` with the mark that it holds `lease`.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    static func holding<Output>(
        _ lease: Lease,
        of database: DatabaseID,
        operation: nonisolated(nonsending) () async throws -> Output
    ) async rethrows -> Output {
        let live = held.filter { $0.liveLease != nil }
        return try await $held.binding(live + [HeldLease(lease, of: database)], operation)
    }
}
