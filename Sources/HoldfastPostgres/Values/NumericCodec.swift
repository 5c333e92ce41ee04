/// PostgreSQL's binary form of `numeric`: groups of four decimal digits.
///
/// Big-endian 16-bit words: the number of groups, the weight of the first (a power of 10,000), the sign, the number of
/// digits after the point; then the groups. See `numeric_send` in the server's `numeric.c`.
enum NumericCodec {
    private static let negative: UInt16 = 0x4000

    // MARK: Reading

    /// The greatest number of bytes that ``write(_:to:)`` needs for a value of `count` bytes.
    static func textCapacity(_ source: UnsafeRawBufferPointer) -> Int {
        guard source.count >= 8 else { return 0 }
        let weight = Int(word(source, 1))
        // Digits before the point, those after it, sign, point, and a zero before it.
        return max(weight + 1, 0) * 4 + Int(UInt16(bitPattern: word(source, 3))) + 8
    }

    /// Writes the number in `source` as the server would print it, and returns the number of bytes; nil for NaN, the
    /// infinities, and what is no numeric at all.
    static func write(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int? {
        guard source.count >= 8 else { return nil }
        let groups = Int(word(source, 0))
        let weight = Int(word(source, 1))
        let sign = UInt16(bitPattern: word(source, 2))
        let scale = Int(UInt16(bitPattern: word(source, 3)))
        guard groups >= 0, source.count == 8 + groups * 2, sign == 0 || sign == negative else { return nil }
        /// The group of 10,000 to the power of `power`.
        func group(_ power: Int) -> Int {
            let index = weight - power
            return index >= 0 && index < groups ? Int(word(source, 4 + index)) : 0
        }
        var count = 0
        func put(_ byte: UInt8) {
            target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        if sign == negative { put(UInt8(ascii: "-")) }
        /// Writes the first `length` of the four digits of `value`.
        func put(_ value: Int, _ length: Int) {
            var divisor = 1000
            for _ in 0..<length {
                put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
                divisor /= 10
            }
        }
        if weight < 0 {
            put(UInt8(ascii: "0"))
        } else {
            for byte in String(group(weight)).utf8 { put(byte) }
            for power in stride(from: weight - 1, through: 0, by: -1) { put(group(power), 4) }
        }
        if scale > 0 {
            put(UInt8(ascii: "."))
            for index in 0..<(scale + 3) / 4 { put(group(-1 - index), min(4, scale - index * 4)) }
        }
        return count
    }

    private static func word(_ source: UnsafeRawBufferPointer, _ index: Int) -> Int16 {
        Int16(bigEndian: source.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
    }

    // MARK: Writing

    /// The greatest number of bytes that ``encode(_:to:)`` needs for a text of `count` bytes without exponent, or for
    /// the description of a Double.
    static func binaryCapacity(_ count: Int) -> Int { 8 + (count / 4 + 3) * 2 }

    /// Encodes plain decimal text such as `-12.50`, and returns the number of bytes; nil if it is no such text, or too
    /// long for the server.
    static func encode(_ text: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int? {
        var start = 0
        var sign: UInt16 = 0
        if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            if first == UInt8(ascii: "-") { sign = negative }
            start = 1
        }
        var point = text.count
        var digits = 0
        for index in start..<text.count {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: ".") where point == text.count: point = index
            default: return nil
            }
        }
        let fraction = max(text.count - point - 1, 0)
        let whole = point - start
        guard digits > 0, fraction <= 16383, whole <= 131_072 else { return nil }

        // Groups are aligned at the point: the first one may have fewer than four digits.
        let leading = (whole + 3) / 4
        let trailing = (fraction + 3) / 4
        func digit(_ position: Int) -> UInt16 {
            // Position 0 is the first digit after the point, -1 the last before it.
            let index = position < 0 ? point + position : point + 1 + position
            return index >= start && index < text.count ? UInt16(text[index] - UInt8(ascii: "0")) : 0
        }
        var words = 0
        var weight = 0
        var significant = 0
        for index in 0..<(leading + trailing) {
            var value: UInt16 = 0
            for position in ((index - leading) * 4)..<((index - leading) * 4 + 4) {
                value = value * 10 + digit(position)
            }
            if words == 0 {
                if value == 0 { continue }
                weight = leading - 1 - index
            }
            put(value, at: 4 + words, of: target)
            words += 1
            if value != 0 { significant = words }
        }
        put(UInt16(significant), at: 0, of: target)
        put(UInt16(bitPattern: Int16(weight)), at: 1, of: target)
        put(significant == 0 ? 0 : sign, at: 2, of: target)
        put(UInt16(fraction), at: 3, of: target)
        return 8 + significant * 2
    }

    /// Encodes the number that a Double prints as; nil for NaN and infinities.
    static func encode(_ value: Double, to target: UnsafeMutableRawPointer) -> Int? {
        guard value.isFinite else { return nil }
        return encode(Array(plainText(value).utf8), to: target)
    }

    private static func encode(_ text: [UInt8], to target: UnsafeMutableRawPointer) -> Int? {
        text.withUnsafeBytes { encode($0, to: target) }
    }

    private static func put(_ value: UInt16, at index: Int, of target: UnsafeMutableRawPointer) {
        target.storeBytes(of: value.bigEndian, toByteOffset: index * 2, as: UInt16.self)
    }

    /// The shortest decimal that reads back as `value`, without an exponent: `1e-07` becomes `0.0000001`.
    static func plainText(_ value: Double) -> String {
        let text = value.description
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let sign = value < 0 ? "-" : ""
        let mantissa = text[..<mark].drop { $0 == "-" }
        let whole = mantissa.prefix { $0 != "." }
        let fraction = mantissa.dropFirst(whole.count + 1)
        let digits = whole + (fraction == "0" ? "" : fraction)
        // The point stands after this many of the digits.
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
