import Foundation
import Holdfast

extension ConformanceCase {
    static let differential: [ConformanceCase] = (0..<3).map { number in
        ConformanceCase(
            "op-save.differential-\(number)",
            "OP-SAVE",
            "A random sequence of operations leaves in the database what it leaves in a model of it in memory"
        ) { environment in
            let db = try await environment.open(Tagged.self, Numbered.self) { $0.maximumConnections = 2 }
            let seed = environment.seed &+ UInt64(number)
            var trial = RandomTrial(seed: seed)
            for step in 0..<40 {
                do {
                    try await trial.transact(db)
                    try await trial.compare(db)
                } catch {
                    throw ExpectationFailure(
                        "In step \(step) of the sequence with the seed \(seed): \(error)\n\(trial.log.joined(separator: "\n"))",
                        #fileID,
                        #line
                    )
                }
            }
        }
    }
}
