/// A part of a text with what a search has found in it.
///
/// ```swift
/// let query = SearchQuery("red car")
/// let snippet = query.snippet(of: article.body)
/// print(snippet.text(marking: "[", "]"))    // …bought a [red] [car] from…
/// let html = snippet.parts.map { $0.isFound ? "<mark>\(escaped($0.text))</mark>" : escaped($0.text) }.joined()
/// ```
public struct SearchSnippet: Hashable, Sendable {
    /// A piece of the text.
    public struct Part: Hashable, Sendable {
        /// The piece, as it is in the text.
        public let text: String
        /// Whether the search has found it.
        public let isFound: Bool
    }

    /// The pieces in order, which are the text between the first and the last word of the snippet.
    public let parts: [Part]
    /// Whether the text has words in front of the snippet.
    public let isCutAtStart: Bool
    /// Whether the text has words behind the snippet.
    public let isCutAtEnd: Bool

    /// Returns the snippet as one text, with marks around what was found.
    ///
    /// ```swift
    /// snippet.text(marking: "*", "*")    // …bought a *red* *car* from…
    /// ```
    ///
    /// Nothing is escaped: for HTML, use ``parts``.
    ///
    /// - Parameters:
    ///   - opening: The mark in front of what was found.
    ///   - closing: The mark behind it.
    ///   - ellipsis: What stands for the text that is cut off.
    public func text(marking opening: String, _ closing: String, ellipsis: String = "…") -> String {
        let text = parts.map { $0.isFound ? opening + $0.text + closing : $0.text }.joined()
        return (isCutAtStart ? ellipsis : "") + text + (isCutAtEnd ? ellipsis : "")
    }
}

extension SearchQuery {
    /// Returns the part of a text that has most of what is looked for.
    ///
    /// It is computed of the text itself, the same for every engine. Of a text without anything that was found, it is
    /// the beginning.
    ///
    /// ```swift
    /// SearchQuery("red").snippet(of: "A red car", words: 2).text(marking: "[", "]")    // A [red]…
    /// ```
    ///
    /// - Parameters:
    ///   - text: The text of a property that is searched.
    ///   - words: The greatest number of words in the snippet; `Int.max` for the whole text.
    public func snippet(of text: String, words: Int = 30) -> SearchSnippet {
        let ranges = SearchWords.ranges(in: text)
        let folded = ranges.map { SearchWords.folded(text[$0]) }
        let count = max(0, min(words, ranges.count))
        if count == ranges.count {
            let found = found(in: folded, 0..<count)
            return SearchSnippet(
                parts: Self.parts(of: text, text.startIndex..<text.endIndex, ranges, found), isCutAtStart: false,
                isCutAtEnd: false)
        }
        guard count > 0 else {
            return SearchSnippet(parts: [], isCutAtStart: false, isCutAtEnd: !ranges.isEmpty)
        }
        let window = bestWindow(of: count, in: folded)
        let bounds = ranges[window.lowerBound].lowerBound..<ranges[window.upperBound - 1].upperBound
        return SearchSnippet(
            parts: Self.parts(of: text, bounds, ranges, found(in: folded, window)),
            isCutAtStart: window.lowerBound > 0, isCutAtEnd: window.upperBound < ranges.count)
    }

    /// The places of each phrase that is looked for, as ranges of words.
    private func places(in words: [String]) -> [[Range<Int>]] {
        Set(terms.wanted).compactMap { term in
            guard case .phrase(let phrase, let isPrefix) = term else { return nil }
            let folded = phrase.map { SearchWords.folded($0) }
            return SearchTerms.places(of: folded, isPrefix: isPrefix, in: words).map { $0..<($0 + folded.count) }
        }
    }

    /// The phrases in a part of the words, those that overlap taken together.
    private func found(in words: [String], _ window: Range<Int>) -> [Range<Int>] {
        let all = places(in: words).joined().filter {
            $0.lowerBound >= window.lowerBound && $0.upperBound <= window.upperBound
        }
        .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var result: [Range<Int>] = []
        for range in all {
            if let last = result.last, range.lowerBound < last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// The first part of so many words that has most of the phrases, and of those most in number.
    private func bestWindow(of count: Int, in words: [String]) -> Range<Int> {
        let places = places(in: words)
        // A phrase enters with its last word, and leaves with its first.
        var entering = [[Int]](repeating: [], count: words.count)
        var leaving = entering
        for (phrase, ranges) in places.enumerated() {
            for range in ranges where range.count <= count {
                entering[range.upperBound - 1].append(phrase)
                leaving[range.lowerBound].append(phrase)
            }
        }
        var (numbers, distinct, total) = ([Int](repeating: 0, count: places.count), 0, 0)
        var best = (start: 0, distinct: 0, total: 0)
        for end in words.indices {
            for phrase in entering[end] {
                numbers[phrase] += 1
                total += 1
                if numbers[phrase] == 1 { distinct += 1 }
            }
            let start = end - count + 1
            if start > 0 {
                for phrase in leaving[start - 1] {
                    numbers[phrase] -= 1
                    total -= 1
                    if numbers[phrase] == 0 { distinct -= 1 }
                }
            }
            if start >= 0, (distinct, total) > (best.distinct, best.total) { best = (start, distinct, total) }
        }
        // What was found is not to stand at the very end, where more of the text follows.
        let first = places.joined().filter { $0.lowerBound >= best.start }.map(\.lowerBound).min()
        let last = places.joined().filter { $0.upperBound <= best.start + count }.map(\.upperBound).max()
        if best.total > 0, let first, let last, last > first {
            let room = count - (last - first)
            let start = min(max(0, first - room / 2), words.count - count)
            return start..<(start + count)
        }
        return best.start..<(best.start + count)
    }

    private static func parts(
        of text: String, _ bounds: Range<String.Index>, _ ranges: [Range<String.Index>], _ found: [Range<Int>]
    ) -> [SearchSnippet.Part] {
        var parts: [SearchSnippet.Part] = []
        var index = bounds.lowerBound
        func add(_ end: String.Index, isFound: Bool) {
            guard index < end else { return }
            parts.append(.init(text: String(text[index..<end]), isFound: isFound))
            index = end
        }
        for range in found {
            add(ranges[range.lowerBound].lowerBound, isFound: false)
            add(ranges[range.upperBound - 1].upperBound, isFound: true)
        }
        add(bounds.upperBound, isFound: false)
        return parts
    }
}
