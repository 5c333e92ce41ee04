@_spi(Driver) extension Dialect {
    /// A text constant in which only the quote is special: `'it''s'`.
    public func quotedText(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    /// Bytes as hexadecimal digits in lower case, two for each.
    public func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
