import Foundation

/// Runs contestants in turns, round by round, each time in a process of its own.
struct Comparison {
    let engine: Engine
    let orders: [Order]
    let contestants: [ContestantName]
    let rounds: Int
    /// The library that counts allocations, if it is there.
    let counter: String?
    let progress: (String) -> Void

    /// What every contestant took for every work, in the order of the works.
    func run(_ store: DatabaseStore) throws -> [OrderResult] {
        var results = orders.map { OrderResult(order: $0) }
        for round in 0..<rounds {
            for (index, order) in orders.enumerated() {
                for contestant in turns(round, of: order) {
                    progress("round \(round + 1)/\(rounds) \(engine.rawValue) \(order.work.rawValue) \(contestant)")
                    results[index].measurements[contestant, default: []].append(try measure(contestant, order, store))
                }
            }
        }
        if let counter {
            for (index, order) in orders.enumerated() {
                for contestant in turns(0, of: order) {
                    progress("allocations \(engine.rawValue) \(order.work.rawValue) \(contestant)")
                    let counted = try measure(contestant, order, store, environment: ["LD_PRELOAD": counter])
                    results[index].allocations[contestant] = counted.allocations
                }
            }
        }
        return results
    }

    /// The contestants, each round with another one first.
    private func turns(_ round: Int, of order: Order) -> [ContestantName] {
        let contestants = contestants.filter { $0.takesPart(in: order.work, on: engine) }
        let first = round % max(contestants.count, 1)
        return Array(contestants[first...] + contestants[..<first])
    }

    private func measure(
        _ contestant: ContestantName, _ order: Order, _ store: DatabaseStore, environment: [String: String] = [:]
    ) throws -> Measurement {
        let location = try store.location(for: order)
        defer { try? store.discard(location, after: order) }
        let json = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        let output = try ChildProcess.output(
            ["run"] + location.arguments + ["--contestant", contestant.rawValue, "--order", json],
            environment: environment)
        return try JSONDecoder().decode(Measurement.self, from: output)
    }
}
