/// An operation on two numbers.
public enum ArithmeticOperator: String, Hashable, Sendable {
    /// Addition: `+`.
    case add = "+"
    /// Subtraction: `-`.
    case subtract = "-"
    /// Multiplication: `*`.
    case multiply = "*"
    /// Of integers the quotient without its fraction, of others with it; nil where the divisor is 0.
    case divide = "/"
    /// The rest of a division of integers, with the sign of the dividend; nil where the divisor is 0.
    case remainder = "%"
}
