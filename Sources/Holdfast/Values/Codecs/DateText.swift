/// Instants as the texts that other programs write: `2026-11-21 09:30:00.5`, in UTC unless an offset says otherwise.
package enum DateText {
    /// Microseconds since 1970 of 0001-01-01 and of 10000-01-01.
    private static let limits: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000

    /// The text of an instant, with three or six digits of a fraction if it has one; nil beyond the years 1 to 9999.
    static func text(ofMicroseconds microseconds: Int64) -> String? {
        guard limits.contains(microseconds) else { return nil }
        return String(unsafeUninitializedCapacity: ISO8601.longestText) { utf8 in
            let count = ISO8601.write(microseconds, to: UnsafeMutableRawBufferPointer(utf8)) - 1
            utf8[10] = UInt8(ascii: " ")
            return microseconds % 1_000_000 == 0 ? count - 7 : microseconds % 1000 == 0 ? count - 3 : count
        }
    }

    /// The microseconds since 1970 that a text names; nil if it names none.
    package static func microseconds(of text: String) -> Int64? {
        var text = text
        return text.withUTF8 { microseconds(of: UnsafeRawBufferPointer($0)) }
    }

    /// The microseconds since 1970 that a text names; nil if it names none.
    package static func microseconds(of utf8: UnsafeRawBufferPointer) -> Int64? {
        var scanner = DateScanner(utf8)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2)
        else { return nil }
        var (seconds, fraction): (Int64, Int64) = (0, 0)
        if !scanner.isAtEnd {
            guard scanner.skip("T") || scanner.skip(" "), let time = scanner.hourAndMinute() else { return nil }
            seconds = time
            if scanner.skip(":") {
                guard let second = scanner.number(digits: 2), second < 60 else { return nil }
                seconds += second
                if scanner.skip(".") {
                    guard let found = scanner.microseconds() else { return nil }
                    fraction = found
                }
            }
            if scanner.skip(" ") || !scanner.isAtEnd {
                guard let offset = scanner.offset(maybeOfHours: true), scanner.isAtEnd else { return nil }
                seconds -= offset
            }
        }
        return ISO8601.microseconds(year, month, day, seconds: seconds, fraction)
    }
}
