/// A value as condition text writes it.
enum QueryLiteral: Sendable {
    /// Digits, perhaps with a sign.
    case integer(String)
    /// Digits with a point or an exponent.
    case number(String)
    case text(String)
    case boolean(Bool)
}
