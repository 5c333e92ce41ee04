extension Stanza {
    /// A value that belongs in one line; lines that continue it are joined by a space.
    ///
    /// `nil` if it is empty.
    func line(of field: Field) -> String? {
        let range = bytes.trimmed(field.value)
        return range.isEmpty ? nil : folded(range)
    }

    /// The items of a value that separates them with commas, without those that are empty.
    ///
    /// A comma in braces separates nothing: `use::{monitor,scan}` is one tag.
    func items(of field: Field) -> [String] {
        var items: [String] = []
        var start: Int?
        for part in bytes.split(field.value, by: UInt8(ascii: ",")) {
            let item = bytes.trimmed((start ?? part.lowerBound)..<part.upperBound)
            if opensBrace(item) {
                start = item.lowerBound
            } else {
                start = nil
                if !item.isEmpty { items.append(folded(item)) }
            }
        }
        if let start { items.append(folded(bytes.trimmed(start..<field.value.upperBound))) }
        return items
    }

    /// The first line of a description, and the others as paragraphs; `nil` for a part that is not there.
    ///
    /// In the index, each of the others begins with a space, and a line with only a dot stands for an empty one.
    func description(of field: Field) -> (summary: String?, paragraphs: String?) {
        let lines = bytes.split(field.value, by: .newline)
        let summary = bytes.trimmed(lines[0])
        let paragraphs = lines.dropFirst().map { line in
            let text = text(at: line.lowerBound + 1..<bytes.trimmed(line).upperBound)
            return text == "." ? "" : text
        }
        return (
            summary.isEmpty ? nil : text(at: summary),
            paragraphs.isEmpty ? nil : paragraphs.joined(separator: "\n")
        )
    }

    /// Whether more braces are opened in the range than closed.
    private func opensBrace(_ range: Range<Int>) -> Bool {
        guard bytes.firstIndex(of: UInt8(ascii: "{"), in: range) != nil else { return false }
        return bytes[range].count { $0 == UInt8(ascii: "{") } > bytes[range].count { $0 == UInt8(ascii: "}") }
    }

    /// The text in the range; where it goes on in another line, a single space.
    private func folded(_ range: Range<Int>) -> String {
        guard bytes.firstIndex(of: .newline, in: range) != nil else { return text(at: range) }
        return bytes.split(range, by: .newline).map { text(at: bytes.trimmed($0)) }.joined(separator: " ")
    }
}
