import ArgumentParser
import Foundation
import Holdfast
import Synchronization

/// Reads the log and observes queries until all is quiet, and compares what it has with the database.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Read the log, and observe queries.")

    @OptionGroup var options: Changes.Options
    @Option(help: "The number of observed queries.") var observers = 10
    @Option(help: "The number of readers of the log.") var readers = 2
    @Option(help: "The greatest number of changes of a batch.") var limit = 500

    func run() async throws {
        let queries = QueryCounter()
        try await options.withDatabase(connections: 8, logger: queries.logger) { db in
            let states = (0..<observers).map { Observed(shelf: $0 % 10) }
            let logs = (0..<readers).map { _ in Mirror(limit: limit) }
            let tasks =
                states.map { state in Task { try await state.run(db) } }
                + logs.map { log in Task { try await log.run(db) } }
            // Unbuffered, since whoever starts this waits for it.
            try FileHandle.standardOutput.write(contentsOf: Data("watching\n".utf8))
            try await Task.sleep(for: .seconds(options.seconds))
            let asked = queries.count
            // Whoever watches may be behind by a moment.
            var problems: [String] = []
            for _ in 0..<50 {
                do {
                    problems = []
                    for state in states { problems += try await state.problems(db) }
                    for log in logs { problems += try await log.problems(db) }
                } catch let error as DatabaseError where error.code == .connectionLost {
                    problems = ["The connection was lost while all was compared."]
                }
                if problems.isEmpty { break }
                try await Task.sleep(for: .milliseconds(200))
            }
            for task in tasks {
                task.cancel()
                do { try await task.value } catch is CancellationError {}
            }
            let results = states.filter(\.readsItems).map(\.results).reduce(0, +)
            print("\(logs[0].summary); observed items were asked for \(asked) times for \(results) results")
            guard problems.isEmpty else { throw ValidationError(problems.joined(separator: "\n")) }
        }
    }
}

/// The last state of an observed query.
final class Observed: Sendable {
    private struct State {
        var items: Set<Item> = []
        var sum = 0
        var results = 0
    }

    private let shelf: Int
    private let state = Mutex(State())

    init(shelf: Int) { self.shelf = shelf }

    var results: Int { state.withLock { $0.results } }
    var readsItems: Bool { shelf % 3 != 0 }

    func run(_ db: Database) async throws {
        if !readsItems {
            let sums = db.query(Counter.self).observe { try await $0.sum { $0.value } }
            for try await sum in sums {
                state.withLock { ($0.sum, $0.results) = (Int(sum), $0.results + 1) }
            }
        } else {
            for try await result in db.query(Item.self).where({ $0.shelf == shelf }).observe() {
                let items = Set(result.objects)
                state.withLock { ($0.items, $0.results) = (items, $0.results + 1) }
            }
        }
    }

    func problems(_ db: Database) async throws -> [String] {
        if !readsItems {
            let sum = try await db.query(Counter.self).fetch().map(\.value).reduce(0, +)
            let seen = state.withLock { $0.sum }
            return sum == seen ? [] : ["The observed sum is \(seen), and not \(sum)."]
        }
        let items = Set(try await db.query(Item.self).where { $0.shelf == shelf }.fetch())
        let seen = state.withLock { $0.items }
        return items == seen
            ? [] : ["The observed items of shelf \(shelf) differ in \(items.symmetricDifference(seen).count)."]
    }
}

/// What the log says the tables hold.
final class Mirror: Sendable {
    private struct State {
        var counters: [String: Int] = [:]
        var items: Set<String> = []
        var numbers: Set<Int64> = []
        var problems: [String] = []
        var delays: [Double] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Reads from the beginning of the log, each few batches by a new reader with the token of the one before.
    func run(_ db: Database) async throws {
        var token = try await db.changeToken()
        // Counters and items are there or not before the token: this begins before anything is written.
        while true {
            var count = 0
            for try await batch in db.changes(of: Counter.self, Item.self, after: token, limit: limit) {
                let now = Date()
                state.withLock { state in for change in batch.changes { Self.note(change, at: now, in: &state) } }
                token = try ChangeToken(batch.token.description).unwrapped()
                count += 1
                if count == 20 { break }
            }
            try Task.checkCancellation()
        }
    }

    private static func note(_ change: LoggedChange, at now: Date, in state: inout State) {
        let key = change.keyTexts.first.flatMap { $0 } ?? ""
        if !state.numbers.insert(change.number).inserted { state.problems.append("\(change.number) came twice.") }
        state.delays.append(now.timeIntervalSince(change.at))
        switch (change.table, change.kind) {
        case ("counter", .updated):
            let old = change.oldTexts?["value"].flatMap { $0 }.flatMap { Int($0) } ?? -1
            let expected = state.counters[key] ?? 0
            if old != expected {
                state.problems.append("Counter \(key) was \(old) in \(change.number), and not \(expected).")
            }
            state.counters[key] = old + 1
        case ("item", .inserted):
            if !state.items.insert(key).inserted { state.problems.append("The item \(key) came twice.") }
        case ("item", .deleted):
            if state.items.remove(key) == nil { state.problems.append("The item \(key) went before it came.") }
        case ("item", .updated):
            if !state.items.contains(key) { state.problems.append("The item \(key) changed before it came.") }
        default: state.problems.append("An unexpected change \(change.number): \(change.table), \(change.kind).")
        }
    }

    func problems(_ db: Database) async throws -> [String] {
        let counters = try await db.query(Counter.self).where { $0.value != 0 }.fetch()
        let items = try await db.query(Item.self).count()
        return state.withLock { state in
            var problems = Array(state.problems.prefix(5))
            for counter in counters where state.counters[String(counter.id)] != counter.value {
                problems.append(
                    "The log has counter \(counter.id) at \(state.counters[String(counter.id)] ?? 0), and not \(counter.value)."
                )
            }
            if items != state.items.count {
                problems.append("The log has \(state.items.count) items, and not \(items).")
            }
            return problems
        }
    }

    var summary: String {
        state.withLock { state in
            let delays = state.delays.sorted()
            func quantile(_ share: Double) -> String {
                guard !delays.isEmpty else { return "-" }
                return String(format: "%.1f", delays[min(Int(Double(delays.count) * share), delays.count - 1)] * 1000)
            }
            return
                "\(state.numbers.count) changes, seen after ms p50 \(quantile(0.5)), p99 \(quantile(0.99)), p99.9 \(quantile(0.999))"
        }
    }
}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw ValidationError("A token could not be read again.") }
        return self
    }
}
