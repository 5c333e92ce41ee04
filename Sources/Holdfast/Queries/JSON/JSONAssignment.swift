/// A property that is kept as JSON, in a bulk update: values inside of it are set or removed, and the rest stays.
///
/// ```swift
/// try await db.query(Person.self).where { $0.profile.json("address.city", as: String.self) == "Bonn" }.update {
///     $0.profile.setJSON("address.zip", to: "53111")
///     $0.profile.removeJSON("address.district")
/// }
/// ```
///
/// A document in which a path does not lead anywhere stays as it is, on every engine alike:
///
/// - A member is set in an object that is there, whether or not it had such a member. Missing objects are not made: to
///   make one, set it as a whole.
/// - An element is set in an array that has one at its position. Nothing is appended.
/// - A name leads into objects alone, and a position into arrays.
/// - A property that is nil stays nil.
///
/// Several changes of one property are made one after the other. Numbers keep the digits in which they are written, as
/// far as the engine keeps them.
public struct JSONAssignment {
    let property: QueryNode
    private(set) var edits: [JSONEdit]
    private(set) var failure: DatabaseError?

    init(_ property: QueryNode, edits: [JSONEdit]) { (self.property, self.edits) = (property, edits) }

    /// Sets the value at a path to one that is encoded as JSON: a scalar, an array or an object.
    ///
    /// ```swift
    /// .update { $0.profile.setJSON("address", to: Address(city: "Bonn")) }
    /// ```
    ///
    /// ```sql
    /// SET "profile" = CASE jsonb_typeof(…) WHEN 'object' THEN jsonb_set("profile", '{address}', $1) … -- PostgreSQL
    /// SET "profile" = CASE json_type(…) WHEN 'object' THEN json_set("profile", '$."address"', ?) …    -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - path: As in ``QueryExpression/json(_:as:)``.
    ///   - value: The value; nil is `null`.
    public mutating func setJSON(_ path: String, to value: some Codable & SendableMetatype) {
        // With all its digits, which a part of a Codable type does not have.
        let json = (value as? JSON).map { QueryValue.encoding($0, .native) }
        edit(path, json ?? QueryValue.encoding(JSONValue(value), .native))
    }

    /// Sets the value at a path to `null`.
    public mutating func setJSON(_ path: String, to null: _OptionalNilComparisonType) {
        setJSON(path, to: Bool?.none)
    }

    /// Removes the member or the element at a path; elements behind it move up.
    ///
    /// ```swift
    /// .update { $0.profile.removeJSON("address.city") }
    /// ```
    ///
    /// - Parameter path: As in ``QueryExpression/json(_:as:)``.
    public mutating func removeJSON(_ path: String) { edit(path, nil) }

    private mutating func edit(_ path: String, _ value: QueryNode?) {
        do {
            edits.append(JSONEdit(path: try JSONPath(path), value: value))
        } catch {
            failure = failure ?? (error as? DatabaseError) ?? JSONPath.malformed
        }
    }

    /// The value that the property is set to; nil if nothing is.
    var value: QueryNode? {
        if let failure { return .failure(failure) }
        return edits.isEmpty ? nil : .edited(property, edits)
    }
}
