import Dispatch

/// An actor with a queue of its own, so that code can tell whether it runs there.
package actor QueueActor {
    package nonisolated let executor = QueueExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init() {}
}

/// Runs what it is given on a queue.
package final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "holdfast.conformance")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    /// Whether the code that asks runs here.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
