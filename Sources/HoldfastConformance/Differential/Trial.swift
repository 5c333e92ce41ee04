import Holdfast

/// A random sequence of operations on a database and on a model of it in memory: the same for the same seed.
protocol Trial {
    /// The model of what the database holds.
    associatedtype World

    /// How many operations come together at most.
    static var longest: Int { get }
    var generator: SplitMix64 { get set }
    var world: World { get set }
    /// The operations since the last comparison.
    var log: [String] { get set }
    var operationCount: Int { get set }

    /// Does something at random, in the database and in the model.
    mutating func operate(_ context: some DatabaseContext) async throws
    /// Compares everything that is in the database with the model.
    func compare(_ db: Database) async throws
}

/// A failure that a sequence brings about itself, to roll back.
private struct RolledBack: Error {}

extension Trial {
    /// Runs a transaction of some operations, which is kept or rolled back; or the operations by themselves.
    mutating func transact(_ db: Database) async throws {
        log = []
        let count = Int.random(in: 1...Self.longest, using: &generator)
        let before = world
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: for _ in 0..<count { try await operateAndCount(db) }
        case 5..<8:
            log.append("transaction")
            try await db.transaction { tx in try await operate(tx, count: count) }
        default:
            log.append("transaction that rolls back")
            do {
                try await db.transaction { tx in
                    try await operate(tx, count: count)
                    throw RolledBack()
                }
            } catch is RolledBack {
                world = before
            }
        }
    }

    private mutating func operate(_ transaction: Transaction, count: Int) async throws {
        for _ in 0..<count {
            guard Int.random(in: 0..<4, using: &generator) == 0 else {
                try await operateAndCount(transaction)
                continue
            }
            let before = world
            let fails = Bool.random(using: &generator)
            log.append(fails ? "savepoint that rolls back" : "savepoint")
            do {
                try await transaction.transaction { nested in
                    try await operateAndCount(nested)
                    try await operateAndCount(nested)
                    if fails { throw RolledBack() }
                }
            } catch is RolledBack {
                world = before
            }
        }
    }

    private mutating func operateAndCount(_ context: some DatabaseContext) async throws {
        operationCount += 1
        try await operate(context)
    }
}
