import Holdfast

extension ConformanceCase {
    /// Runs a sequence until it has done so many operations, and compares after each transaction.
    static func runTrial<Sequence: Trial>(
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

    /// The failure of a step, with its sequence.
    static func diverged(_ error: any Error, _ step: Int, _ seed: UInt64, _ log: [String]) -> ExpectationFailure {
        let text = (error as? DatabaseError)?.debugDescription ?? "\(error)"
        return ExpectationFailure(
            "In step \(step) of the sequence with the seed \(seed): \(text)\n\(log.joined(separator: "\n"))", #fileID,
            #line)
    }
}
