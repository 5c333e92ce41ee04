import Synchronization

/// A reference that is set once, by whoever comes first.
///
/// `AtomicLazyReference` is one too, but each read of it asks the runtime for the type of its instance.
struct OnceReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    private let reference = Atomic<Unmanaged<Instance>?>(nil)

    deinit { reference.load(ordering: .acquiring)?.release() }

    /// The instance, or nil before it is set.
    var value: Instance? {
        @inline(__always) get { reference.load(ordering: .acquiring)?.takeUnretainedValue() }
    }

    /// Sets it, unless that was done already, and returns what it is set to.
    func set(_ instance: Instance) -> Instance {
        let new = Unmanaged.passRetained(instance)
        let (isSet, other) = reference.compareExchange(
            expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !isSet, let other else { return instance }
        new.release()
        return other.takeUnretainedValue()
    }
}
