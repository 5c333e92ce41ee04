import Holdfast

/// Random sequences of operations.
extension ConformanceCase {
    static let opSaveDifferential: [ConformanceCase] = (0..<3).map { number in
        ConformanceCase(
            "op-save.differential-\(number)", "OP-SAVE",
            "A random sequence of operations leaves in the database what it leaves in a model of it in memory"
        ) { environment in
            let db = try await environment.open(Tagged.self, Numbered.self) { $0.pool.maximumConnections = 2 }
            try await runTrial(environment, number, db, operations: 200) { RandomTrial(seed: $0) }
        }
    }
}
