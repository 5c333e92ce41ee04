/// An operation of a worker, as its journal tells of it.
struct Operation: Hashable {
    /// How the operation changes the ledger.
    enum Kind: String, CaseIterable {
        /// Saves one new entry.
        case insert
        /// Saves so few new entries that they go one by one.
        case insertSome
        /// Saves so many new entries that they go in bulk.
        case insertMany
        /// Inserts one entry by SQL of the caller's.
        case insertBySQL
        /// Moves an amount between two accounts, which it reads, changes and saves, in one transaction with an entry.
        case transfer
        /// Moves an amount by two updates and saves an entry, in one transaction with a savepoint that fails.
        case transferByUpdate
        /// Deletes an entry of an earlier operation.
        case delete
        /// Adds 1 to the worker's tally.
        case tally
        /// Sets the worker's mark to the number of the operation, by saving an object.
        case mark

        /// How many entries the operation inserts.
        var entryCount: Int {
            switch self {
            case .insert, .insertBySQL, .transfer, .transferByUpdate: 1
            case .insertSome: 3
            case .insertMany: 80
            case .delete, .tally, .mark: 0
            }
        }
    }

    /// The worker that runs the operation, by a name that no other worker of any process has.
    let worker: String
    /// The position of the operation among those of its worker.
    let number: Int
    let kind: Kind
    /// The number of the operation whose entry is deleted; otherwise that of the operation itself.
    let subject: Int

    /// The names of the entries that the operation inserts or deletes.
    var entries: [String] {
        let first = Self.entry(of: worker, subject)
        if kind == .delete { return [first] }
        return (0..<kind.entryCount).map { $0 == 0 ? first : "\(first)+\($0)" }
    }

    static func entry(of worker: String, _ number: Int) -> String { "\(worker)-\(number)" }
    static func tally(of worker: String) -> String { "tally-\(worker)" }
    static func mark(of worker: String) -> String { "mark-\(worker)" }

    /// The accounts that all workers of all processes move amounts between.
    static let accounts = (0..<20).map { "account-\($0)" }
}
