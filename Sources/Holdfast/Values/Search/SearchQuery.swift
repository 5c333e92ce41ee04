/// What a full text search looks for: words, phrases and beginnings of words, and how they are combined.
///
/// It is made of a text that somebody has typed, which is never refused, or of parts:
///
/// ```swift
/// let typed = SearchQuery("red car -\"sports car\"")
/// let built = SearchQuery.all(.words("red car"), .not(.phrase("sports car")))    // the same
/// let articles = try await db.query(Article.self).where { $0.matches(typed) }.fetch()
/// ```
///
/// In a text:
///
/// - All words must occur: `red car`. Case makes no difference, accents do.
/// - `"red car"` is a phrase: the words one after the other. So is what is written without spaces, such as
///   `red-car` or `ann@example.com`.
/// - `car*` is the beginning of a word.
/// - `OR` between two parts asks for one of them; `AND` may be written, and binds closer.
/// - `NOT` or `-` before a part asks for objects without it.
/// - Parentheses group.
///
/// The operators are written in capitals. What makes no sense, such as a parenthesis that is never closed, is passed
/// over. Of a text, no more than ``greatestCount`` words and phrases are looked for.
///
/// A word is the longest run of letters and decimal digits of Unicode, with the accents that stand behind letters:
/// `don't` is `don` and `t`. Scripts that are written without spaces, such as Chinese, have long words; ask for
/// their beginnings.
public struct SearchQuery: Hashable, Sendable {
    let terms: SearchTerms
    /// Whether it was nested so deeply that it is refused.
    let isTooDeep: Bool

    /// The number of words and phrases that are looked for of a text.
    public static let greatestCount = 100

    /// How many levels it may have, so that none can exhaust the stack.
    private static let greatestDepth = 40

    init(_ terms: SearchTerms, of queries: [SearchQuery] = []) {
        isTooDeep = queries.contains(where: \.isTooDeep) || terms.depth > Self.greatestDepth
        self.terms = isTooDeep ? .nothing : terms.simplified
    }

    /// Reads a text that somebody has typed.
    ///
    /// ```swift
    /// SearchQuery("(red OR blue) car -\"sports car\" conv*")
    /// ```
    ///
    /// - Parameter text: Any text; one without a word makes a query that finds nothing.
    public init(_ text: String) { self.init(SearchTextParser.parse(text) ?? .nothing) }

    /// Whether it looks for nothing at all, as one of a text without words, so that it finds nothing.
    ///
    /// ```swift
    /// SearchQuery("?!").isEmpty    // true: show all objects, or none
    /// ```
    public var isEmpty: Bool { terms == .nothing }

    /// Looks for all words of a text, without reading operators in it.
    ///
    /// ```swift
    /// SearchQuery.words("red car")    // WHERE … @@ '''red'' & ''car'''
    /// ```
    public static func words(_ text: String) -> SearchQuery {
        let parts = SearchTerms.words(text)
        return SearchQuery(parts.isEmpty ? .nothing : .all(parts))
    }

    /// Looks for the words of a text one after the other, in one property.
    ///
    /// ```swift
    /// SearchQuery.phrase("red car")    // WHERE … @@ '''red'' <-> ''car'''
    /// ```
    public static func phrase(_ text: String) -> SearchQuery {
        SearchQuery(SearchTerms.phrase(text, isPrefix: false) ?? .nothing)
    }

    /// Looks for words that begin with a text; of several words, for the others in front of it.
    ///
    /// ```swift
    /// SearchQuery.prefix("conv")    // WHERE … @@ '''conv'':*'
    /// ```
    public static func prefix(_ text: String) -> SearchQuery {
        SearchQuery(SearchTerms.phrase(text, isPrefix: true) ?? .nothing)
    }

    /// Looks for what all of several queries find; those that are empty are left out.
    ///
    /// ```swift
    /// SearchQuery.all(.words("red"), .prefix("conv"))
    /// ```
    public static func all(_ queries: SearchQuery...) -> SearchQuery { all(queries) }

    /// Looks for what all queries of an array find; those that are empty are left out.
    public static func all(_ queries: [SearchQuery]) -> SearchQuery {
        let parts = queries.filter { !$0.isEmpty }.map(\.terms)
        return SearchQuery(parts.isEmpty ? .nothing : .all(parts), of: queries)
    }

    /// Looks for what one of several queries finds.
    ///
    /// ```swift
    /// SearchQuery.any(.words("red car"), .words("blue bike"))
    /// ```
    public static func any(_ queries: SearchQuery...) -> SearchQuery { any(queries) }

    /// Looks for what one query of an array finds.
    public static func any(_ queries: [SearchQuery]) -> SearchQuery {
        SearchQuery(.any(queries.map(\.terms)), of: queries)
    }

    /// Looks for what a query does not find; if that is empty, this is, too.
    ///
    /// ```swift
    /// SearchQuery.all(.words("car"), .not(.phrase("sports car")))
    /// ```
    public static func not(_ query: SearchQuery) -> SearchQuery {
        query.isEmpty ? query : SearchQuery(.not(query.terms), of: [query])
    }

    /// Whether texts are found, as an object would be that has them in its searched properties.
    ///
    /// ```swift
    /// SearchQuery("red car").matches("The car", "is red")    // true
    /// ```
    ///
    /// - Parameter texts: The texts; a phrase lies in one of them.
    public func matches(_ texts: String?...) -> Bool { matches(texts) }

    /// Whether the texts of an array are found, as an object would be that has them in its searched properties.
    public func matches(_ texts: [String?]) -> Bool {
        terms.finds(
            texts.map { text in
                // What is too long is not found, but has its place in a phrase.
                SearchWords.words(in: text ?? "").map { SearchWords.folded($0) }
                    .map { $0.utf8.count <= SearchWords.greatestLength ? $0 : "" }
            })
    }
}

extension SearchQuery: ExpressibleByStringLiteral {
    /// Reads a text as somebody would type it.
    public init(stringLiteral text: String) { self.init(text) }
}

extension SearchQuery: CustomStringConvertible {
    /// The query as a text that is read as the same one.
    public var description: String { Self.text(of: terms, isPart: false) }

    private static func text(of terms: SearchTerms, isPart: Bool) -> String {
        func joined(_ parts: [SearchTerms], _ word: String) -> String {
            let text = parts.map { Self.text(of: $0, isPart: true) }.joined(separator: word)
            return isPart ? "(\(text))" : text
        }
        switch terms {
        case .phrase(let words, let isPrefix):
            return "\"\(words.joined(separator: " "))\"" + (isPrefix ? "*" : "")
        case .all(let parts): return joined(parts, " ")
        case .any(let parts): return joined(parts, " OR ")
        case .not(let inner): return "-" + text(of: inner, isPart: true)
        }
    }
}
