/// A function that condition text has, by its name there.
///
/// Each ``ScalarFunction`` says which one it is: a new function of queries does not compile until it has a name in
/// condition text, or is said to have none.
enum ConditionFunction: String, CaseIterable {
    case lower, upper, trim, length, coalesce, count

    /// What it becomes in a query.
    ///
    /// - Parameter arguments: One or more.
    func node(_ arguments: [QueryNode], at position: Int) throws -> QueryNode {
        switch self {
        case .lower, .upper, .trim, .length:
            let function = ScalarFunction.allCases.first { $0.inConditionText == self }
            return function.map { .function($0, arguments) } ?? .null
        case .coalesce:
            guard let last = arguments.last, arguments.count > 1 else {
                throw ConditionSyntax.error(
                    "coalesce takes a value, and those that stand for it where it is NULL", at: position)
            }
            return arguments.dropLast().reversed().reduce(last) { .coalesce($1, $0) }
        case .count:
            guard case .path(let path) = arguments[0] else {
                throw ConditionSyntax.error("count takes an array", at: position)
            }
            return .elementCount(path, scope: .element(), nil)
        }
    }
}

extension ScalarFunction {
    /// The name in condition text; nil for what is written with a sign there.
    var inConditionText: ConditionFunction? {
        switch self {
        case .lowercased: .lower
        case .uppercased: .upper
        case .trimmed: .trim
        case .length: .length
        case .negated: nil
        }
    }
}
