extension String {
    /// This Swift name in snake case, as the library makes column names of property names.
    ///
    /// An underscore goes before a capital that follows a small letter or a digit, and before the last capital of a run
    /// that a small letter follows.
    ///
    /// ```swift
    /// "homepageURL".snakeCased // "homepage_url"
    /// "URLPath".snakeCased     // "url_path"
    /// ```
    ///
    /// The macro needs it only to see columns that collide. The library has the same function for the real names, and a
    /// test holds the two together.
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
    return !previous.isUppercase || (index + 1 < characters.count && characters[index + 1].isLowercase)
}
