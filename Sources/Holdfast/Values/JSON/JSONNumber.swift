/// A number as JSON writes it, by its digits: two are equal if their values are, however they are written.
struct JSONNumber: Hashable {
    /// The text, as it was given.
    let text: String
    let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    let digits: String
    /// The position of the decimal point, counted from before the first of the digits.
    let magnitude: Int

    /// Reads a text that is a number.
    init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: "E", maxSplits: 1, omittingEmptySubsequences: false) }
        let exponent = parts.count > 1 ? Int(parts[1]) ?? (parts[1].hasPrefix("-") ? -100_000 : 100_000) : 0
        let mantissa = parts.first?.drop { $0 == "-" } ?? ""
        let whole = mantissa.prefix { $0 != "." }
        let all = whole + mantissa.dropFirst(whole.count + 1)
        let significant = all.drop { $0 == "0" }
        let trimmed = significant.reversed().drop { $0 == "0" }.reversed()
        digits = String(trimmed)
        isNegative = text.hasPrefix("-") && !digits.isEmpty
        let shift = whole.count - (all.count - significant.count)
        magnitude = digits.isEmpty ? 0 : shift + max(-100_000, min(100_000, exponent))
    }

    /// One spelling for all that are equal: a fraction below 1, and an exponent.
    var canonical: String { digits.isEmpty ? "0" : "\(isNegative ? "-" : "")0.\(digits)e\(magnitude)" }

    /// The number in plain digits, without an exponent; nil if these would be hundreds.
    var plainText: String? {
        guard !digits.isEmpty else { return "0" }
        guard max(abs(magnitude), digits.utf8.count) <= Self.greatestPlainLength else { return nil }
        let zeros = String(repeating: "0", count: max(-magnitude, magnitude - digits.utf8.count, 0))
        let sign = isNegative ? "-" : ""
        if magnitude <= 0 { return "\(sign)0.\(zeros)\(digits)" }
        if digits.utf8.count <= magnitude { return "\(sign)\(digits)\(zeros)" }
        return "\(sign)\(digits.prefix(magnitude)).\(digits.dropFirst(magnitude))"
    }

    private static let greatestPlainLength = 300

    static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.canonical == right.canonical }

    func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
