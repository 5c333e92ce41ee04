/// Where a text is looked for in another.
enum TextMatch: Hashable, Sendable {
    case contains
    case prefix
    case suffix
}

/// A function of values of one row.
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
    /// A number without its sign.
    case magnitude
    /// -1, 0 or 1, as a number is less than, equal to or greater than 0.
    case sign
    /// A number rounded to fractional digits, half away from zero.
    case rounded
    /// The greatest whole number that is not greater.
    case floor
    /// The least whole number that is not less.
    case ceiling
    /// The least of the values that are not nil.
    case least
    /// The greatest of the values that are not nil.
    case greatest
    /// A part of a text, from a position, counted from 1, and of a length.
    case substring
    /// A text with another in place of each occurrence of a part.
    case replaced
    /// The position, counted from 1, at which a text has another one first; 0 where it has not.
    case position
    /// The bits that two integers have in common.
    case bitAnd
    /// The bits that one of two integers has.
    case bitOr
    /// An integer with its bits moved to the left.
    case shiftedLeft
    /// An integer with its bits moved to the right, and its sign kept.
    case shiftedRight
    /// The first value; nil where it equals the second one.
    case nilIfEqual
    /// An integer as text.
    case text
    /// The integer that a text writes; nil where it writes none.
    case integer
    /// A number as a Double: the nearest one.
    case double
    /// A number as a decimal: of a Double, the shortest one that stands for it.
    case decimal
    /// A random number.
    case random
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
