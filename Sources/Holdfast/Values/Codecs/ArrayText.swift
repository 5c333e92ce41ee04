import Foundation

/// An array of values as JSON: what drivers get and give for a column that holds an array.
package struct ArrayText {
    /// The JSON.
    package private(set) var utf8: [UInt8] = [UInt8(ascii: "[")]

    package init() {}

    /// Ends the array.
    package mutating func end() { utf8.append(UInt8(ascii: "]")) }

    /// Adds an element.
    package mutating func append(_ cell: Cell) throws(CellMismatch) {
        if utf8.count > 1 { utf8.append(UInt8(ascii: ",")) }
        switch cell.kind {
        case .null: utf8 += "null".utf8
        case .boolean: utf8 += (cell.payload == 0 ? "false" : "true").utf8
        case .integer: utf8 += String(cell.integer).utf8
        case .real:
            guard cell.real.isFinite else { throw .invalid("an array of finite numbers") }
            utf8 += cell.real.description.utf8
        case .text: append(string: cell.bytes)
        case .decimal: utf8 += cell.bytes
        case .timestamp: utf8 += "\"\(ISO8601.text(ofMicroseconds: cell.integer))\"".utf8
        case .uuid:
            utf8.append(UInt8(ascii: "\""))
            for (position, byte) in cell.bytes.enumerated() {
                if [4, 6, 8, 10].contains(position) { utf8.append(UInt8(ascii: "-")) }
                append(hexadecimal: byte)
            }
            utf8.append(UInt8(ascii: "\""))
        case .blob, .json, .list:
            throw .kind(cell.kind, expected: "elements that an array in a column can have")
        }
    }

    private mutating func append(hexadecimal byte: UInt8) {
        for digit in [byte >> 4, byte & 15] { utf8.append(digit < 10 ? 48 + digit : 87 + digit) }
    }

    private mutating func append(string bytes: UnsafeRawBufferPointer) {
        utf8.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): utf8 += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                utf8 += "\\u00".utf8
                append(hexadecimal: byte)
            default: utf8.append(byte)
            }
        }
        utf8.append(UInt8(ascii: "\""))
    }

    /// The elements of an array as JSON, in a buffer of width 1; nil if it is none, or holds more than values.
    ///
    /// - Parameter type: The type of the elements, of which decimals, dates and UUIDs are told by it alone.
    package static func cells(of json: UnsafeRawBufferPointer, as type: ColumnType?) -> ParameterBuffer? {
        var reader = Reader(json, type)
        return reader.array()
    }

    /// Reads the JSON of an array of values.
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private let form: ColumnType.ElementForm
        private var position = 0

        init(_ bytes: UnsafeRawBufferPointer, _ type: ColumnType?) {
            (self.bytes, form) = (bytes, type?.elementForm ?? .plain)
        }

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func skipBlanks() {
            while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
        }

        private mutating func skip(word: String) -> Bool {
            guard bytes[position...].starts(with: word.utf8) else { return false }
            position += word.utf8.count
            return true
        }

        mutating func array() -> ParameterBuffer? {
            var elements = ParameterBuffer(width: 1)
            skipBlanks()
            guard skip("[") else { return nil }
            skipBlanks()
            if !skip("]") {
                repeat {
                    skipBlanks()
                    guard element(&elements) else { return nil }
                    skipBlanks()
                } while skip(",")
                guard skip("]") else { return nil }
            }
            skipBlanks()
            return position == bytes.count ? elements : nil
        }

        private mutating func element(_ elements: inout ParameterBuffer) -> Bool {
            if skip(word: "null") {
                elements.append(.null)
            } else if skip(word: "true") {
                elements.append(.boolean(true))
            } else if skip(word: "false") {
                elements.append(.boolean(false))
            } else if next == UInt8(ascii: "\"") {
                guard let text = string() else { return false }
                return append(text, to: &elements)
            } else {
                let start = position
                while let byte = next, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
                let digits = String(decoding: bytes[start..<position], as: UTF8.self)
                if form == .decimal {
                    // With all of its digits, which no `Double` has.
                    return Self.append(decimal: digits, to: &elements)
                } else if let integer = Int64(digits) {
                    elements.append(.integer(integer))
                } else if let real = Double(digits), real.isFinite {
                    elements.append(.real(real))
                } else {
                    return false
                }
            }
            return true
        }

        /// Adds what a string stands for among elements of the type.
        private func append(_ text: [UInt8], to elements: inout ParameterBuffer) -> Bool {
            switch form {
            case .plain: text.withUnsafeBytes { elements.append(.text, $0) }
            case .timestamp:
                guard let instant = text.withUnsafeBytes({ ISO8601.microseconds(of: $0) }) else { return false }
                elements.append(.timestamp(instant))
            case .uuid:
                guard let uuid = UUID(uuidString: String(decoding: text, as: UTF8.self)) else { return false }
                withUnsafeBytes(of: uuid.uuid) { elements.append(.uuid, $0) }
            case .decimal:
                return Self.append(decimal: String(decoding: text, as: UTF8.self), to: &elements)
            }
            return true
        }

        /// Adds a number by its digits; one with an exponent as a floating-point number.
        private static func append(decimal digits: String, to elements: inout ParameterBuffer) -> Bool {
            guard let real = Double(digits), real.isFinite else { return false }
            if digits.utf8.contains(where: { "eE".utf8.contains($0) }) {
                elements.append(.real(real))
            } else {
                var digits = digits
                digits.withUTF8 { elements.append(.decimal, UnsafeRawBufferPointer($0)) }
            }
            return true
        }

        /// The UTF-8 of a string without its escapes.
        private mutating func string() -> [UInt8]? {
            guard skip("\"") else { return nil }
            var text: [UInt8] = []
            while let byte = next {
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return text
                case UInt8(ascii: "\\"):
                    guard let scalar = escape() else { return nil }
                    text += String(Character(scalar)).utf8
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func escape() -> Unicode.Scalar? {
            guard let byte = next else { return nil }
            position += 1
            switch Character(Unicode.Scalar(byte)) {
            case "\"", "\\", "/": return Unicode.Scalar(byte)
            case "b": return "\u{8}"
            case "f": return "\u{C}"
            case "n": return "\n"
            case "r": return "\r"
            case "t": return "\t"
            case "u": return unicode()
            default: return nil
            }
        }

        private mutating func unicode() -> Unicode.Scalar? {
            guard let first = unit() else { return nil }
            guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
            guard skip("\\"), skip("u"), let second = unit(), (0xDC00..<0xE000).contains(second) else { return nil }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        }

        private mutating func unit() -> UInt32? {
            let digits = bytes[position...].prefix(4)
            guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
                return nil
            }
            position += 4
            return unit
        }
    }
}
