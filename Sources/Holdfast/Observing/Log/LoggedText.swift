import Foundation

/// Values in the change log: texts, as the triggers of either engine write them.
enum LoggedText {
    /// Appends the cell that a column of a type has for a text.
    ///
    /// - Returns: false if no such column holds it.
    static func append(_ text: String, _ type: ColumnType, to buffer: inout ParameterBuffer) -> Bool {
        switch type {
        case .boolean:
            guard let value = ["true": true, "1": true, "false": false, "0": false][text] else { return false }
            buffer.append(.boolean(value))
        case .int16, .int32, .int64:
            guard let value = Int64(text) else { return false }
            buffer.append(.integer(value))
        case .float:
            // To the nearest, since an engine may write fewer digits than a Double of that value has.
            guard let value = Float(text) else { return false }
            buffer.append(.real(Double(value)))
        case .double:
            guard let value = Double(text) else { return false }
            buffer.append(.real(value))
        case .timestamp:
            guard let microseconds = Int64(text) ?? ISO8601.microseconds(of: text) ?? beforeChrist(text) else {
                return false
            }
            buffer.append(.timestamp(microseconds))
        case .decimal: append(text, as: .decimal, to: &buffer)
        case .text: append(text, as: .text, to: &buffer)
        case .json: append(text, as: .json, to: &buffer)
        case .uuid:
            guard let bytes = bytes(text.replacing("-", with: "")), bytes.count == 16 else { return false }
            bytes.withUnsafeBytes { buffer.append(.uuid, $0) }
        case .blob:
            guard let bytes = bytes(text.hasPrefix("\\x") ? String(text.dropFirst(2)) : text) else { return false }
            bytes.withUnsafeBytes { buffer.append(.blob, $0) }
        }
        return true
    }

    /// An instant of a year before the first one, as PostgreSQL writes it: the year 1 BC is the year 0.
    private static func beforeChrist(_ text: String) -> Int64? {
        guard text.hasSuffix(" BC"), let end = text.firstIndex(of: "-"), let year = Int(text[..<end]) else {
            return nil
        }
        let digits = String(year - 1)
        let zeros = String(repeating: "0", count: max(4 - digits.count, 0))
        return ISO8601.microseconds(of: "-\(zeros)\(digits)\(text[end...].dropLast(3))")
    }

    private static func append(_ text: String, as kind: Cell.Kind, to buffer: inout ParameterBuffer) {
        var text = text
        text.withUTF8 { buffer.append(kind, UnsafeRawBufferPointer($0)) }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}

extension String {
    /// The text as a string of JSON (RFC 8259).
    package var jsonQuoted: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
