/// Functions with which drivers read a URL.
@_spi(Driver) public enum DatabaseURL {
    /// The text behind `%41` and the like.
    ///
    /// ```swift
    /// DatabaseURL.percentDecoded("caf%C3%A9")    // "café"
    /// ```
    ///
    /// - Returns: Nil where a `%` is not followed by two hexadecimal digits, or the bytes are no UTF-8 or have a NUL.
    public static func percentDecoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue),
                high | low != 0
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

extension DatabaseError {
    /// The error for a URL, or another text that names a database, which can't be read: ``Code/cannotConnect`` of every
    /// driver.
    ///
    /// - Parameter message: A sentence that says what is wrong and how to mend it, without any part of the text that
    ///   may belong to a password.
    public static func malformedURL(_ message: String) -> DatabaseError { DatabaseError(.cannotConnect, message) }

    /// The error for a URL without any text, as when the variable that should have it is not set.
    package static var emptyURL: DatabaseError {
        malformedURL("The database URL is empty. Check that the setting that should have it is there.")
    }
}
