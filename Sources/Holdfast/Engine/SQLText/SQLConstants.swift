/// The constants in an expression that an engine has written, such as `(kind = ANY (ARRAY['a'::text, 'b'::text]))`.
struct SQLConstants {
    private(set) var texts: [String] = []
    /// The integers, also those between quotes: `'-1'::integer`.
    private(set) var integers: [Int64] = []

    init(_ expression: String) {
        let tokens = SQLTokens(expression, .escapedStrings)
        var sign = ""
        for token in tokens where token.isContent {
            let contents = tokens.contents(of: token)
            switch token.kind {
            case .string, .escapedString:
                texts.append(contents)
                if let number = Int64(contents) { integers.append(number) }
            case .number:
                if let number = Int64(sign + contents) { integers.append(number) }
            default: break
            }
            sign = token.kind == .symbol && contents == "-" ? "-" : ""
        }
    }
}
