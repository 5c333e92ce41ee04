public import Foundation

/// A number in a query: the integers, Float, Double, Decimal, and their optionals.
public protocol NumberValue: Storable {
    /// The type of a sum of such numbers: Int64 for integers, else Double or Decimal.
    associatedtype SumValue: Storable & Sendable
    /// The type of an average of such numbers: Double, or Decimal for decimals.
    associatedtype AverageValue: Storable & Sendable
    /// The type of such a number as a Double: an optional of an optional.
    associatedtype DoubleValue: Storable & Sendable = Double
    /// The type of such a number as a decimal: an optional of an optional.
    associatedtype DecimalValue: Storable & Sendable = Decimal

    /// Whether every number that the column can hold is a value of the type.
    static var _isAsWideAsItsColumn: Bool { get }
}

extension NumberValue {
    public static var _isAsWideAsItsColumn: Bool { true }
}

extension Int: NumberValue {}
extension Int8: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { false }
}

extension Int16: NumberValue {}
extension Int32: NumberValue {}
extension Int64: NumberValue {}
extension UInt8: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { false }
}

extension UInt16: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { false }
}

extension UInt32: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { false }
}

extension UInt64: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { false }
}

extension UInt: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { false }
}

extension Float: NumberValue {
    public typealias SumValue = Double
    public typealias AverageValue = Double
}

extension Double: NumberValue {
    public typealias SumValue = Double
    public typealias AverageValue = Double
}

extension Decimal: NumberValue {
    public typealias SumValue = Decimal
    public typealias AverageValue = Decimal
}

extension Optional: NumberValue where Wrapped: NumberValue {
    public static var _isAsWideAsItsColumn: Bool { Wrapped._isAsWideAsItsColumn }
    public typealias DoubleValue = Double?
    public typealias DecimalValue = Decimal?
    public typealias SumValue = Wrapped.SumValue
    public typealias AverageValue = Wrapped.AverageValue
}

/// Arithmetic; integers use 64 bits.
///
/// An overflow throws ``DatabaseError/Code/invalidValue`` on both engines. Division by 0 yields nil; that of integers
/// drops the fraction.
extension QueryExpression where Value: NumberValue {
    private func computed(_ operation: ArithmeticOperator, _ right: Value) -> QueryExpression {
        QueryExpression(.arithmetic(operation, node, value(right)), storage: storage, around: levels)
    }

    private func computed(_ operation: ArithmeticOperator, _ right: QueryExpression) -> QueryExpression {
        QueryExpression(
            .arithmetic(operation, node, right.node), storage: storage, around: Swift.max(levels, right.levels))
    }

    private static func computed(
        _ left: Value, _ operation: ArithmeticOperator, _ right: QueryExpression
    ) -> QueryExpression {
        QueryExpression(
            .arithmetic(operation, right.value(left), right.node), storage: right.storage, around: right.levels)
    }

    /// Adds a value to a property.
    ///
    /// ```swift
    /// .where { $0.age + 1 > 18 }    // WHERE holdfast_add(t0."age", ?) > ? on SQLite, which fails on overflow
    /// ```
    public static func + (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.add, right)
    }

    /// Subtracts a value from a property.
    public static func - (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.subtract, right)
    }

    /// Multiplies a property by a value.
    ///
    /// ```swift
    /// .order { ($0.price * 2).descending }    // ORDER BY holdfast_multiply(t0."price", ?) DESC on SQLite
    /// ```
    public static func * (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.multiply, right)
    }

    /// Divides a property by a value.
    ///
    /// Division of integers drops the fraction; division by 0 yields nil.
    public static func / (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.divide, right)
    }

    /// Returns the remainder of a property divided by an integer; nil if that is 0.
    ///
    /// ```swift
    /// .where { $0.id % 2 == 0 }    // the objects with even keys
    /// ```
    public static func % (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.remainder, right)
    }

    /// Adds a property to a value.
    public static func + (left: Value, right: QueryExpression) -> QueryExpression { computed(left, .add, right) }

    /// Subtracts a property from a value.
    ///
    /// ```swift
    /// .select { ($0.price * (1 - $0.discount)).sum }
    /// ```
    public static func - (left: Value, right: QueryExpression) -> QueryExpression { computed(left, .subtract, right) }

    /// Multiplies a value by a property.
    public static func * (left: Value, right: QueryExpression) -> QueryExpression { computed(left, .multiply, right) }

    /// Divides a value by a property; nil if that is 0.
    public static func / (left: Value, right: QueryExpression) -> QueryExpression { computed(left, .divide, right) }

    /// Adds two properties.
    public static func + (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.add, right)
    }

    /// Subtracts the right property from the left one.
    ///
    /// ```swift
    /// .where { $0.end - $0.start > 60 }
    /// ```
    public static func - (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.subtract, right)
    }

    /// Multiplies two properties.
    public static func * (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.multiply, right)
    }

    /// Divides the left property by the right one; nil if that is 0.
    public static func / (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.divide, right)
    }

    /// Returns the remainder of the left property divided by the right one; nil if that is 0.
    public static func % (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.remainder, right)
    }

    /// Negates a property.
    public static prefix func - (expression: QueryExpression) -> QueryExpression {
        QueryExpression(
            .function(.negated, [expression.node]), storage: expression.storage, around: expression.levels)
    }
}
