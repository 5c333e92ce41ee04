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
    /// An index of the same path and type is of use: ``TableIndex/Term/json(_:_:as:)``.
    ///
    /// - Parameters:
    ///   - path: Names joined by dots, each with positions from 0 in brackets: `orders[0].lines[2].sku`. A name with
    ///     other characters than letters, digits, `_` and `-` is in quotation marks: `"first name".value`. For a
    ///     property that is an array, it begins with a position: `[0].sku`.
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

    /// Whether there is anything at a path in a property that is kept as JSON, or a value of a kind.
    ///
    /// `null` is something: so you can tell it from what is missing.
    ///
    /// ```swift
    /// .where { $0.profile.hasJSON("address.city", .null) }
    /// .where { !$0.profile.hasJSON("address.city") }
    /// ```
    ///
    /// - Parameters:
    ///   - path: As in ``json(_:as:)``.
    ///   - kind: The kind of the value; nil for any.
    public func hasJSON(_ path: String, _ kind: JSONKind? = nil) -> Condition {
        condition(at: path) { .hasJSON(node, $0, kind) }
    }

    /// Whether an array at a path in a property that is kept as JSON has an element that is equal to a value.
    ///
    /// ```swift
    /// .where { $0.profile.json("tags", contains: "moon") }
    /// ```
    ///
    /// Elements are compared as ``json(_:as:)`` compares: the number 7 contains no text `"7"`, and is equal to 7.0. It
    /// is false where there is nothing at the path, and where there is no array.
    ///
    /// ```sql
    /// EXISTS (SELECT 1 FROM jsonb_array_elements(…) AS t1 (value) WHERE … = $1) -- PostgreSQL
    /// EXISTS (SELECT 1 FROM json_each(…) AS t1 WHERE … = ?)                     -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - path: As in ``json(_:as:)``.
    ///   - value: The value of the element.
    public func json(_ path: String, contains value: some JSONScalar) -> Condition {
        condition(at: path) { .hasJSONElement(node, $0, QueryValue.encoding(value, .native)) }
    }

    /// Whether a property that is kept as JSON, and is an array, has an element that is equal to a value.
    ///
    /// ```swift
    /// .where { $0.labels.json(contains: "moon") }
    /// ```
    ///
    /// - Parameter value: The value of the element, compared as ``json(_:contains:)`` does.
    public func json(contains value: some JSONScalar) -> Condition {
        Condition(.hasJSONElement(node, .root, QueryValue.encoding(value, .native)), around: levels)
    }

    private func condition(at path: String, _ node: (JSONPath) -> QueryNode) -> Condition {
        do {
            return Condition(node(try JSONPath(path)), around: levels)
        } catch {
            return Condition(.failure((error as? DatabaseError) ?? JSONPath.malformed))
        }
    }
}
