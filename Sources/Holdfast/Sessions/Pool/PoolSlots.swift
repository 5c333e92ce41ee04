/// The slots of a pool for its connections, and the state of each.
///
/// A slot is taken from the decision to open a connection until the connection is closed: the maximum is a promise
/// about what the server sees. Each method is one step of that life; a step that does not follow from the last one
/// is refused, so that no connection is leased twice.
struct PoolSlots<Connection: Sendable>: Sendable {
    private enum Phase {
        case free, opening, idle, leased, closing
    }

    private struct Slot {
        var phase = Phase.opening
        var connection: Connection?
        /// The purpose of the last lease.
        var purpose: LeasePurpose = ""
        /// When it was leased or became idle.
        var since = Duration.zero
        /// When it has lived for long enough.
        var end = Duration.zero
    }

    /// The greatest number of connections; at least 1.
    let maximum: Int

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// The idle ones, those that have been idle for longest first.
    private var idle: [Int] = []

    private(set) var leasedCount = 0
    private(set) var openingCount = 0
    private(set) var closingCount = 0

    init(maximum: Int) { self.maximum = max(maximum, 1) }

    var idleCount: Int { idle.count }

    var isEmpty: Bool { free.count == slots.count }

    /// Since when the one that has been idle for longest is.
    var oldestIdle: Duration? { idle.first.map { slots[$0].since } }

    /// When the first of those that are idle has lived for long enough.
    var firstEnd: Duration? { idle.lazy.map { slots[$0].end }.min() }

    /// When a connection has lived for long enough.
    func end(of slot: Int) -> Duration { slots.indices.contains(slot) ? slots[slot].end : .zero }

    /// Whether a connection has lived for long enough.
    func isOld(_ slot: Int, now: Duration) -> Bool { end(of: slot) <= now }

    /// Takes a slot for a connection to be opened; nil if all are taken.
    mutating func open() -> Int? {
        let slot: Int
        if let last = free.popLast() {
            slot = last
            slots[slot].phase = .opening
        } else if slots.count < maximum {
            slot = slots.count
            slots.append(Slot())
        } else {
            return nil
        }
        openingCount += 1
        return slot
    }

    /// A connection was opened, and is leased or idle from now on.
    ///
    /// - Parameter end: When it has lived for long enough.
    mutating func opened(
        _ slot: Int, _ connection: Connection, for purpose: LeasePurpose?, until end: Duration, now: Duration
    ) -> Bool {
        guard leave(.opening, slot) else { return false }
        slots[slot].connection = connection
        slots[slot].end = end
        enter(slot, purpose, now: now)
        return true
    }

    /// A connection could not be opened.
    mutating func openFailed(_ slot: Int) -> Bool {
        guard leave(.opening, slot) else { return false }
        vacate(slot)
        return true
    }

    /// Leases the connection that has been idle for the shortest time.
    mutating func leaseIdle(for purpose: LeasePurpose, now: Duration) -> (slot: Int, connection: Connection)? {
        guard let slot = idle.popLast(), let connection = slots[slot].connection else { return nil }
        enter(slot, purpose, now: now)
        return (slot, connection)
    }

    /// A leased connection came back, and is leased again or idle from now on.
    ///
    /// - Returns: The connection; nil if it was not leased.
    mutating func passOn(_ slot: Int, to purpose: LeasePurpose?, now: Duration) -> Connection? {
        guard leave(.leased, slot) else { return nil }
        enter(slot, purpose, now: now)
        return slots[slot].connection
    }

    /// A leased connection came back, and is to be closed.
    mutating func closeLeased(_ slot: Int) -> Connection? {
        leave(.leased, slot) ? close(slot) : nil
    }

    /// The connections that have been idle since `limit` or longer are to be closed; all of them if it is nil.
    mutating func closeIdle(since limit: Duration?) -> [(slot: Int, connection: Connection)] {
        let expired = idle.prefix { slot in
            limit.map { slots[slot].since <= $0 } ?? true
        }
        idle.removeFirst(expired.count)
        return expired.compactMap { slot in close(slot).map { (slot, $0) } }
    }

    /// The idle connections that have lived for long enough are to be closed.
    mutating func closeOld(now: Duration) -> [(slot: Int, connection: Connection)] {
        let old = idle.filter { isOld($0, now: now) }
        if old.isEmpty { return [] }
        idle.removeAll(where: old.contains)
        return old.compactMap { slot in close(slot).map { (slot, $0) } }
    }

    /// A connection was closed.
    mutating func closed(_ slot: Int) -> Bool {
        guard leave(.closing, slot) else { return false }
        vacate(slot)
        return true
    }

    /// The connections that are in use.
    var leasedConnections: [Connection] { slots.filter { $0.phase == .leased }.compactMap(\.connection) }

    /// The holders of connections, in the order in which they got them.
    func holders(now: Duration) -> [PoolStatistics.Holder] {
        slots.filter { $0.phase == .leased }
            .map { PoolStatistics.Holder(purpose: $0.purpose, duration: now - $0.since) }
            .inOrder { $0.duration > $1.duration }
    }
}

extension PoolSlots {
    private mutating func leave(_ phase: Phase, _ slot: Int) -> Bool {
        guard slots.indices.contains(slot), slots[slot].phase == phase else { return false }
        switch phase {
        case .opening: openingCount -= 1
        case .leased: leasedCount -= 1
        case .closing: closingCount -= 1
        case .free, .idle: break
        }
        return true
    }

    private mutating func enter(_ slot: Int, _ purpose: LeasePurpose?, now: Duration) {
        slots[slot].since = now
        if let purpose {
            slots[slot].phase = .leased
            slots[slot].purpose = purpose
            leasedCount += 1
        } else {
            slots[slot].phase = .idle
            idle.append(slot)
        }
    }

    private mutating func close(_ slot: Int) -> Connection? {
        slots[slot].phase = .closing
        closingCount += 1
        return slots[slot].connection.take()
    }

    private mutating func vacate(_ slot: Int) {
        slots[slot].phase = .free
        free.append(slot)
    }
}
