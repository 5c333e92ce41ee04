import ArgumentParser
import Foundation
import Holdfast

/// Writes for some time with many tasks: by objects, queries and SQL, in short and in long transactions, some of which
/// are rolled back.
struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write at random.")

    @OptionGroup var options: Changes.Options
    @Option(help: "The number of tasks that write.") var writers = 32
    @Option(help: "The milliseconds that a writer rests between transactions, at most.") var pause = 20

    func run() async throws {
        let total = try await options.withDatabase(connections: writers) { db in
            let end = ContinuousClock.now + .seconds(options.seconds)
            return try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        var random = Random(state: options.seed &* 1_000_003 &+ UInt64(writer))
                        var count = 0
                        while ContinuousClock.now < end {
                            count += try await transact(db, &random)
                            try await Task.sleep(for: .milliseconds(Int.random(in: 0...pause, using: &random)))
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        print("\(total) transactions committed")
    }

    private struct RolledBack: Error {}

    /// One transaction, which may fail as transactions do.
    private func transact(_ db: Database, _ random: inout Random) async throws -> Int {
        var steps = random
        defer { _ = random.next() }
        do {
            try await db.transaction { tx in
                let isLong = Int.random(in: 0..<20, using: &steps) == 0
                for _ in 0..<Int.random(in: 1...3, using: &steps) {
                    try await step(tx, &steps)
                    if isLong { try await Task.sleep(for: .milliseconds(Int.random(in: 20...400, using: &steps))) }
                }
                if Int.random(in: 0..<10, using: &steps) == 0 { throw RolledBack() }
            }
            return 1
        } catch is RolledBack {
            return 0
        } catch let error as DatabaseError where Self.isExpected(error.code) {
            return 0
        }
    }

    private static func isExpected(_ code: DatabaseError.Code) -> Bool {
        let codes: [DatabaseError.Code] = [
            .serializationFailure, .deadlock, .lockTimeout, .commitOutcomeUnknown, .connectionLost, .cannotConnect,
            .poolTimeout, .transactionAborted, .notFound,
        ]
        return codes.contains(code)
    }

    private func step(_ tx: Transaction, _ random: inout Random) async throws {
        let id = Int64.random(in: 1...64, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
            try await tx.query(Counter.self).where { $0.id == id }.update { $0.value.set($0.value.current + 1) }
        case 3, 4: try await tx.sql("UPDATE counter SET value = value + 1 WHERE id = \(id)").execute()
        case 5:
            try await tx.sql("UPDATE counter SET value = value + 1 WHERE id BETWEEN \(id) AND \(id + 4)").execute()
        case 6, 7:
            let items = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                Item(id: UUID(), shelf: Int.random(in: 0..<10, using: &random))
            }
            _ = try await tx.save(items)
        case 8:
            let shelf = Int.random(in: 0..<10, using: &random)
            let items = try await tx.query(Item.self).where { $0.shelf == shelf }.limit(15).fetch()
            for item in items { try await tx.delete(item) }
        default:
            let shelf = Int.random(in: 0..<10, using: &random)
            try await tx.query(Item.self).where { $0.shelf == shelf }.update { $0.shelf.set((shelf + 1) % 10) }
        }
    }
}

/// Random numbers from a seed: SplitMix64 (Steele, Lea, Flood, 2014).
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
