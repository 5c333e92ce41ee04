import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let differential: [ConformanceCase] =
        (0..<3).map { number in
            ConformanceCase(
                "op-save.differential-\(number)",
                "OP-SAVE",
                "A random sequence of operations leaves in the database what it leaves in a model of it in memory"
            ) { environment in
                let db = try await environment.open(Tagged.self, Numbered.self) { $0.maximumConnections = 2 }
                try await run(environment, number, db, operations: 200) { RandomTrial(seed: $0) }
            }
        }
        + (0..<3).map { number in
            graph(
                "rel-3.differential-\(number)", "REL-3",
                "A random sequence of operations on graphs leaves in the database what it leaves in a model of it in memory"
            ) { environment in
                let db = try await environment.open(Vertex.self, Employee.self, Branch.self) {
                    $0.maximumConnections = 2
                }
                try await run(environment, number, db, operations: 120) { GraphTrial(seed: $0) }
            }
        }

    static let differentialObjects: [ConformanceCase] = (0..<3).map { number in
        graph(
            "rel-3.live-objects-\(number)", "REL-3",
            "After random failures and rollbacks a save of all objects brings the database to what they hold"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            let seed = environment.seed &+ UInt64(number)
            var trial = LiveTrial(seed: seed, probe: probe)
            for step in 0..<60 {
                do {
                    try await trial.step(db)
                    if step % 4 == 3 { try await trial.compare(db) }
                } catch {
                    throw diverged(error, step, seed, trial.log)
                }
            }
            trial.dissolve()
        }
    }

    /// Runs a sequence until it has done so many operations, and compares after each transaction.
    private static func run<Sequence: Trial>(
        _ environment: ConformanceEnvironment, _ number: Int, _ db: Database, operations: Int,
        _ make: (UInt64) -> Sequence
    ) async throws {
        let seed = environment.seed &+ UInt64(number)
        var trial = make(seed)
        var step = 0
        while trial.operationCount < operations {
            do {
                try await trial.transact(db)
                try await trial.compare(db)
            } catch {
                throw diverged(error, step, seed, trial.log)
            }
            step += 1
        }
    }

    private static func diverged(_ error: any Error, _ step: Int, _ seed: UInt64, _ log: [String]) -> ExpectationFailure
    {
        let text = (error as? DatabaseError)?.debugDescription ?? "\(error)"
        return ExpectationFailure(
            "In step \(step) of the sequence with the seed \(seed): \(text)\n\(log.joined(separator: "\n"))", #fileID,
            #line)
    }
}
