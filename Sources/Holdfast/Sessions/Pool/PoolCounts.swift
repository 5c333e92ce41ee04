/// The numbers of a pool that metrics tell of.
struct PoolCounts: Equatable, Sendable {
    var idle = 0
    var used = 0
    var waiting = 0

    static func - (counts: PoolCounts, earlier: PoolCounts) -> PoolCounts {
        PoolCounts(
            idle: counts.idle - earlier.idle, used: counts.used - earlier.used,
            waiting: counts.waiting - earlier.waiting)
    }
}
