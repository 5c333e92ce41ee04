/// Where a text is looked for in another.
enum TextMatch: Hashable, Sendable {
    case contains
    case prefix
    case suffix
}

/// A function of one value.
public enum ScalarFunction: Hashable, Sendable, CaseIterable {
    /// A text with its ASCII letters in lower case.
    case lowercased
    /// A text with its ASCII letters in upper case.
    case uppercased
    /// A text without spaces at both ends.
    case trimmed
    /// The number of Unicode scalars of a text.
    case length
    /// A number with the other sign.
    case negated
}

/// A function of all values of a column.
public enum AggregateFunction: Hashable, Sendable {
    /// The number of rows, or of values that are not nil.
    case count
    /// The number of different values.
    case countDistinct
    /// The sum of the values; 0 if there are none.
    case sum
    /// The average of the values; nil if there are none.
    case average
    /// The smallest value; nil if there is none.
    case minimum
    /// The greatest value; nil if there is none.
    case maximum
    /// The standard deviation of the values as a sample; nil if there are fewer than two.
    case standardDeviation
}
