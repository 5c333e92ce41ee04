/// Spellings of numbers that engines and decoders would not read alike, in others that they do.
///
/// `9.007199254740993e15` is an integer, which an engine that takes it for a `Double` would round: written without an
/// exponent, it is that integer to all. `1e-400` and `0e5` are 0 as a `Double`, which Foundation's decoder refuses to
/// say.
enum JSONNumberText {
    /// JSON in which the integers of 64 bits beyond 2^53 are plain digits; nil if it is so already.
    static func stored(_ json: UnsafeRawBufferPointer) -> [UInt8]? {
        replacingNumbers(of: json) { JSONNumber($0).plainInteger }
    }

    /// JSON for a decoder, in which also those numbers are 0 that are nearer to it than to any other `Double`; nil if
    /// it is so already.
    static func decoded(_ json: UnsafeRawBufferPointer) -> [UInt8]? {
        replacingNumbers(of: json) { text in
            let number = JSONNumber(text)
            if let integer = number.plainInteger { return integer }
            return Double(text) == 0 ? "0" : nil
        }
    }

    /// Replaces numbers that are written with a fraction or an exponent.
    ///
    /// - Returns: Nil if nothing is replaced.
    private static func replacingNumbers(
        of json: UnsafeRawBufferPointer, by replacement: (String) -> String?
    ) -> [UInt8]? {
        var (result, copied, position) = ([UInt8](), 0, 0)
        while position < json.count {
            let byte = json[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                while position < json.count, json[position] != byte {
                    position += json[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position += 1
            } else if isDigit(byte) {
                // A minus is before it, and stays there.
                var (end, isPlain) = (position, true)
                while end < json.count, isDigit(json[end]) || isOfFraction(json[end]) {
                    if !isDigit(json[end]) { isPlain = false }
                    end += 1
                }
                if !isPlain, let text = replacement(String(decoding: json[position..<end], as: UTF8.self)) {
                    result += json[copied..<position]
                    result += text.utf8
                    copied = end
                }
                position = end
            } else {
                position += 1
            }
        }
        return copied == 0 ? nil : result + json[copied...]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isOfFraction(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension JSONNumber {
    /// The digits of an integer of 64 bits beyond 2^53, where a `Double` would not do; nil for any other number.
    fileprivate var plainInteger: String? {
        guard (16...19).contains(magnitude), digits.utf8.count <= magnitude, let plainText,
            UInt64(plainText).map({ $0 <= 1 << 63 }) == true
        else { return nil }
        return plainText
    }
}
