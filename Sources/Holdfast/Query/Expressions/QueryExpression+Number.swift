public import Foundation

/// A type that a query can compute with: the integers, Float, Double, Decimal, and optionals of them.
public protocol NumberValue: Storable {
    /// What a sum of such numbers is: Int64 of integers, Double or Decimal.
    associatedtype SumValue: Storable & Sendable
    /// What an average of such numbers is: Double, or Decimal of decimals.
    associatedtype AverageValue: Storable & Sendable

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
    public typealias SumValue = Wrapped.SumValue
    public typealias AverageValue = Wrapped.AverageValue
}

/// Arithmetic, in 64 bits for integers.
///
/// What does not fit throws ``DatabaseError/Code/invalidValue`` on both engines. A division by 0 gives nil; that of integers
/// drops the fraction.
extension QueryExpression where Value: NumberValue {
    private func computed(_ operation: ArithmeticOperator, _ right: Value) -> QueryExpression {
        QueryExpression(.arithmetic(operation, node, value(right)), storage: storage, around: levels)
    }

    private func computed(_ operation: ArithmeticOperator, _ right: QueryExpression) -> QueryExpression {
        QueryExpression(
            .arithmetic(operation, node, right.node), storage: storage, around: Swift.max(levels, right.levels))
    }

    public static func + (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.add, right)
    }

    public static func - (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.subtract, right)
    }

    public static func * (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.multiply, right)
    }

    public static func / (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.divide, right)
    }

    public static func % (left: QueryExpression, right: Value) -> QueryExpression {
        left.computed(.remainder, right)
    }

    public static func + (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.add, right)
    }

    public static func - (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.subtract, right)
    }

    public static func * (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.multiply, right)
    }

    public static func / (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.divide, right)
    }

    public static func % (left: QueryExpression, right: QueryExpression) -> QueryExpression {
        left.computed(.remainder, right)
    }

    public static prefix func - (expression: QueryExpression) -> QueryExpression {
        QueryExpression(
            .function(.negated, expression.node), storage: expression.storage, around: expression.levels)
    }
}
