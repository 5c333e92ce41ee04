/// A reader of JSON as RFC 8259 has it, which refuses what engines and decoders understand differently: a name that an
/// object has twice, U+0000, half of a surrogate pair, numbers that no `Double` comes near, and deep nesting.
struct JSONParser {
    /// A reason why a text was refused.
    struct Fault: Error {
        let reason: String
        /// The number of bytes before what is wrong.
        let offset: Int
    }

    /// The greatest number of arrays and objects around a value.
    static let greatestDepth = 200
    /// The greatest number of characters of a number that is written without an exponent, as some engines do.
    private static let greatestNumberLength = 1_000

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Checks a text, which has to be one value.
    static func check(_ text: String) throws(Fault) {
        try withParser(of: text) { parser throws(Fault) in
            try parser.skipValue(depth: 0)
            try parser.requireEnd()
        }
    }

    /// Reads a text, which has to be one value, with all that is in it.
    static func tree(of text: String) throws(Fault) -> JSONTree {
        try withParser(of: text) { parser throws(Fault) in
            let tree = try parser.tree(depth: 0)
            try parser.requireEnd()
            return tree
        }
    }

    /// The members of an object, in their order; nil if the text is no object.
    static func members(of text: String) throws(Fault) -> [(name: String, value: String)]? {
        try withParser(of: text) { parser throws(Fault) in
            guard parser.next() == UInt8(ascii: "{") else { return nil }
            var members: [(name: String, value: String)] = []
            try parser.takeObject { parser, name throws(Fault) in
                members.append((try parser.string(from: name), try parser.value(depth: 1)))
            }
            return members
        }
    }

    /// The elements of an array; nil if the text is no array.
    static func elements(of text: String) throws(Fault) -> [String]? {
        try withParser(of: text) { parser throws(Fault) in
            guard parser.next() == UInt8(ascii: "[") else { return nil }
            var elements: [String] = []
            try parser.takeArray { parser throws(Fault) in elements.append(try parser.value(depth: 1)) }
            return elements
        }
    }

    /// What the text says if it is a string, without escapes; nil if it is none.
    static func string(of text: String) throws(Fault) -> String? {
        try withParser(of: text) { parser throws(Fault) in
            guard parser.next() == UInt8(ascii: "\"") else { return nil }
            return try parser.string()
        }
    }

    /// The first byte of a value.
    static func firstByte(of text: String) -> UInt8? { text.utf8.first { !isSpace($0) } }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private static func withParser<Result>(
        of text: String, _ body: (inout JSONParser) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        var text = text
        var outcome: Swift.Result<Result, Fault>?
        text.withUTF8 { bytes in
            var parser = JSONParser(bytes: bytes)
            do throws(Fault) { outcome = .success(try body(&parser)) } catch { outcome = .failure(error) }
        }
        guard let outcome else { throw Fault(reason: "there is no text", offset: 0) }
        return try outcome.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    // MARK: Characters

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func beginsNumber(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "-") }

    private func fault(_ reason: String, at offset: Int? = nil) -> Fault {
        Fault(reason: reason, offset: offset ?? position)
    }

    /// The byte here, behind spaces; nil at the end.
    private mutating func next() -> UInt8? {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func requireEnd() throws(Fault) {
        if next() != nil { throw fault("there is more after the value") }
    }

    private func text(from start: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    }

    // MARK: Values

    private mutating func skipValue(depth: Int) throws(Fault) {
        try checkDepth(depth)
        switch next() {
        case UInt8(ascii: "{"):
            try takeObject { parser, _ throws(Fault) in try parser.skipValue(depth: depth + 1) }
        case UInt8(ascii: "["): try takeArray { parser throws(Fault) in try parser.skipValue(depth: depth + 1) }
        case UInt8(ascii: "\""): _ = try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        case let byte? where Self.beginsNumber(byte): try skipNumber()
        case nil: throw fault("it ends where a value should be")
        default: throw fault("no value begins like this")
        }
    }

    private func checkDepth(_ depth: Int) throws(Fault) {
        guard depth <= Self.greatestDepth else {
            throw fault("arrays and objects are nested in more than \(Self.greatestDepth) levels")
        }
    }

    /// Reads the text of a value.
    private mutating func value(depth: Int) throws(Fault) -> String {
        _ = next()
        let start = position
        try skipValue(depth: depth)
        return text(from: start)
    }

    /// Reads a value with all that is in it.
    private mutating func tree(depth: Int) throws(Fault) -> JSONTree {
        try checkDepth(depth)
        switch next() {
        case UInt8(ascii: "{"):
            var members: [String: JSONTree] = [:]
            try takeObject { parser, name throws(Fault) in
                let name = try parser.string(from: name)
                members[name] = try parser.tree(depth: depth + 1)
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONTree] = []
            try takeArray { parser throws(Fault) in elements.append(try parser.tree(depth: depth + 1)) }
            return .array(elements)
        default: return .scalar(JSON(part: try value(depth: depth), isChecked: true))
        }
    }

    private mutating func skipWord(_ word: StaticString) throws(Fault) {
        guard bytes.count - position >= word.utf8CodeUnitCount else { throw fault("no value begins like this") }
        for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
            throw fault("no value begins like this")
        }
        position += word.utf8CodeUnitCount
    }

    /// Reads an object.
    ///
    /// - Parameter member: Reads the value of a member; it gets the place of the name, which it may have no use for.
    private mutating func takeObject(
        _ member: (inout JSONParser, _ name: Int) throws(Fault) -> Void
    ) throws(Fault) {
        position += 1
        if take("}") { return }
        var names = MemberNames()
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw fault("a member of an object has no name") }
            let start = position
            let plain = try skipString()
            let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start + 1..<position - 1])
            let isNew = try plain ? names.insert(plain: name) : names.insert(string(from: start))
            guard isNew else { throw fault("an object has a name twice", at: start) }
            guard take(":") else { throw fault("a name has no value") }
            try member(&self, start)
        } while take(",")
        guard take("}") else { throw fault("an object does not end") }
    }

    /// Reads an array.
    ///
    /// - Parameter element: Reads an element.
    private mutating func takeArray(_ element: (inout JSONParser) throws(Fault) -> Void) throws(Fault) {
        position += 1
        if take("]") { return }
        repeat { try element(&self) } while take(",")
        guard take("]") else { throw fault("an array does not end") }
    }

    // MARK: Numbers

    private mutating func skipNumber() throws(Fault) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let whole = try skipDigits()
        if whole > 1, bytes[position - whole] == UInt8(ascii: "0") {
            throw fault("a number begins with a zero", at: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            _ = try skipDigits()
        }
        var exponent = 0
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = position
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            _ = try skipDigits()
            exponent = abs(Int(text(from: sign)) ?? Int(Int32.max))
        }
        // Few digits without an exponent are within reach of any engine.
        guard exponent > 0 || position - start > 15 else { return }
        // One that an engine has written without its exponent has the sign and the zero before the point besides.
        guard position - start + exponent <= Self.greatestNumberLength + (exponent == 0 ? 2 : 0) else {
            throw fault("a number is too long", at: start)
        }
        guard Double(text(from: start))?.isFinite ?? false else {
            throw fault("a number is beyond what a Double can be", at: start)
        }
    }

    private mutating func skipDigits() throws(Fault) -> Int {
        let start = position
        while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
        guard position > start else { throw fault("a number lacks digits") }
        return position - start
    }

    // MARK: Strings

    /// Checks a string, from its quotation mark on.
    ///
    /// - Returns: Whether it is of ASCII alone, without escapes.
    private mutating func skipString() throws(Fault) -> Bool {
        let start = position
        var isASCII = true
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return isASCII
            case UInt8(ascii: "\\"):
                position = start
                _ = try string()
                return false
            case 0..<0x20: throw fault("a string has a control character")
            case let byte: isASCII = isASCII && byte < 0x80
            }
            position += 1
        }
        throw fault("a string does not end")
    }

    /// What a string that was checked says.
    private func string(from start: Int) throws(Fault) -> String {
        var parser = self
        parser.position = start
        return try parser.string()
    }

    /// Reads a string, from its quotation mark on.
    private mutating func string() throws(Fault) -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\") {
            guard bytes[position] >= 0x20 else { throw fault("a string has a control character") }
            position += 1
        }
        var result = text(from: start)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return result
            }
            if byte == UInt8(ascii: "\\") {
                result.unicodeScalars.append(try escape())
                continue
            }
            let run = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\") {
                guard bytes[position] >= 0x20 else { throw fault("a string has a control character") }
                position += 1
            }
            result += text(from: run)
        }
        throw fault("a string does not end")
    }

    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        let start = position
        position += 2
        guard position <= bytes.count else { throw fault("a string does not end") }
        switch bytes[position - 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw fault("a backslash stands before a character that needs none", at: start)
        }
        let first = try codeUnit()
        guard first != 0 else { throw fault("a string has a NUL character, which text can't hold", at: start) }
        if let scalar = Unicode.Scalar(first) { return scalar }
        // Only the higher half can come first.
        guard first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw fault("a string has half of a surrogate pair", at: start) }
        position += 2
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw fault("a string has half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(Fault) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw fault("an escape lacks digits")
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
