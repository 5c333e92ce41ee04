/// A text in a query: String, and its optional.
public protocol TextValue: Storable {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension QueryExpression where Value: TextValue {
    /// Whether the text matches a pattern: `%` stands for any text, `_` for one character, and `\` escapes both.
    ///
    /// ```swift
    /// .where { $0.name.like("ap%") }    // t0."name"::text COLLATE "C" ILIKE $1 on PostgreSQL
    /// ```
    ///
    /// - Parameters:
    ///   - pattern: At most 50,000 bytes.
    ///   - caseSensitive: Whether `a` differs from `A`. If not, only the case of ASCII letters is ignored.
    /// - Returns: A condition that throws ``DatabaseError/Code/invalidValue`` for a pattern that ends in a single `\`.
    public func like(_ pattern: String, caseSensitive: Bool = false) -> Condition {
        Condition(.like(node, pattern: text(pattern), isCaseSensitive: caseSensitive))
    }

    /// Whether the text begins with `prefix`, literally.
    ///
    /// ```swift
    /// .where { $0.name.hasPrefix("Ap") }    // a range of names, for which an index serves
    /// ```
    public func hasPrefix(_ prefix: String, caseSensitive: Bool = true) -> Condition {
        Condition(.match(.prefix, node, text(prefix), isCaseSensitive: caseSensitive))
    }

    /// Whether the text ends with `suffix`, literally.
    ///
    /// ```swift
    /// .where { $0.path.hasSuffix(".swift") }
    /// ```
    public func hasSuffix(_ suffix: String, caseSensitive: Bool = true) -> Condition {
        Condition(.match(.suffix, node, text(suffix), isCaseSensitive: caseSensitive))
    }

    /// Whether the text contains `part`, literally.
    ///
    /// ```swift
    /// .where { $0.name.contains("100%", caseSensitive: false) }
    /// ```
    public func contains(_ part: String, caseSensitive: Bool = true) -> Condition {
        Condition(.match(.contains, node, text(part), isCaseSensitive: caseSensitive))
    }

    /// Returns the text with ASCII letters in lower case; other letters stay.
    ///
    /// ```swift
    /// .where { $0.email.lowercased() == "ann@example.org" }
    /// ```
    public func lowercased() -> QueryExpression { computed(.function(.lowercased, [node])) }

    /// Returns the text with ASCII letters in upper case; other letters stay.
    public func uppercased() -> QueryExpression { computed(.function(.uppercased, [node])) }

    /// Returns the text without spaces at both ends.
    public func trimmed() -> QueryExpression { computed(.function(.trimmed, [node])) }

    /// The number of Unicode scalars of the text; nil if the text is nil.
    ///
    /// ```swift
    /// .where { $0.name.length > 20 }
    /// ```
    public var length: QueryExpression<Int?> { QueryExpression<Int?>(.function(.length, [node]), around: levels) }

    /// Concatenates both texts; nil if one of them is nil.
    ///
    /// ```swift
    /// .where { $0.firstName + $0.lastName == "AnnLee" }    // t0."first_name" || t0."last_name"
    /// ```
    public static func + (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.concatenation(left.node, right.node), right.levels)
    }

    /// Concatenates the property and a text; nil if the property is nil.
    public static func + (left: QueryExpression, right: String) -> QueryExpression {
        left.computed(.concatenation(left.node, left.text(right)))
    }

    /// Concatenates a text and the property; nil if the property is nil.
    @_disfavoredOverload
    public static func + (left: String, right: QueryExpression) -> QueryExpression {
        right.computed(.concatenation(right.text(left), right.node))
    }

    private func computed(_ node: QueryNode, _ otherLevels: Int = 0) -> QueryExpression {
        QueryExpression(node, around: Swift.max(levels, otherLevels))
    }

    private func text(_ text: String) -> QueryNode { QueryValue.encoding(text, .native) }
}
