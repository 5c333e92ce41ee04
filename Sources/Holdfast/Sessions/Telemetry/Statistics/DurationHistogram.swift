/// How often statements took how long: counts of durations between bounds that are an eighth apart.
///
/// A microsecond and less has one count, and so has more than two minutes.
struct DurationHistogram {
    /// Powers of two of nanoseconds that have a count for each eighth.
    private static let exponents = 10...36

    private var counts: [UInt32] = Array(repeating: 0, count: exponents.count * 8 + 1)
    private(set) var total = 0

    mutating func add(_ duration: Duration) {
        total += 1
        let index = Self.index(duration.nanoseconds)
        if counts[index] < .max { counts[index] += 1 }
    }

    private static func index(_ nanoseconds: Int64) -> Int {
        guard nanoseconds >= 1 << exponents.lowerBound else { return 0 }
        let exponent = Int64.bitWidth - 1 - nanoseconds.leadingZeroBitCount
        guard exponent <= exponents.upperBound else { return exponents.count * 8 }
        let eighth = Int(nanoseconds >> (exponent - 3)) & 7
        return (exponent - exponents.lowerBound) * 8 + eighth + 1
    }

    /// The duration that so large a part of all did not exceed: up to an eighth too long, never too short.
    ///
    /// - Parameter part: From 0 to 1.
    func quantile(_ part: Double) -> Duration {
        let rank = (Double(total) * part).rounded(.up)
        var sum = 0.0
        for (index, count) in counts.enumerated() {
            sum += Double(count)
            if count > 0, sum >= rank { return .nanoseconds(Self.upperBound(index)) }
        }
        return .zero
    }

    private static func upperBound(_ index: Int) -> Int64 {
        guard index > 0 else { return 1 << exponents.lowerBound }
        if index == exponents.count * 8 { return .max }
        let (power, eighth) = (index - 1).quotientAndRemainder(dividingBy: 8)
        return Int64(8 + eighth + 1) << (power + exponents.lowerBound - 3)
    }
}
