/// A piece of a text of SQL, as ``SQLTokens`` finds it.
package struct SQLToken: Sendable {
    /// What a piece of a text is.
    package enum Kind: Sendable {
        case space
        /// `-- …` or `/* … */`.
        case comment
        /// A keyword, or a name without quotes.
        case word
        /// `"name"`, `` `name` `` or `[name]`.
        case quotedName
        /// `'it''s'`.
        case string
        /// The string of `E'it\'s'`, whose mark is a word.
        case escapedString
        /// `$$it's$$`.
        case dollarString
        /// A number up to its point, and what comes behind that.
        case number
        /// `$1`, `?`, `:name`.
        case parameter
        /// Any other byte by itself.
        case symbol
    }

    package let kind: Kind
    /// Where it stands in the text.
    package let range: Range<String.Index>

    /// Whether it is neither space nor a comment.
    package var isContent: Bool { kind != .space && kind != .comment }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether a byte can be in a word; at its beginning, digits and `$` are not.
    static func isPartOfWord(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte | 0x20) || isDigit(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$") || byte >= 0x80
    }
}
