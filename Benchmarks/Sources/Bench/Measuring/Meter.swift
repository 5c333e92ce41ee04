import Foundation

/// What one contestant took for one work.
struct Measurement: Codable {
    /// Of one repetition.
    var seconds: Double
    /// What this process kept processors busy for, all its threads together, in one repetition.
    var processorSeconds: Double
    /// How far the peak of the memory rose above what there was when the work began; nil where the system doesn't tell.
    var memory: Int?
    /// Of one repetition; nil unless they are counted.
    var allocations: Int?
    var checksum: String
}

/// Adds up what is measured.
struct Meter {
    private var seconds = 0.0
    private var processorSeconds = 0.0
    private var memory: Int?
    private var allocations: UInt?

    /// Does something and measures that; its result is kept until the measuring has ended.
    mutating func measure<Output>(_ body: () async throws -> Output) async throws -> Output {
        let memoryBefore = ProcessMemory.beginPeak()
        let allocationsBefore = AllocationCount.current
        let processorStart = ProcessorTime.seconds
        let start = ContinuousClock.now
        let output = try await body()
        let elapsed = ContinuousClock.now - start
        processorSeconds += ProcessorTime.seconds - processorStart
        if let before = allocationsBefore, let after = AllocationCount.current {
            allocations = (allocations ?? 0) + after - before
        }
        if let before = memoryBefore, let peak = ProcessMemory.peak { memory = max(memory ?? 0, peak - before) }
        seconds += elapsed / .seconds(1)
        return output
    }

    func measurement(checksum: UInt64, repetitions: Int) -> Measurement {
        Measurement(
            seconds: seconds / Double(repetitions), processorSeconds: processorSeconds / Double(repetitions),
            memory: memory,
            allocations: allocations.map { Int($0) / repetitions },
            checksum: String(checksum, radix: 16))
    }
}
