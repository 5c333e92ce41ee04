/// A type of value that a document has, and a query can compare: a text, a truth value or a number.
///
/// The conformances are `String`, `Bool`, the integers and `Double`.
public protocol JSONScalar: Storable {}

extension String: JSONScalar {}
extension Bool: JSONScalar {}
extension Int: JSONScalar {}
extension Int64: JSONScalar {}
extension Int32: JSONScalar {}
extension Double: JSONScalar {}

extension QueryExpression {
    /// A value inside a property that is kept as JSON, at a path of names and positions.
    ///
    /// ```swift
    /// .where { $0.profile.json("address.city", as: String.self) == "Bonn" }
    /// .order { $0.profile.json("scores[0]", as: Int.self).descending }
    /// .select { ($0.name, $0.profile.json("address.city", as: String.self)) }
    /// ```
    ///
    /// It is nil where there is nothing at the path, where there is `null`, and where there is a value of another kind:
    /// a number is no text, and 1.5 no `Int`. Integers are compared exactly, as far as 64 bits go, others as `Double`;
    /// of texts, code points are compared. It has the same meaning on both engines.
    ///
    /// ```sql
    /// CASE jsonb_typeof(jsonb_path_query_first(t0."profile", 'strict $."address"."city"', …)) WHEN … -- PostgreSQL
    /// CASE json_type(t0."profile", '$."address"."city"') WHEN 'text' THEN … END                       -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - path: Names joined by dots, each with positions from 0 in brackets: `orders[0].lines[2].sku`. A name with
    ///     other characters than letters, digits, `_` and `-` is in quotation marks: `"first name".value`.
    ///   - type: The type of the value.
    /// - Returns: The value. The query throws ``DatabaseError/Code/syntax`` for a path that is none, and
    ///   ``DatabaseError/Code/invalidValue`` for a property that is not kept as JSON.
    public func json<Scalar: JSONScalar>(_ path: String, as type: Scalar.Type) -> QueryExpression<Scalar?> {
        do {
            let path = try JSONPath(path)
            return QueryExpression<Scalar?>(
                .json(node, path, Scalar._columnType(.native) ?? .text), around: levels)
        } catch {
            return QueryExpression<Scalar?>(.failure((error as? DatabaseError) ?? JSONPath.malformed))
        }
    }

    /// Whether there is anything at a path in a property that is kept as JSON, be it `null`.
    ///
    /// ```swift
    /// .where { $0.profile.hasJSON("address.city") && $0.profile.json("address.city", as: String.self) == nil }
    /// ```
    ///
    /// - Parameter path: As in ``json(_:as:)``.
    public func hasJSON(_ path: String) -> Condition {
        do {
            return Condition(.hasJSON(node, try JSONPath(path)), around: levels)
        } catch {
            return Condition(.failure((error as? DatabaseError) ?? JSONPath.malformed))
        }
    }
}

/// A path into a document.
@_spi(Driver) public struct JSONPath: Hashable, Sendable {
    /// A step from one value into another.
    public enum Step: Hashable, Sendable {
        /// A member of an object.
        case member(String)
        /// An element of an array, by its position from 0.
        case element(Int)
    }

    /// The steps, of which there is at least one.
    public let steps: [Step]

    /// The greatest number of steps.
    private static let greatestLength = 60

    static var malformed: DatabaseError {
        DatabaseError(
            .syntax,
            "A path into a document can't be read. Join names by dots, with positions in brackets: orders[0].sku. Put names with other characters in quotation marks."
        )
    }

    /// Reads a path, such as `orders[0]."unit price".value`.
    init(_ text: String) throws {
        var steps: [Step] = []
        var rest = text[...]
        while true {
            steps.append(.member(try Self.name(&rest)))
            while rest.first == "[" {
                guard let end = rest.firstIndex(of: "]"),
                    let position = Int(rest[rest.index(after: rest.startIndex)..<end]),
                    position >= 0, position <= Int(Int32.max)
                else { throw Self.malformed }
                steps.append(.element(position))
                rest = rest[rest.index(after: end)...]
            }
            if rest.isEmpty { break }
            guard rest.removeFirst() == "." else { throw Self.malformed }
        }
        guard steps.count <= Self.greatestLength else { throw Self.malformed }
        self.steps = steps
    }

    private static func name(_ rest: inout Substring) throws -> String {
        if rest.first == "\"" {
            rest.removeFirst()
            guard let end = rest.firstIndex(of: "\"") else { throw malformed }
            defer { rest = rest[rest.index(after: end)...] }
            let name = rest[..<end]
            // Engines disagree about what a backslash in a path stands for.
            guard !name.unicodeScalars.contains(where: { $0 == "\\" || $0.value < 0x20 }) else { throw malformed }
            return String(name)
        }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        guard !name.isEmpty else { throw malformed }
        rest = rest[name.endIndex...]
        return String(name)
    }
}
