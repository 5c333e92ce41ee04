extension Statement {
    /// The text for traces and statistics.
    ///
    /// What callers write may have values in it, so their literals are left out, as OpenTelemetry's conventions want
    /// it: `select name from person where city = ? and age > $1`.
    func shownText(showsValues: Bool) -> String { showsValues || !(isRaw || includesCallersSQL) ? sql : redactedText }

    /// The words and symbols with a question mark in place of each literal, in lower case.
    func makeRedactedText() -> String {
        RawStatementText(sql).parts.map { part in
            let isNumber = part.unicodeScalars.first?.properties.numericType != nil
            return isNumber || part.hasPrefix("'") || part == "true" || part == "false" ? "?" : part
        }.joined(separator: " ")
    }
}
