/// The constants in an expression that an engine has written, such as `(kind = ANY (ARRAY['a'::text, 'b'::text]))`.
struct SQLConstants {
    private(set) var texts: [String] = []
    /// The integers, also those between quotes: `'-1'::integer`.
    private(set) var integers: [Int64] = []

    init(_ expression: String) {
        var rest = Array(expression.utf8)[...]
        var sign = ""
        while let byte = rest.first {
            if byte == UInt8(ascii: "'") {
                add(Self.quoted(&rest, byte, hasEscapes: false))
            } else if byte == UInt8(ascii: "\"") {
                _ = Self.quoted(&rest, byte, hasEscapes: false)
            } else if Self.isDigit(byte) {
                let digits = rest.prefix { Self.isDigit($0) }
                rest.removeFirst(digits.count)
                if let number = Int64(sign + String(decoding: digits, as: UTF8.self)) { integers.append(number) }
            } else if Self.isWord(byte) {
                let word = rest.prefix { Self.isWord($0) || Self.isDigit($0) }
                rest.removeFirst(word.count)
                let isEscape = word.count == 1 && byte | 0x20 == UInt8(ascii: "e")
                if isEscape, rest.first == UInt8(ascii: "'") {
                    add(Self.quoted(&rest, UInt8(ascii: "'"), hasEscapes: true))
                }
            } else {
                rest.removeFirst()
                if byte == UInt8(ascii: " ") { continue }
                sign = byte == UInt8(ascii: "-") ? "-" : ""
                continue
            }
            sign = ""
        }
    }

    private mutating func add(_ text: String) {
        texts.append(text)
        if let number = Int64(text) { integers.append(number) }
    }

    /// Takes a text in quotes from the beginning, where a quote in it is doubled, and after an `E` a backslash as well.
    private static func quoted(_ rest: inout ArraySlice<UInt8>, _ quote: UInt8, hasEscapes: Bool) -> String {
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote, rest.first != quote { break }
            if byte == quote || hasEscapes && byte == UInt8(ascii: "\\") {
                if let second = rest.popFirst() { text.append(second) }
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x61...0x7a).contains(byte | 0x20)
    }
}
