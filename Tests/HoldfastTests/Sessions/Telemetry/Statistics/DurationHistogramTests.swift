import Testing

@testable import Holdfast

@Suite struct DurationHistogramTests {
    @Test func `a quantile is never too short, and at most an eighth too long`() {
        for nanoseconds in stride(from: 1_100 as Int64, to: 60_000_000_000, by: 77_777_777) {
            var histogram = DurationHistogram()
            histogram.add(.nanoseconds(nanoseconds))
            let quantile = histogram.quantile(0.99).nanoseconds
            #expect(quantile >= nanoseconds && quantile <= nanoseconds + nanoseconds / 8 + 1)
        }
    }

    @Test func `of a hundred durations, the 99th percentile is the second longest`() {
        var histogram = DurationHistogram()
        for milliseconds in 1...98 { histogram.add(.milliseconds(milliseconds)) }
        histogram.add(.seconds(2))
        histogram.add(.seconds(30))
        let p99 = histogram.quantile(0.99)
        #expect(p99 >= .seconds(2) && p99 <= .milliseconds(2_250))
        #expect(histogram.quantile(0.5) >= .milliseconds(50) && histogram.quantile(0.5) <= .milliseconds(57))
        #expect(histogram.total == 100)
    }

    @Test(arguments: [Duration.zero, .nanoseconds(1), .seconds(100_000), .seconds(Int64.max)])
    func `durations beyond the bounds are counted`(_ duration: Duration) {
        var histogram = DurationHistogram()
        histogram.add(duration)
        #expect(histogram.quantile(0.99) > .zero)
        #expect(histogram.total == 1)
    }

    @Test func `of nothing, a quantile is zero`() { #expect(DurationHistogram().quantile(0.99) == .zero) }
}
