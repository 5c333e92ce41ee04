import Synchronization

/// What is known of an open database by all who use it, whatever rows they see.
final class DatabaseState: Sendable {
    let closing = Atomic<Bool>(false)
    let givesUp = Atomic<Bool>(false)
    let immediateRuns = Atomic<Int>(0)
}

/// The plan of each type, as those have it who see the same rows: a `MappingPlan` of that very type.
final class PlanSet: Sendable {
    private let plans = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    subscript(key: ObjectIdentifier) -> (any AnyObject & Sendable)? { plans.withLock { $0[key] } }

    /// Adds a plan, unless there is one already.
    ///
    /// - Returns: The one that is there.
    func add(_ plan: any AnyObject & Sendable, for key: ObjectIdentifier) -> any AnyObject & Sendable {
        plans.withLock { plans in
            if let other = plans[key] { return other }
            plans[key] = plan
            return plan
        }
    }
}

/// The plans for those who see other rows, such as each of the tenants that were there of late.
final class ScopedPlans: Sendable {
    private static let capacity = 256
    private let sets = Mutex(RecentlyUsed<ScopeView, PlanSet>(capacity: capacity))

    func plans(for view: ScopeView) -> PlanSet {
        sets.withLock { sets in
            if let known = sets.value(for: view) { return known }
            let new = PlanSet()
            _ = sets.removeOldest()
            sets.insert(new, for: view)
            return new
        }
    }
}
