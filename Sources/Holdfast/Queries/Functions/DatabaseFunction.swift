import Foundation

/// A function by its name: one of the program's own on SQLite, and one of the server's on PostgreSQL.
///
/// ```swift
/// let similarity = DatabaseFunction<Double?>("similarity")
///
/// // SQLite calls the program:
/// configuration.functions.append(similarity.computed { (a: String, b: String) in commonTrigrams(a, b) })
/// // PostgreSQL has it already, such as by an extension.
///
/// let near = try await db.query(Person.self)
///     .where { similarity($0.name, "Smith") > 0.3 }
///     .order { similarity($0.name, "Smith").descending }
///     .fetch()
/// // SELECT … FROM "person" AS t0 WHERE ("similarity"(t0."name", $1)) > $2 ORDER BY …
/// ```
///
/// What it computes is a ``QueryExpression`` as any other: in conditions, orders, groups, selections and updates. Its
/// type is that of the result; make it optional if the result can be NULL.
///
/// Where the database has no such function, for such values, the query throws ``DatabaseError/Code/syntax`` with the
/// engine's own sentence. On PostgreSQL, names are those of `CREATE FUNCTION`, in lower case unless they were quoted
/// there, and can have a schema before a point.
public struct DatabaseFunction<Value: Storable>: Sendable {
    /// The name of the function.
    public let name: String

    /// Names a function.
    ///
    /// ```swift
    /// let distance = DatabaseFunction<Double>("distance")
    /// let geometry = DatabaseFunction<Double>("postgis.st_area")
    /// ```
    ///
    /// - Parameter name: ASCII letters, digits and underscores, and no digit at first; on PostgreSQL a schema and a
    ///   point may come before it. Another one makes queries throw ``DatabaseError/Code/invalidValue``.
    public init(_ name: String) { self.name = name }

    /// Calls the function for each row.
    ///
    /// ```swift
    /// .where { similarity($0.name, "Smith") > 0.3 }    // ("similarity"(t0."name", $1)) > $2
    /// ```
    ///
    /// Values are bound as parameters. Properties whose columns hold another form of their values, such as a date that
    /// is stored as text or a scaled decimal, are refused by ``DatabaseError/Code/unsupported``.
    ///
    /// - Parameter arguments: Properties, expressions and values.
    public func callAsFunction(_ arguments: any FunctionArgumentConvertible...) -> QueryExpression<Value> {
        guard let parts else { return QueryExpression(.failure(.invalidFunctionName(name))) }
        let given = arguments.map(\.functionArgument)
        let call = QueryFragment.calling(parts, given.map(\.fragment))
        return QueryExpression(.sql(call, type), around: given.map(\.levels).max())
    }

    /// The name, and that of a schema before it; nil if it is none.
    var parts: [String]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy(ProgramFunction.isName) ? parts.map(String.init) : nil
    }

    /// The type of what it computes.
    var type: ColumnType { Value._columnType(.native) ?? .text }
}

extension DatabaseFunction {
    /// Gives the function a body, by which an engine in the program's process computes it.
    ///
    /// ```swift
    /// let distance = DatabaseFunction<Double>("distance")
    /// let configuration = DatabaseConfiguration.sqlite(path: "places.db").with {
    ///     $0.functions.append(
    ///         distance.computed { (x: Double, y: Double) in (x * x + y * y).squareRoot() })
    /// }
    /// ```
    ///
    /// The body is called on a thread of the database, for many rows: it must not wait, nor use the database. Its
    /// parameters have the types of columns. If one of them is not optional, and the value is NULL, the result is NULL,
    /// and the body is not called. A value of another type than that of the parameter, and an error that the body
    /// throws, end the statement: a ``DatabaseError`` as it is, any other as ``DatabaseError/Code/invalidValue``, with
    /// its type.
    ///
    /// No index, trigger or CHECK constraint can call it: other programs that open the file don't have it.
    ///
    /// - Parameters:
    ///   - isDeterministic: Whether it gives the same for the same values, so that it is called once for constant ones.
    ///   - body: Computes the result.
    /// - Returns: What is added to the `functions` of a configuration.
    public func computed<each Argument: Storable>(
        isDeterministic: Bool = true, by body: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> ProgramFunction {
        var count = 0
        func countOne<Single>(_ type: Single.Type) { count += 1 }
        repeat countOne((each Argument).self)
        let name = name
        return ProgramFunction(name: name, argumentCount: count, isDeterministic: isDeterministic) { cells in
            var position = 0
            func next<Single: Storable>(_ type: Single.Type) throws -> Single {
                defer { position += 1 }
                if cells[position].isNull, !type._isNullable { throw NoValue() }
                do {
                    return try type._decode(cells[position])
                } catch let mismatch as CellMismatch {
                    throw DatabaseError(
                        .invalidValue, "The value \(position + 1) of the function \"\(name)\" \(mismatch.sentence).")
                }
            }
            var encoder = CellEncoder(width: 1)
            do {
                let result = try body(repeat try next((each Argument).self))
                try result._encode(into: &encoder, .native)
            } catch is NoValue {
                encoder.append(.null)
            } catch let mismatch as CellMismatch {
                throw DatabaseError(.invalidValue, "The result of the function \"\(name)\" \(mismatch.sentence).")
            }
            return encoder.buffer
        }
    }
}

/// A parameter that is not optional got NULL.
private struct NoValue: Error {}

/// What a function is called with, as SQL.
public struct FunctionArgument: Sendable {
    let fragment: QueryFragment
    /// The number of nested levels of computation.
    let levels: Int
}

/// A type whose values a function can be called with: properties, expressions, and values of columns.
///
/// Other types of columns need no more than to say so:
///
/// ```swift
/// extension Role: FunctionArgumentConvertible {}
/// ```
public protocol FunctionArgumentConvertible: Sendable {
    /// The value as it is given to a function.
    var functionArgument: FunctionArgument { get }
}

extension FunctionArgumentConvertible where Self: Storable {
    public var functionArgument: FunctionArgument { FunctionArgument(fragment: "\(self)", levels: 0) }
}

extension QueryExpression: FunctionArgumentConvertible {
    public var functionArgument: FunctionArgument { FunctionArgument(fragment: "\(self)", levels: levels) }
}

extension String: FunctionArgumentConvertible {}
extension Bool: FunctionArgumentConvertible {}
extension Int: FunctionArgumentConvertible {}
extension Int16: FunctionArgumentConvertible {}
extension Int32: FunctionArgumentConvertible {}
extension Int64: FunctionArgumentConvertible {}
extension Double: FunctionArgumentConvertible {}
extension Float: FunctionArgumentConvertible {}
extension Date: FunctionArgumentConvertible {}
extension UUID: FunctionArgumentConvertible {}
extension Data: FunctionArgumentConvertible {}
extension Decimal: FunctionArgumentConvertible {}
