/// Markup, which is written as a literal, and text in it, which is escaped.
///
/// ```swift
/// let cell: HTML = "<td>\(project.name)</td>"
/// ```
///
/// Only literals and other values of this type are taken as markup, so that nothing of what people have written is, as
/// long as nobody calls `init(stringLiteral:)` with it. Values are for texts and for attributes in double quotation
/// marks: a script, or an address that begins with what somebody has written, needs more than escaping.
struct HTML: ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral literal: String) { text = literal }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ html: HTML?) { if let html { text += html.text } }

        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }

        /// Adds markup that depends on something: an attribute without a value.
        mutating func appendInterpolation(_ html: HTML, if condition: Bool) { if condition { text += html.text } }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ value: String) {
            // By bytes, since browsers see a quotation mark also where an accent follows, and characters do not.
            guard value.utf8.contains(where: { HTML.escapes($0) != nil }) else { return text += value }
            for scalar in value.unicodeScalars {
                if let escaped = UInt8(exactly: scalar.value).flatMap(HTML.escapes) {
                    text += escaped
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
    }

    /// What stands for a byte that would end a text or a quoted attribute.
    private static func escapes(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
