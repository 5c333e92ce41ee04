import Foundation

/// A function that condition text has, by its name there.
///
/// Each ``ScalarFunction`` says which one it is: a new function of queries does not compile until it has a name in
/// condition text, or is said to have none.
enum ConditionFunction: String, CaseIterable {
    case lower, upper, trim, length, coalesce, count
    case abs, sign, round, floor, ceil, least, greatest, substr, replace, position, nullif
    case year, quarter, month, week, day, weekday, dayofyear, hour, minute, second, seconds, now

    /// The numbers of values that it takes.
    private var counts: ClosedRange<Int> {
        switch self {
        case .lower, .upper, .trim, .length, .count, .abs, .sign, .floor, .ceil: 1...1
        case .coalesce, .least, .greatest: 1...Int.max
        case .round: 1...2
        case .substr: 2...3
        case .replace: 3...3
        case .position, .nullif, .seconds: 2...2
        case .year, .quarter, .month, .week, .day, .weekday, .dayofyear, .hour, .minute, .second: 1...2
        case .now: 0...0
        }
    }

    /// What it becomes in a query.
    func node(_ arguments: [QueryNode], at position: Int) throws -> QueryNode {
        guard counts.contains(arguments.count) else {
            let most = counts.upperBound == .max ? "or more" : "to \(counts.upperBound)"
            let count = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) \(most)"
            throw ConditionSyntax.error(
                "\(rawValue) takes \(count) values, separated by commas, and not \(arguments.count)", at: position)
        }
        switch self {
        case .lower, .upper, .trim, .length, .abs, .sign, .round, .floor, .ceil, .least, .greatest, .substr, .replace,
            .position, .nullif:
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
        case .seconds: return .date(.seconds, arguments)
        case .now: return .date(.now, [])
        case .year, .quarter, .month, .week, .day, .weekday, .dayofyear, .hour, .minute, .second:
            guard let part = DatePart.allCases.first(where: { $0.rawValue.lowercased() == rawValue }) else {
                return .null
            }
            guard arguments.count > 1 else { return .date(.part(part, .utc), arguments) }
            guard let zone = arguments[1].timeZone else {
                throw ConditionSyntax.error(
                    "the second value of \(rawValue) is the name of a time zone, such as 'Europe/Berlin'", at: position)
            }
            return .date(arguments[0], in: zone) { .part(part, $0) }
        }
    }
}

extension QueryNode {
    /// The time zone whose name it is.
    fileprivate var timeZone: TimeZone? {
        switch self {
        case .value(.literal(.text(let name))): TimeZone(identifier: name)
        case .value(.open(let name as String)): TimeZone(identifier: name)
        default: nil
        }
    }
}

extension ScalarFunction {
    /// The name in condition text; nil for what has none there, or is written with a sign.
    var inConditionText: ConditionFunction? {
        switch self {
        case .lowercased: .lower
        case .uppercased: .upper
        case .trimmed: .trim
        case .length: .length
        case .magnitude: .abs
        case .sign: .sign
        case .rounded: .round
        case .floor: .floor
        case .ceiling: .ceil
        case .least: .least
        case .greatest: .greatest
        case .substring: .substr
        case .replaced: .replace
        case .position: .position
        case .nilIfEqual: .nullif
        case .negated, .bitAnd, .bitOr, .shiftedLeft, .shiftedRight, .text, .integer, .double, .decimal, .random: nil
        }
    }
}
