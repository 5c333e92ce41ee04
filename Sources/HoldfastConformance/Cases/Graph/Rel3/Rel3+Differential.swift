@_spi(Driver) import Holdfast

/// Random sequences of operations on graphs.
extension ConformanceCase {
    static let rel3Differential: [ConformanceCase] = (0..<3).map { number in
        graph(
            "rel-3.differential-\(number)", "REL-3",
            "A random sequence of operations on graphs leaves in the database what it leaves in a model of it in memory"
        ) { environment in
            let db = try await environment.open(Vertex.self, Employee.self, Branch.self) {
                $0.pool.maximumConnections = 2
            }
            try await runTrial(environment, number, db, operations: 120) { GraphTrial(seed: $0) }
        }
    }

    static let rel3LiveObjects: [ConformanceCase] = (0..<3).map { number in
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
}
