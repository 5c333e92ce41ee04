/// What a search asks for, as a tree.
@_spi(Driver) public indirect enum SearchTerms: Hashable, Sendable {
    /// Words one after the other in one property; the last one may be the beginning of a word.
    ///
    /// They are as somebody wrote them: ``folded(_:)`` takes their case away.
    case phrase([String], isPrefix: Bool)
    /// All of some; of none, everything.
    case all([SearchTerms])
    /// One of some; of none, nothing.
    case any([SearchTerms])
    /// What is not found.
    case not(SearchTerms)

    /// Returns a word without case, as words are compared.
    public static func folded(_ word: String) -> String { SearchWords.folded(word) }

    /// Small letters that differ from others only in form, and those: what taking a text's case away leaves to do.
    public static let variantLetters = SearchWords.variantLetters

    /// The accents that are part of a word behind its letters, as regular expressions have them in brackets.
    public static let marks = SearchWords.marks

    /// The bytes of the longest words that are found.
    public static let greatestLength = SearchWords.greatestLength

    static let nothing = SearchTerms.any([])
    static let everything = SearchTerms.all([])

    /// All words of a text, each written run of characters a phrase of its words: `foo@bar.com` is "foo bar com".
    static func words(_ text: String) -> [SearchTerms] {
        text.split(whereSeparator: \.isWhitespace).compactMap { phrase(String($0), isPrefix: false) }
    }

    /// A phrase of the words of a text; nil if it has none.
    static func phrase(_ text: String, isPrefix: Bool) -> SearchTerms? {
        let words = SearchWords.words(in: text)
        return words.isEmpty ? nil : .phrase(words, isPrefix: isPrefix)
    }

    /// The same without what is empty, nested in itself, or in no index.
    var simplified: SearchTerms {
        switch self {
        case .phrase(let words, _):
            let isFound =
                !words.isEmpty && words.allSatisfy { SearchWords.folded($0).utf8.count <= SearchWords.greatestLength }
            return isFound ? self : .nothing
        case .not(let terms):
            switch terms.simplified {
            case .not(let inner): return inner
            case .nothing: return .everything
            case .everything: return .nothing
            case let simple: return .not(simple)
            }
        case .all(let parts):
            var result: [SearchTerms] = []
            for part in parts {
                switch part.simplified {
                case .all(let inner): result += inner
                case .nothing: return .nothing
                case let simple: result.append(simple)
                }
            }
            return result.count == 1 ? result[0] : .all(result)
        case .any(let parts):
            var result: [SearchTerms] = []
            for part in parts {
                switch part.simplified {
                case .any(let inner): result += inner
                case .everything: return .everything
                case let simple: result.append(simple)
                }
            }
            return result.count == 1 ? result[0] : .any(result)
        }
    }

    /// The phrases that make an object better the more it has of them: those that are not to be missing.
    var wanted: [SearchTerms] {
        switch self {
        case .phrase: [self]
        case .all(let parts), .any(let parts): parts.flatMap(\.wanted)
        case .not: []
        }
    }

    /// The number of levels: whoever walks over them recurses.
    public var depth: Int {
        switch self {
        case .phrase: 1
        case .not(let terms): terms.depth + 1
        case .all(let parts), .any(let parts): (parts.map(\.depth).max() ?? 0) + 1
        }
    }

    // MARK: Texts

    /// Whether texts, each of which has been divided into folded words, are found.
    func finds(_ texts: [[String]]) -> Bool {
        switch self {
        case .phrase(let words, let isPrefix):
            let words = words.map { SearchWords.folded($0) }
            return texts.contains { !Self.places(of: words, isPrefix: isPrefix, in: $0).isEmpty }
        case .all(let parts): return parts.allSatisfy { $0.finds(texts) }
        case .any(let parts): return parts.contains { $0.finds(texts) }
        case .not(let terms): return !terms.finds(texts)
        }
    }

    /// Where a phrase of folded words begins among others.
    static func places(of phrase: [String], isPrefix: Bool, in words: [String]) -> [Int] {
        guard let last = phrase.last, words.count >= phrase.count else { return [] }
        return (0...(words.count - phrase.count)).filter { start in
            let end = start + phrase.count - 1
            guard isPrefix ? words[end].utf8.starts(with: last.utf8) : words[end].utf8.elementsEqual(last.utf8) else {
                return false
            }
            return zip(phrase.dropLast(), words[start..<end]).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }
    }
}
