extension String {
    /// This Swift name in snake case, as the library derives column names from property names.
    ///
    /// An underscore goes before an uppercase letter that starts a word: one after a lowercase letter or a digit, and
    /// the last of several uppercase letters where a lowercase one follows. A final `s` after several uppercase
    /// letters is a plural, not a word.
    ///
    /// ```swift
    /// "homepageURL".snakeCased // "homepage_url"
    /// "URLPath".snakeCased     // "url_path"
    /// "userIDs".snakeCased     // "user_ids"
    /// ```
    ///
    /// The macro needs it only to see columns that collide; the library has the same function for the real names.
    var snakeCased: String {
        let characters = Array(self)
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase, startsWord(at: index, in: characters) { result += "_" }
            result += character.lowercased()
        }
        return result
    }
}

private func startsWord(at index: Int, in characters: [Character]) -> Bool {
    let previous = characters[index - 1]
    if previous == "_" { return false }
    guard previous.isUppercase else { return true }
    guard index + 1 < characters.count, characters[index + 1].isLowercase else { return false }
    let isPlural = characters[index + 1] == "s" && index + 2 == characters.count
    return !isPlural
}
