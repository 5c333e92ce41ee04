/// The median and the least of some numbers.
struct Summary: Codable {
    let median: Double
    let minimum: Double

    /// Nil if there are no numbers.
    init?(_ numbers: [Double]) {
        guard let minimum = numbers.min() else { return nil }
        let sorted = numbers.sorted()
        let middle = sorted.count / 2
        self.minimum = minimum
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
