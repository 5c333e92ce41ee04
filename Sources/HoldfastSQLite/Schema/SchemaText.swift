@_spi(Driver) import Holdfast

/// The tokens of a statement that the library has kept in its schema, so one that it could read.
struct SchemaText {
    private let all: SQLTokens
    /// Without space and comments.
    let tokens: [SQLToken]

    init(_ text: String) {
        all = SQLTokens(text, .sqlite)
        tokens = all.filter(\.isContent)
    }

    // MARK: Reading

    /// Whether the token at `index` is a keyword.
    func isWord(_ word: String, at index: Int) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return false }
        return all.text(of: tokens[index]).utf8.elementsEqual(word.utf8) { $0 & 0xdf == $1 & 0xdf }
    }

    func isSymbol(_ symbol: Character, at index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .symbol
            && all.text(of: tokens[index]).utf8.first == symbol.asciiValue
    }

    /// The name that the token at `index` is, without its quotes; a text can be a name too.
    func name(at index: Int) -> String? {
        guard tokens.indices.contains(index), tokens[index].kind != .symbol else { return nil }
        return all.contents(of: tokens[index])
    }

    /// The text of tokens, with what is between them.
    func text(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last, tokens.indices.contains(last) else { return "" }
        return String(all.sql[tokens[first].range.lowerBound..<tokens[last].range.upperBound])
    }

    /// The whole text with something else in place of some tokens, whose positions ascend.
    func replacing(_ places: [Int], with replacement: String) -> String {
        var (result, start) = ("", all.sql.startIndex)
        for place in places {
            result += all.sql[start..<tokens[place].range.lowerBound] + replacement
            start = tokens[place].range.upperBound
        }
        return result + all.sql[start...]
    }

    /// The tokens between the parenthesis at `index` and the one that closes it.
    func group(at index: Int) -> Range<Int>? {
        guard isSymbol("(", at: index) else { return nil }
        var depth = 0
        for position in index..<tokens.count {
            if isSymbol("(", at: position) { depth += 1 }
            if isSymbol(")", at: position) {
                depth -= 1
                if depth == 0 { return index + 1..<position }
            }
        }
        return nil
    }

    /// The parts of a range that commas separate, outside of parentheses.
    func parts(of range: Range<Int>) -> [Range<Int>] {
        var (parts, start, depth): ([Range<Int>], Int, Int) = ([], range.lowerBound, 0)
        for position in range {
            if isSymbol("(", at: position) { depth += 1 }
            if isSymbol(")", at: position) { depth -= 1 }
            if depth == 0, isSymbol(",", at: position) {
                parts.append(start..<position)
                start = position + 1
            }
        }
        if start < range.upperBound { parts.append(start..<range.upperBound) }
        return parts
    }

    /// The first token outside of parentheses that is a keyword.
    func firstWord(_ word: String, from start: Int = 0) -> Int? {
        var depth = 0
        for position in tokens.indices.dropFirst(start) {
            if isSymbol("(", at: position) { depth += 1 }
            if isSymbol(")", at: position) { depth -= 1 }
            if depth == 0, isWord(word, at: position) { return position }
        }
        return nil
    }
}
