import Foundation
import Holdfast

/// Runs one operation after the other, some of which are cancelled, and tells the journal what it was told.
final class Worker {
    private let name: String
    private let db: Database
    private let journal: Journal
    private var random: SeededRandom
    private var number = 0
    /// Operations whose entry is there.
    private var inserted: [Int] = []
    private let mark: Counter

    init(name: String, db: Database, journal: Journal, seed: UInt64) {
        self.name = name
        self.db = db
        self.journal = journal
        random = SeededRandom(seed: seed)
        mark = Counter(id: Operation.mark(of: name))
    }

    /// Runs an operation; one that failed is now and then tried again, with the same objects.
    func work() async throws {
        number += 1
        var kind = Operation.Kind.allCases.randomElement(using: &random) ?? .insert
        if kind == .delete, inserted.isEmpty { kind = .insert }
        let subject = kind == .delete ? inserted.remove(at: Int.random(in: inserted.indices, using: &random)) : number
        let operation = Operation(worker: name, number: number, kind: kind, subject: subject)
        let entries = operation.entries.map { Entry(id: $0, amount: Int.random(in: 1...100, using: &random)) }
        for _ in 0..<3 {
            try journal.note(operation, .begun)
            let outcome = try await attempt(operation, entries)
            if outcome == .done {
                if kind == .insert || kind == .insertBySQL { inserted.append(number) }
                return
            }
            if outcome == .unknown || Bool.random(using: &random) { return }
        }
    }

    private func attempt(_ operation: Operation, _ entries: [Entry]) async throws -> Journal.Outcome {
        let delay = Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: 0...30_000, using: &random) : nil
        do {
            try await cancelled(after: delay) { [self] in try await perform(operation, entries) }
            try journal.note(operation, .done)
            return .done
        } catch let error as DatabaseError {
            let outcome: Journal.Outcome = error.code == .commitOutcomeUnknown ? .unknown : .failed
            try journal.note(operation, outcome, "\(error.code) \(error.engineCode ?? "-")")
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
            return outcome
        }
    }

    /// Runs `body` in a task that is cancelled after so many microseconds; in this one where nil.
    private func cancelled(
        after delay: Int?, _ body: @escaping () async throws -> Void
    ) async throws {
        guard let delay else { return try await body() }
        // Unchecked: this task does nothing but wait for the other.
        struct Box: @unchecked Sendable { let body: () async throws -> Void }
        let box = Box(body: body)
        let task = Task { try await box.body() }
        try? await Task.sleep(for: .microseconds(delay))
        task.cancel()
        try await task.value
    }

    // MARK: Operations

    private func perform(_ operation: Operation, _ entries: [Entry]) async throws {
        switch operation.kind {
        case .insert: try await db.save(entries[0])
        case .insertSome, .insertMany: try await db.save(entries)
        case .insertBySQL:
            let (id, amount) = (entries[0].id, entries[0].amount)
            try await db.sql("INSERT INTO \(Entry.self) (id, amount) VALUES (\(id), \(amount))").execute()
        case .transfer: try await transfer(entries[0])
        case .transferByUpdate: try await transferByUpdate(entries[0])
        case .delete:
            let id = entries[0].id
            let count = try await db.query(Entry.self).where { $0.id == id }.delete()
            if count == 0 { throw Failure(description: "The entry \(id), whose save was acknowledged, is gone.") }
        case .tally:
            let id = Operation.tally(of: name)
            let count = try await db.query(Counter.self).where { $0.id == id }.update { $0.value += 1 }
            if count != 1 { throw Failure(description: "The tally of \(name) is gone.") }
        case .mark:
            if mark.value == 0 { try await db.reload(mark) }
            mark.value = operation.number
            try await db.save(mark)
        }
    }

    private func choose(_ entry: Entry) -> (String, String) {
        let accounts = Operation.accounts.shuffled(using: &random)
        (entry.source, entry.target) = (accounts[0], accounts[1])
        return (accounts[0], accounts[1])
    }

    private func transfer(_ entry: Entry) async throws {
        let (sourceID, targetID) = choose(entry)
        try await db.transaction { tx in
            guard let source = try await tx.find(Counter.self, key: sourceID),
                let target = try await tx.find(Counter.self, key: targetID)
            else { throw Failure(description: "An account is gone.") }
            source.value -= entry.amount
            target.value += entry.amount
            try await tx.save([source, target])
            try await tx.save(entry)
        }
    }

    private func transferByUpdate(_ entry: Entry) async throws {
        let (sourceID, targetID) = choose(entry)
        try await db.transaction(isolation: .readCommitted) { tx in
            try await tx.query(Counter.self).where { $0.id == sourceID }.update { $0.value -= entry.amount }
            struct Undone: Error {}
            do {
                try await tx.transaction { nested in
                    try await nested.query(Counter.self).where { $0.id == targetID }.update { $0.value += 1_000_000 }
                    throw Undone()
                }
            } catch is Undone {}
            try await tx.query(Counter.self).where { $0.id == targetID }.update { $0.value += entry.amount }
            try await tx.insert(entry)
        }
    }
}

/// Random numbers that a seed determines: SplitMix64, by Guy Steele, Doug Lea and Christine Flood (2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
