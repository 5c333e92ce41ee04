/// Instants as the texts that other programs write: `2026-11-21 09:30:00.5`, in UTC unless an offset says otherwise.
package enum DateText {
    /// Microseconds since 1970 of 0001-01-01 and of 10000-01-01.
    private static let limits: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000

    /// The text of an instant, with three or six digits of a fraction if it has one; nil beyond the years 1 to 9999.
    static func text(ofMicroseconds microseconds: Int64) -> String? {
        guard limits.contains(microseconds) else { return nil }
        var utf8 = Array(ISO8601.text(ofMicroseconds: microseconds).utf8.dropLast())
        utf8[10] = UInt8(ascii: " ")
        if microseconds % 1_000_000 == 0 {
            utf8.removeLast(7)
        } else if microseconds % 1000 == 0 {
            utf8.removeLast(3)
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// The microseconds since 1970 that a text names; nil if it names none.
    package static func microseconds(of text: String) -> Int64? {
        var parser = Parser(text.utf8)
        guard let date = parser.date() else { return nil }
        var time = "00:00:00"
        var zone = "Z"
        if !parser.isAtEnd {
            guard parser.skip("T") || parser.skip(" "), let found = parser.time() else { return nil }
            time = found
            if parser.skip(" ") || !parser.isAtEnd {
                guard let found = parser.zone() else { return nil }
                zone = found
            }
        }
        return ISO8601.microseconds(of: "\(date)T\(time)\(zone)")
    }

    /// Takes a text apart into what ``ISO8601`` reads.
    private struct Parser {
        private var rest: Substring.UTF8View

        init(_ utf8: String.UTF8View) { rest = utf8[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func digits(_ count: Int) -> String? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
            rest.removeFirst(count)
            return String(digits)
        }

        mutating func date() -> String? {
            guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2) else {
                return nil
            }
            return "\(year)-\(month)-\(day)"
        }

        mutating func time() -> String? {
            guard let hour = digits(2), skip(":"), let minute = digits(2) else { return nil }
            guard skip(":") else { return "\(hour):\(minute):00" }
            guard let second = digits(2) else { return nil }
            guard skip(".") else { return "\(hour):\(minute):\(second)" }
            let fraction = String(decoding: rest.prefix { (48...57).contains($0) }, as: UTF8.self)
            rest.removeFirst(fraction.utf8.count)
            return fraction.isEmpty ? nil : "\(hour):\(minute):\(second).\(fraction)"
        }

        /// An offset at the end of the text.
        mutating func zone() -> String? {
            if skip("Z") || skip("z") { return isAtEnd ? "Z" : nil }
            let sign = skip("+") ? "+" : skip("-") ? "-" : nil
            guard let sign, let hours = digits(2) else { return nil }
            if isAtEnd { return "\(sign)\(hours)00" }
            _ = skip(":")
            guard let minutes = digits(2), isAtEnd else { return nil }
            return "\(sign)\(hours)\(minutes)"
        }
    }
}
