public import Holdfast

/// The error of a case whose expectation failed.
public struct ExpectationFailure: Error, CustomStringConvertible {
    /// The failed expectation, as a sentence.
    public let message: String
    /// Where it was expected.
    public let file: String
    /// The line of the expectation in its file.
    public let line: Int
    /// The error that was found, where another one or none was expected.
    public let cause: DatabaseError?

    init(_ message: String, _ file: StaticString, _ line: Int, cause: DatabaseError? = nil) {
        self.message = message
        self.cause = cause
        self.file = "\(file)"
        self.line = line
    }

    public var description: String { "\(message) (\(file):\(line))" }
}

/// Expects a condition to hold.
///
/// - Parameter message: The failure, as a sentence.
public func expect(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line
) throws {
    if !condition { throw ExpectationFailure(message(), file, line) }
}

/// Expects two values to be equal.
///
/// - Parameter what: The meaning of the values: `the name that was read back`.
public func expect<Value: Equatable>(
    _ value: Value,
    equals expected: Value,
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line
) throws {
    guard value != expected else { return }
    throw ExpectationFailure("\(what()): expected \(shown(expected)), found \(shown(value)).", file, line)
}

/// Expects a text to have the same bytes as another: Swift's `==` calls two forms of one letter the same.
public func expect(
    _ text: String?,
    isExactly expected: String?,
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line
) throws {
    try expect(text.map { Array($0.utf8) }, equals: expected.map { Array($0.utf8) }, what(), file: file, line: line)
}

/// Expects as many values as given, each equal to its counterpart; the message shows the first that is not.
public func expect<Value: Equatable>(
    _ values: [Value],
    equalsEach expected: [Value],
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line
) throws {
    try expect(values.count, equals: expected.count, "the number of values: \(what())", file: file, line: line)
    for (index, pair) in zip(values, expected).enumerated() {
        try expect(pair.0, equals: pair.1, "\(what()), at position \(index)", file: file, line: line)
    }
}

/// Expects a number of elements, so that what follows may take them one by one.
///
/// - Returns: The elements.
@discardableResult
public func expect<Element>(
    _ elements: [Element],
    count: Int,
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line
) throws -> [Element] {
    try expect(elements.count, equals: count, "the number of \(what())", file: file, line: line)
    return elements
}

/// Expects a value where there could be nil.
public func expect<Value>(
    some value: Value?,
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line
) throws -> Value {
    guard let value else { throw ExpectationFailure("\(what()): expected a value, found nil.", file, line) }
    return value
}

/// Expects an operation to throw a `DatabaseError` of one of the codes.
///
/// - Returns: The error.
@discardableResult
public func expect(
    _ codes: DatabaseError.Code...,
    from what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line,
    _ operation: nonisolated(nonsending) () async throws -> Void
) async throws -> DatabaseError {
    let expected = codes.map(\.description).joined(separator: " or ")
    do {
        try await operation()
    } catch let error as DatabaseError {
        guard codes.contains(error.code) else {
            throw ExpectationFailure(
                "\(what()): expected \(expected), found \(error.debugDescription)",
                file,
                line,
                cause: error
            )
        }
        return error
    } catch let failure as ExpectationFailure {
        throw failure
    } catch {
        throw ExpectationFailure("\(what()): expected \(expected), found the error \(error).", file, line)
    }
    throw ExpectationFailure("\(what()): expected \(expected), but it succeeded.", file, line)
}

/// Expects an operation to end within a time, whether it succeeds or throws.
public func expect(
    within limit: Duration,
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: Int = #line,
    _ operation: nonisolated(nonsending) () async throws -> Void
) async throws {
    let start = ContinuousClock.now
    func check() throws {
        let duration = ContinuousClock.now - start
        guard duration > limit else { return }
        throw ExpectationFailure("\(what()) took \(duration), and may take \(limit).", file, line)
    }
    do {
        try await operation()
    } catch {
        try check()
        throw error
    }
    try check()
}

/// A value for a message, cut where it is long.
private func shown(_ value: some Any) -> String {
    let text = String(reflecting: value)
    return text.count <= 400 ? text : "\(text.prefix(400))… (\(text.utf8.count) bytes)"
}
