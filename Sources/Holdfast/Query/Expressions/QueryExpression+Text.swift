/// A type that is text: String, and optionals of it.
public protocol TextValue: Storable {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension QueryExpression where Value: TextValue {
    /// Whether the text is like a pattern, in which `%` stands for any text, `_` for one character, and `\` before either
    /// for that character itself.
    ///
    /// - Parameters:
    ///   - pattern: At most 50,000 bytes.
    ///   - caseSensitive: Whether `a` differs from `A`. If not, only ASCII letters are taken for the same.
    /// - Returns: A condition that throws ``DatabaseError/Code/invalidValue`` for a pattern that ends in a single `\`.
    public func like(_ pattern: String, caseSensitive: Bool = false) -> Condition {
        Condition(.like(node, pattern: text(pattern), isCaseSensitive: caseSensitive))
    }

    /// Whether the text begins with `prefix`, literally.
    public func hasPrefix(_ prefix: String, caseSensitive: Bool = true) -> Condition {
        Condition(.match(.prefix, node, text(prefix), isCaseSensitive: caseSensitive))
    }

    /// Whether the text ends with `suffix`, literally.
    public func hasSuffix(_ suffix: String, caseSensitive: Bool = true) -> Condition {
        Condition(.match(.suffix, node, text(suffix), isCaseSensitive: caseSensitive))
    }

    /// Whether the text contains `part`, literally.
    public func contains(_ part: String, caseSensitive: Bool = true) -> Condition {
        Condition(.match(.contains, node, text(part), isCaseSensitive: caseSensitive))
    }

    /// The text with its ASCII letters in lower case; other letters stay.
    public func lowercased() -> QueryExpression { computed(.function(.lowercased, node)) }

    /// The text with its ASCII letters in upper case; other letters stay.
    public func uppercased() -> QueryExpression { computed(.function(.uppercased, node)) }

    /// The text without the spaces at its ends.
    public func trimmed() -> QueryExpression { computed(.function(.trimmed, node)) }

    /// The number of Unicode scalars of the text; nil of nil.
    public var length: QueryExpression<Int?> { QueryExpression<Int?>(.function(.length, node), around: levels) }

    /// Both texts, one after the other; nil if one is nil.
    public static func + (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.concatenation(left.node, right.node), right.levels)
    }

    /// Both texts, one after the other.
    public static func + (left: QueryExpression, right: String) -> QueryExpression {
        left.computed(.concatenation(left.node, left.text(right)))
    }

    /// Both texts, one after the other.
    @_disfavoredOverload
    public static func + (left: String, right: QueryExpression) -> QueryExpression {
        right.computed(.concatenation(right.text(left), right.node))
    }

    private func computed(_ node: QueryNode, _ otherLevels: Int = 0) -> QueryExpression {
        QueryExpression(node, around: Swift.max(levels, otherLevels))
    }

    private func text(_ text: String) -> QueryNode { QueryValue.encoding(text, .native) }
}
