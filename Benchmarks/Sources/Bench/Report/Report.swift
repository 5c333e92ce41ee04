/// Everything that was measured, in numbers.
struct Report: Codable {
    let machine: Machine
    let rounds: Int
    let lines: [Line]

    /// One contestant at one work.
    struct Line: Codable {
        let engine: Engine
        let work: String
        let title: String
        let rows: Int
        let contestant: ContestantName
        let checksum: String
        /// Of each round.
        let seconds: [Double]
        let time: Summary?
        let timeToFloor: Summary?
        let timeToGRDB: Summary?
        let timeToPipelined: Summary?
        /// Of each round.
        let processorSeconds: [Double]
        let processorTime: Summary?
        let processorTimeToFloor: Summary?
        let memory: Summary?
        let memoryToFloor: Summary?
        let allocationsPerRow: Double?
    }

    init(machine: Machine, rounds: Int, results: [OrderResult]) {
        self.machine = machine
        self.rounds = rounds
        lines = results.flatMap { result in
            ContestantName.allCases.filter { result.measurements[$0] != nil }.map { Line(result, $0) }
        }
    }
}

extension Report.Line {
    fileprivate init(_ result: OrderResult, _ contestant: ContestantName) {
        engine = result.order.engine
        work = result.order.work.rawValue
        title = result.order.title
        rows = result.order.rows
        self.contestant = contestant
        checksum = result.measurements[contestant]?.first?.checksum ?? ""
        seconds = result.times(contestant)
        time = Summary(seconds)
        timeToFloor = contestant == .floor ? nil : Summary(result.timeRatios(contestant, to: .floor))
        timeToGRDB = contestant == .holdfast ? Summary(result.timeRatios(contestant, to: .grdb)) : nil
        timeToPipelined = contestant == .holdfast ? Summary(result.timeRatios(contestant, to: .pipelined)) : nil
        processorSeconds = result.processorTimes(contestant)
        processorTime = Summary(processorSeconds)
        processorTimeToFloor =
            contestant == .floor ? nil : Summary(result.processorTimeRatios(contestant, to: .floor))
        memory = Summary(result.memory(contestant))
        memoryToFloor = contestant == .floor ? nil : Summary(result.memoryRatios(contestant, to: .floor))
        allocationsPerRow = result.allocationsPerRow(contestant)
    }
}
