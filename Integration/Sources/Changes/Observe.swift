import ArgumentParser
import Foundation
import Holdfast
import Logging
import Synchronization

/// Writes objects one by one while queries of the same process are observed, and tells what that costs.
struct Observe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write, with some numbers of observers in turn.")

    @OptionGroup var options: Changes.Options
    @Option(help: "Numbers of observers, each of a shelf of its own, tried in turn.") var observers: [Int] = [
        0, 1, 1_000,
    ]
    @Option(help: "How often each number is tried.") var rounds = 3
    @Option(help: "The milliseconds between two writes.") var pause = 0
    @Flag(help: "Count the queries of observers, which makes each write slower.") var counting = false
    @Flag(help: "Listen, read the log and keep a list as well, and never read what one listener hears.") var all = false

    func run() async throws {
        let queries = QueryCounter()
        try await options.withDatabase(connections: 8, logger: counting ? queries.logger : nil) { db in
            var random = Random(state: options.seed)
            var items: [Item] = []
            let others = all ? try await watchOtherwise(db) : []
            let stalled = all ? db.events(of: Item.self, buffer: 100) : nil
            defer {
                withExtendedLifetime(stalled) {}
                for task in others { task.cancel() }
            }
            for round in 1...rounds {
                if all { try await db.trimChanges(keeping: 10_000) }
                for count in observers {
                    let shelves = (0..<count).map(Shelf.init)
                    let tasks = shelves.map { shelf in Task { try await shelf.run(db) } }
                    while shelves.contains(where: { $0.results == 0 }) { try await Task.sleep(for: .milliseconds(20)) }
                    // The first look at the log has everybody look again.
                    try await Task.sleep(for: .milliseconds(500 + 3 * count))
                    let before = (asked: queries.count, results: shelves.map(\.results).reduce(0, +))
                    let (writes, seconds) = try await write(db, &items, shelves: max(count, 1), &random)
                    try await settle(shelves, db)
                    let asked = counting ? "\(queries.count - before.asked)" : "(not counted)"
                    let results = shelves.map(\.results).reduce(0, +) - before.results
                    for task in tasks { task.cancel() }
                    for task in tasks { try? await task.value }
                    print(
                        "round \(round), \(count) observers: \(writes) writes, "
                            + String(format: "%.1f µs each", seconds / Double(writes) * 1_000_000)
                            + "; asked \(asked) times for \(results) results; \(Process.state)")
                }
            }
        }
    }

    /// Watches in all other ways.
    private func watchOtherwise(_ db: Database) async throws -> [Task<Void, any Error>] {
        [
            Task { for try await _ in db.events(of: Item.self) {} },
            Task { for try await _ in db.changes(of: Item.self) {} },
            Task {
                let list = try await db.query(Item.self).where { $0.shelf < 100 }.liveResults(batch: 20)
                while try await list.nextChange() != nil { _ = try await list.object(at: list.count / 2) }
            },
        ]
    }

    /// Writes for some time: insertions, updates and deletions, on all shelves.
    private func write(
        _ db: Database, _ items: inout [Item], shelves: Int, _ random: inout Random
    ) async throws -> (writes: Int, seconds: Double) {
        let end = ContinuousClock.now + .seconds(options.seconds)
        var (writes, busy) = (0, Duration.zero)
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            // A thousand items or so.
            let canInsert = items.count < 1_100
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where canInsert, 1 where canInsert:
                let item = Item(id: UUID(), shelf: Int.random(in: 0..<shelves, using: &random))
                _ = try await db.save(item)
                items.append(item)
            case 2:
                guard let index = items.indices.randomElement(using: &random) else { continue }
                items[index].shelf = Int.random(in: 0..<shelves, using: &random)
                _ = try await db.save(items[index])
            default:
                guard items.count > 900, let index = items.indices.randomElement(using: &random) else { continue }
                try await db.delete(items.remove(at: index))
            }
            busy += ContinuousClock.now - start
            writes += 1
            if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
        }
        return (writes, busy / .seconds(1))
    }

    /// Waits until each observer has what the database has.
    private func settle(_ shelves: [Shelf], _ db: Database) async throws {
        for _ in 0..<100 {
            let counts = Dictionary(grouping: try await db.fetch(Item.self), by: \.shelf).mapValues(\.count)
            if shelves.allSatisfy({ $0.count == counts[$0.number] ?? 0 }) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw ValidationError("An observer has something else than the database.")
    }
}

/// An observed shelf.
private final class Shelf: Sendable {
    private struct State {
        var count = 0
        var results = 0
    }

    let number: Int
    private let state = Mutex(State())

    init(_ number: Int) { self.number = number }

    var count: Int { state.withLock { $0.count } }
    var results: Int { state.withLock { $0.results } }

    func run(_ db: Database) async throws {
        for try await result in db.query(Item.self).where({ $0.shelf == number }).observe() {
            state.withLock { ($0.count, $0.results) = (result.objects.count, $0.results + 1) }
        }
    }
}

/// Counts the queries of observers, by what is logged of them.
final class QueryCounter: LogHandler, Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    var logger: Logger { Logger(label: "changes") { _ in self } }

    func log(event: LogEvent) {
        guard case .string(let sql) = event.metadata?["sql"], sql.hasPrefix("SELECT t0."), sql.contains("shelf\" =")
        else {
            return
        }
        number.withLock { $0 += 1 }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
}

/// What the process has of its machine.
enum Process {
    /// The memory and the descriptors, where the system tells.
    static var state: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? "VmRSS: unknown"
        let memory = line.split(separator: " ").dropFirst().joined(separator: " ")
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        return "\(memory), \(descriptors) descriptors"
    }
}
