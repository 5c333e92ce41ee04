/// Reads a text that names an instant from left to right, by its bytes.
///
/// ``ISO8601`` and ``DateText`` say which texts; the parts of them are read, and put together, here. Dates as text are
/// read for each row, and compared for each row on SQLite: a regular expression takes some hundred times as long.
struct DateScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips a character, if it is next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads so many digits as a number; nil if there are fewer.
    mutating func number(digits: Int) -> Int64? {
        guard bytes.count - position >= digits else { return nil }
        var number: Int64 = 0
        for index in position..<position + digits {
            guard let digit = digit(at: index) else { return nil }
            number = number * 10 + digit
        }
        position += digits
        return number
    }

    /// The number of digits that are next, up to a limit.
    func digitCount(upTo limit: Int) -> Int {
        var count = 0
        while count < limit, digit(at: position + count) != nil { count += 1 }
        return count
    }

    private func digit(at index: Int) -> Int64? {
        guard index < bytes.count, (48...57).contains(bytes[index]) else { return nil }
        return Int64(bytes[index] - 48)
    }

    /// Reads the digits behind a point as microseconds, rounded; nil unless there are one to nine.
    mutating func microseconds() -> Int64? {
        let count = digitCount(upTo: 10)
        guard (1...9).contains(count), let fraction = number(digits: count) else { return nil }
        var scale = 1.0
        for _ in 0..<count { scale *= 10 }
        return Int64((Double(fraction) / scale * 1_000_000).rounded())
    }

    /// Reads `09:30` as seconds.
    mutating func hourAndMinute() -> Int64? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), hour < 24, minute < 60 else {
            return nil
        }
        return hour * 3600 + minute * 60
    }

    /// Reads the sign of an offset: 1 or -1.
    mutating func sign() -> Int64? { skip("+") ? 1 : skip("-") ? -1 : nil }

    /// Reads an offset, or the letter for none, as seconds.
    ///
    /// - Parameter maybeOfHours: Whether its minutes may be missing, at the end of the text.
    mutating func offset(maybeOfHours: Bool = false) -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        guard let sign = sign(), let hours = number(digits: 2) else { return nil }
        if maybeOfHours, isAtEnd { return sign * hours * 3600 }
        _ = skip(":")
        guard let minutes = number(digits: 2) else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
