/// The words of a text, as a search sees them: the longest runs of letters and decimal digits, compared without case.
///
/// Both engines find the same words: SQLite by the tokenizer `unicode61` with the categories `L*` and `Nd`, PostgreSQL
/// by a function that a migration makes.
enum SearchWords {
    /// Longer words, in bytes of UTF-8, are in no index.
    static let greatestLength = 2_046

    /// The ranges of the words in a text, in order.
    static func ranges(in text: String) -> [Range<String.Index>] {
        let scalars = text.unicodeScalars
        var ranges: [Range<String.Index>] = []
        var start: String.Index?
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            if start == nil {
                if isLetterOrDigit(scalar) { start = index }
            } else if !isLetterOrDigit(scalar), !isMark(scalar) {
                start.map { ranges.append($0..<index) }
                start = nil
            }
            scalars.formIndex(after: &index)
        }
        start.map { ranges.append($0..<scalars.endIndex) }
        return ranges
    }

    /// The words of a text as they are written, in order.
    static func words(in text: String) -> [String] { ranges(in: text).map { String(text[$0]) } }

    /// A word without case, as it is compared with others.
    static func folded(_ word: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            if scalar.isASCII {
                let isUpper = (0x41...0x5A).contains(scalar.value)
                result.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
            } else if let other = variants[scalar] {
                result.append(other)
            } else {
                for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                    result.append(variants[lower] ?? lower)
                }
            }
        }
        return String(result)
    }

    /// Small letters that are the same as others but for their form, which lowercasing leaves as they are.
    static let variantLetters = (from: "µſςϐϑϕϖϰϱϵẛ\u{1FBE}", to: "μsσβθφπκρεṡι")

    private static let variants = Dictionary(
        uniqueKeysWithValues: zip(variantLetters.from.unicodeScalars, variantLetters.to.unicodeScalars))

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }

    /// Whether it is an accent that stands behind its letter, and so is part of a word: those that SQLite takes for
    /// one.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x304, 0x306...0x30C, 0x30F, 0x311, 0x31B, 0x323...0x328, 0x32D, 0x32E, 0x330, 0x331: true
        default: false
        }
    }

    /// The accents as an expression in brackets of PostgreSQL has them.
    static let marks =
        #"\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331"#
}
