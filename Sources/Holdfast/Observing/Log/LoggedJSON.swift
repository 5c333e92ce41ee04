/// Reads the JSON that triggers write into the change log: lists and objects of texts.
///
/// It takes what engines write: control characters in strings, which SQLite leaves as they are, bytes that are no
/// UTF-8, and values that are no texts, as earlier versions wrote them, each as it is written.
struct LoggedJSON {
    /// The members of an object.
    struct Members {
        var texts: [String: String?] = [:]
        /// The names of those whose bytes were no UTF-8, and were repaired.
        var repaired: Set<String> = []
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The texts and nulls of a list; nil if that is none, or if one of them is no UTF-8.
    static func list(_ bytes: UnsafeRawBufferPointer) -> [String?]? {
        var reader = LoggedJSON(bytes)
        var texts: [String?] = []
        let isRead = reader.items("[", "]") { reader in
            guard let value = reader.value() else { return false }
            guard let bytes = value.bytes else {
                texts.append(nil)
                return true
            }
            guard let text = String(validating: bytes, as: UTF8.self) else { return false }
            texts.append(text)
            return true
        }
        return isRead ? texts : nil
    }

    /// The members of an object; nil if that is none.
    static func members(_ bytes: UnsafeRawBufferPointer) -> Members? {
        var reader = LoggedJSON(bytes)
        var members = Members()
        let isRead = reader.items("{", "}") { reader in
            guard let bytes = reader.string(), let name = String(validating: bytes, as: UTF8.self), reader.skip(":"),
                let value = reader.value()
            else { return false }
            let text = value.bytes.map { String(decoding: $0, as: UTF8.self) }
            members.texts.updateValue(text, forKey: name)
            if let bytes = value.bytes, let text, !text.utf8.elementsEqual(bytes) { members.repaired.insert(name) }
            return true
        }
        return isRead ? members : nil
    }

    // MARK: Parts

    /// A value: the bytes of its text, or of what is written; none if it is null.
    private struct Value { var bytes: [UInt8]? }

    /// Reads all that there is: what stands between two brackets, with commas.
    private mutating func items(
        _ first: Unicode.Scalar, _ last: Unicode.Scalar, _ item: (inout LoggedJSON) -> Bool
    ) -> Bool {
        guard skip(first) else { return false }
        if !skip(last) {
            repeat { if !item(&self) { return false } } while skip(",")
            guard skip(last) else { return false }
        }
        skipSpaces()
        return position == bytes.count
    }

    private mutating func value() -> Value? {
        if let string = string() { return Value(bytes: string) }
        let start = position
        var depth = 0
        scan: while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return nil }
                continue scan
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { break scan }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: break scan
            default: break
            }
            position += 1
        }
        guard depth == 0, position > start else { return nil }
        let raw = bytes[start..<position]
        return Value(bytes: raw.elementsEqual("null".utf8) ? nil : Array(raw))
    }

    /// Reads a string, if there is one.
    private mutating func string() -> [UInt8]? {
        guard skip("\"") else { return nil }
        var text: [UInt8] = []
        while position < bytes.count {
            let end = bytes[position...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            guard let end else { return nil }
            text += bytes[position..<end]
            position = end + 1
            if bytes[end] == UInt8(ascii: "\"") { return text }
            guard escape(to: &text) else { return nil }
        }
        return nil
    }

    private mutating func escape(to text: inout [UInt8]) -> Bool {
        guard position < bytes.count else { return false }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "u"):
            guard var code = codeUnit() else { return false }
            if (0xD800..<0xDC00).contains(code), skip("\\"), skip("u"), let low = codeUnit(), low >= 0xDC00 {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { return false }
            text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        default: text.append(byte)
        }
        return true
    }

    /// Reads four hexadecimal digits.
    private mutating func codeUnit() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        defer { position += 4 }
        return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }
}
