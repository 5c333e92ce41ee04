/// Cuts the bytes of a package index into stanzas, as they come.
///
/// The format is that of Debian's control files, deb822(5): a field is `Name: value`; a line that begins with white
/// space continues the field before it; an empty line ends the stanza; a line that begins with `#` is a comment.
struct StanzaReader {
    /// The stanza so far; the last of its lines may not be complete.
    private var stanza = Stanza()

    /// Where that last line begins in the stanza's bytes.
    private var lineStart = 0

    /// The number of that line, counted from 1.
    private(set) var line = 1

    /// Reads more of the index.
    ///
    /// - Returns: The stanzas that end in it.
    /// - Throws: `PackageIndexError` if a line has no place in any stanza.
    mutating func read(_ chunk: [UInt8]) throws -> [Stanza] {
        var stanzas: [Stanza] = []
        var start = 0
        while let newline = chunk.firstIndex(of: .newline, in: start..<chunk.count) {
            stanza.bytes.append(contentsOf: chunk[start...newline])
            if let stanza = try endLine() { stanzas.append(stanza) }
            start = newline + 1
        }
        stanza.bytes.append(contentsOf: chunk[start...])
        return stanzas
    }

    /// Ends the index: its last line may lack a newline, and its last stanza the empty line.
    ///
    /// - Returns: The last stanza, if it had not ended.
    /// - Throws: `PackageIndexError` if the last line has no place in any stanza.
    mutating func finish() throws -> Stanza? {
        if stanza.bytes.count > lineStart {
            stanza.bytes.append(.newline)
            if let stanza = try endLine() { return stanza }
        }
        return endStanza()
    }

    /// Gives the line that is complete now its place, and returns the stanza that it ends, if it ends one.
    private mutating func endLine() throws -> Stanza? {
        defer {
            lineStart = stanza.bytes.count
            line += 1
        }
        let content = lineStart..<stanza.bytes.count - 1
        try checkText(content)
        if stanza.bytes.trimmed(content).isEmpty {
            return endStanza()
        } else if stanza.bytes[lineStart] == UInt8(ascii: "#") {
            stanza.bytes.removeSubrange(lineStart...)
        } else if stanza.bytes[lineStart].isWhiteSpace {
            try continueField(upTo: content.upperBound)
        } else {
            try beginField(content)
        }
        return nil
    }

    private mutating func endStanza() -> Stanza? {
        defer { stanza = Stanza() }
        return stanza.fields.isEmpty ? nil : stanza
    }

    private mutating func continueField(upTo end: Int) throws {
        guard let last = stanza.fields.indices.last else { throw error(.continuationWithoutField) }
        stanza.fields[last].value = stanza.fields[last].value.lowerBound..<end
    }

    private mutating func beginField(_ content: Range<Int>) throws {
        guard let colon = stanza.bytes.firstIndex(of: UInt8(ascii: ":"), in: content) else { throw error(.noColon) }
        let name = stanza.text(at: content.lowerBound..<colon)
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw error(.invalidFieldName(name))
        }
        let field = Stanza.Field(name: name.lowercased(), value: colon + 1..<content.upperBound, line: line)
        guard !stanza.fields.contains(where: { $0.name == field.name }) else { throw error(.duplicateField(name)) }
        stanza.fields.append(field)
    }

    /// Refuses what no database would take as text.
    private func checkText(_ content: Range<Int>) throws {
        if stanza.bytes.firstIndex(of: 0, in: content) != nil { throw error(.nulCharacter) }
        if !stanza.bytes.isASCII(in: content), String(validating: stanza.bytes[content], as: UTF8.self) == nil {
            throw error(.invalidUTF8)
        }
    }

    private func error(_ problem: PackageIndexError.Problem) -> PackageIndexError {
        PackageIndexError(line: line, problem: problem)
    }
}
