/// The differences between engines that matter where a text of SQL is divided into its tokens.
///
/// ```swift
/// var sqlSyntax: SQLSyntax { [.escapedStrings, .dollarQuotes, .nestedComments] }    // PostgreSQL
/// ```
@_spi(Driver) public struct SQLSyntax: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In `E'it\'s'` a backslash escapes what comes after it.
    public static let escapedStrings = SQLSyntax(rawValue: 1)
    /// `$$it's$$` and `$tag$it's$tag$` are strings.
    public static let dollarQuotes = SQLSyntax(rawValue: 2)
    /// A comment can have others in it: `/* /* */ */`.
    public static let nestedComments = SQLSyntax(rawValue: 4)
    /// A name in backticks is quoted.
    public static let backtickNames = SQLSyntax(rawValue: 8)
    /// `[name]` is a name in quotes.
    public static let bracketNames = SQLSyntax(rawValue: 16)
    /// `?`, `?1`, `:name` and `@name` are parameters, as `$1` and `$name` always are.
    public static let signedParameters = SQLSyntax(rawValue: 32)

    /// Whatever may be a string or a name on any engine, for texts of which nobody says for which one they are.
    public static let any: SQLSyntax = [.escapedStrings, .dollarQuotes, .backtickNames]
}
