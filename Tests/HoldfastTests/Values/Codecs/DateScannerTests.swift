import Testing

@testable import Holdfast

/// Dates as text, compared with a reader of them that is easy to see through.
@Suite struct DateScannerTests {
    /// Texts that are dates, and such as were one before some of their characters were changed.
    private static func texts(count: Int) -> [String] {
        var random = SplitMix(state: 20_261_121)
        func number(_ range: ClosedRange<Int>, digits: Int) -> String {
            let text = String(Int.random(in: range, using: &random))
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let characters = Array("0123456789+-:.,TZ zt٣é\0")
        return (0..<count).map { _ in
            var text = ["", "", "", "+", "-"].randomElement(using: &random) ?? ""
            text += number(0...Int.random(in: 1...1_100_000, using: &random), digits: 4)
            text += "-\(number(0...13, digits: 2))-\(number(0...32, digits: 2))"
            if Int.random(in: 0..<8, using: &random) > 0 {
                text += ["T", " ", "t", ""].randomElement(using: &random) ?? ""
                text += "\(number(0...24, digits: 2)):\(number(0...60, digits: 2))"
            }
            if Int.random(in: 0..<8, using: &random) > 0 { text += ":\(number(0...60, digits: 2))" }
            if Bool.random(using: &random) {
                text += [".", ","].randomElement(using: &random) ?? ""
                text += (0..<Int.random(in: 0...10, using: &random)).map { _ in number(0...9, digits: 1) }.joined()
            }
            let hours = number(0...99, digits: 2)
            let minutes = number(0...99, digits: 2)
            text +=
                ["Z", "z", "", " ", "+\(hours):\(minutes)", "-\(hours)\(minutes)", " +\(hours)", "-\(hours)"]
                .randomElement(using: &random) ?? ""
            if Int.random(in: 0..<3, using: &random) == 0 {
                var changed = Array(text)
                changed[Int.random(in: changed.indices, using: &random)] =
                    characters.randomElement(using: &random) ?? "0"
                text = String(changed)
            }
            return text
        }
    }

    @Test func `an ISO 8601 text is read as a regular expression says`() {
        var readCount = 0
        for text in Self.texts(count: 6_000) {
            let expected = ReferenceDates.iso8601(text)
            #expect(ISO8601.microseconds(of: text) == expected, "\(text)")
            if expected != nil { readCount += 1 }
        }
        #expect(readCount > 300)
    }

    @Test func `a date as others write it is read as a regular expression says`() {
        var readCount = 0
        for text in Self.texts(count: 6_000) {
            let expected = ReferenceDates.dateText(text)
            #expect(DateText.microseconds(of: text) == expected, "\(text)")
            if expected != nil { readCount += 1 }
        }
        #expect(readCount > 5)
    }

    @Test(arguments: [
        (Int64.min, "-290308-12-21T19:59:05.224192Z"), (Int64.max, "+294247-01-10T04:00:54.775807Z"),
        (253_402_300_800_000_000, "+10000-01-01T00:00:00.000000Z"),
        (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
        (1_795_253_400_123_456, "2026-11-21T09:30:00.123456Z"),
    ])
    func `an instant is written in full, and read again`(microseconds: Int64, text: String) {
        #expect(ISO8601.text(ofMicroseconds: microseconds) == text)
        #expect(ISO8601.microseconds(of: text) == microseconds)
    }

    /// A budget of 25 µs for each, also where nothing is optimized; with a regular expression it took 400.
    @Test func `a thousand texts are read in no time`() {
        let texts = (0..<1_000).map { "2026-11-21 09:30:00.\(100_000 + $0)" }
        let start = ContinuousClock.now
        for text in texts {
            #expect(DateText.microseconds(of: text) != nil)
            #expect(ISO8601.microseconds(of: text + "Z") != nil)
        }
        #expect(ContinuousClock.now - start < .milliseconds(50))
    }
}

/// The texts that are dates, by regular expressions.
private enum ReferenceDates {
    static func iso8601(_ text: String) -> Int64? {
        let pattern =
            /([+-]?)([0-9]{4,6})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,9}))?(Z|z|[+-][0-9]{2}:?[0-9]{2})/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        return instant(
            sign: match.1, match.2, match.3, match.4, match.5, match.6, match.7, fraction: match.8, offset: match.9)
    }

    static func dateText(_ text: String) -> Int64? {
        let pattern =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,9}))?)?(?: ?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?))?)?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        return instant(
            sign: "", match.1, match.2, match.3, match.4 ?? "00", match.5 ?? "00", match.6 ?? "00",
            fraction: match.7, offset: match.8 ?? "Z")
    }

    private static func instant(
        sign: Substring, _ year: Substring, _ month: Substring, _ day: Substring, _ hour: Substring,
        _ minute: Substring, _ second: Substring, fraction: Substring?, offset: Substring
    ) -> Int64? {
        let numbers = [year, month, day, hour, minute, second].compactMap { Int64($0) }
        guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60, numbers[1] >= 1, numbers[1] <= 12, numbers[2] >= 1
        else { return nil }
        let year = sign == "-" ? -numbers[0] : numbers[0]
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard numbers[2] <= lengths[Int(numbers[1]) - 1] else { return nil }
        // Days of whole years, from a year that is a multiple of 400 and before all others.
        let years = year + 1_000_000
        func leapDays(_ years: Int64) -> Int64 { (years + 3) / 4 - (years + 99) / 100 + (years + 399) / 400 }
        var days = years * 365 + leapDays(years) - (1_001_970 * 365 + leapDays(1_001_970))
        days += lengths.prefix(Int(numbers[1]) - 1).reduce(0, +) + numbers[2] - 1
        var seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        let digits = offset.filter(\.isNumber)
        if digits.count >= 2 {
            let number = (Int64(digits.prefix(2)) ?? 0) * 3600 + (Int64(digits.dropFirst(2)) ?? 0) * 60
            seconds -= offset.hasPrefix("-") ? -number : number
        }
        let micro = Int64(((Double("0.\(fraction ?? "0")") ?? 0) * 1_000_000).rounded())
        let (product, overflows) = days.multipliedReportingOverflow(by: 86_400_000_000)
        let (sum, exceeds) = product.addingReportingOverflow(seconds * 1_000_000 + micro)
        return overflows || exceeds ? nil : sum
    }
}

/// A generator of numbers that are the same each time.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
