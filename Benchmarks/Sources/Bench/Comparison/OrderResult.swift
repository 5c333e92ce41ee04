/// What came of one work, by contestant and round.
struct OrderResult {
    let order: Order
    var measurements: [ContestantName: [Measurement]] = [:]
    var allocations: [ContestantName: Int] = [:]

    /// The checksums that there are: one, if all did the same.
    var checksums: Set<String> { Set(measurements.values.joined().map(\.checksum)) }

    func times(_ contestant: ContestantName) -> [Double] { measurements[contestant, default: []].map(\.seconds) }

    /// In each round, how many times as long a contestant took as another did.
    func timeRatios(_ contestant: ContestantName, to other: ContestantName) -> [Double] {
        zip(times(contestant), times(other)).map { $0 / $1 }
    }

    func processorTimes(_ contestant: ContestantName) -> [Double] {
        measurements[contestant, default: []].map(\.processorSeconds)
    }

    /// In each round, how many times as much of the processors a contestant took as another did.
    func processorTimeRatios(_ contestant: ContestantName, to other: ContestantName) -> [Double] {
        zip(processorTimes(contestant), processorTimes(other)).map { $0 / $1 }
    }

    func memory(_ contestant: ContestantName) -> [Double] {
        measurements[contestant, default: []].compactMap { $0.memory.map(Double.init) }
    }

    /// In each round, how many times as much memory a contestant took; nothing where the other took less than a
    /// megabyte, of which no ratio says anything.
    func memoryRatios(_ contestant: ContestantName, to other: ContestantName) -> [Double] {
        zip(memory(contestant), memory(other)).filter { $1 >= 1e6 }.map { $0 / $1 }
    }

    func allocationsPerRow(_ contestant: ContestantName) -> Double? {
        allocations[contestant].map { Double($0) / Double(order.rows) }
    }
}
