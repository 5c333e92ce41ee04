extension Statement {
    /// A sentence of the engine about this statement; nil if it may quote a literal of the text.
    ///
    /// ```
    /// no such function: strpos        -- is shown
    /// near "'x'": syntax error        -- is not
    /// ```
    ///
    /// - Parameter sentence: The sentence, which has no bound values.
    func shown(_ sentence: String, showsValues: Bool) -> String? {
        if showsValues { return sentence }
        // What begins a text, or a comment or a name that does not end, and with which the rest of the statement comes.
        let beginnings = ["'", "\"\"", "$$", "/*", "\n"]
        guard !beginnings.contains(where: sentence.contains) else { return nil }
        let text = sentence.lowercased()
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" && $0 != "." }
            .map { $0.drop { $0 == "." } }
        for part in RawStatementText(sql).parts {
            if part.hasPrefix("'") {
                let content = part.trimming { $0 == "'" || $0.isWhitespace }
                if content.contains("\\") { return nil }
                // A short one is a word, or is in most sentences.
                if content.count > 2 ? text.contains(content) : words.contains(content) { return nil }
            } else if part.first?.isNumber == true {
                if words.contains(where: { $0.first?.isNumber == true && ($0.hasPrefix(part) || part.hasPrefix($0)) }) {
                    return nil
                }
            }
        }
        return sentence
    }
}

extension String {
    /// The text without the characters at its ends that `isLeftOut` says.
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
        var rest = drop(while: isLeftOut)
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return rest
    }
}
