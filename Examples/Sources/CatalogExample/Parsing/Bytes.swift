import Foundation

// The loops of the parser and of comparisons. A debug build, which does not specialize the standard library's
// algorithms for bytes, runs these ten times faster.

extension [UInt8] {
    /// The first place in the range that holds the byte.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = memchr(start + range.lowerBound, Int32(byte), range.upperBound - range.lowerBound)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }

    /// Whether no byte in the range has its highest bit set.
    func isASCII(in range: Range<Int>) -> Bool {
        withUnsafeBytes { bytes in
            var (index, end) = (range.lowerBound, range.upperBound)
            while index + 8 <= end {
                let eight = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                guard eight & 0x8080_8080_8080_8080 == 0 else { return false }
                index += 8
            }
            while index < end {
                guard bytes[index] < 0x80 else { return false }
                index += 1
            }
            return true
        }
    }

    /// The range without the white space at both ends; at its end, if it has nothing else.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isWhiteSpace { start += 1 }
        while start < end, self[end - 1].isWhiteSpace { end -= 1 }
        return start..<end
    }

    /// The ranges between the separators in the range.
    func split(_ range: Range<Int>, by separator: UInt8) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        while let end = firstIndex(of: separator, in: start..<range.upperBound) {
            parts.append(start..<end)
            start = end + 1
        }
        parts.append(start..<range.upperBound)
        return parts
    }
}

extension String {
    /// Whether both are the same bytes of UTF-8.
    ///
    /// Swift takes two spellings of an accented letter for the same; a database does not.
    func hasSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let start = left.baseAddress, let otherStart = right.baseAddress else { return true }
                return memcmp(start, otherStart, left.count) == 0
            }
        }
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")

    /// Whether this is a space, a tab or the end of a line.
    var isWhiteSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}
