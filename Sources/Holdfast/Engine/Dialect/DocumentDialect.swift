/// The SQL that looks into documents and changes them: columns with JSON.
///
/// A name leads into objects alone, and a position into arrays. Its methods combine SQL texts; none receives a value.
/// A text is to be compared by code points as it is written, since nothing is added to it: indexes are made of the same
/// expressions.
@_spi(Driver) public protocol DocumentDialect: Sendable {
    /// Returns the value of a type at a path into a document, NULL where there is none, or one of another type.
    ///
    /// It has to be one that an index can be made of, so the path is in the text.
    ///
    /// ```sql
    /// CASE json_type("body", '$."a"') WHEN 'text' THEN json_extract("body", '$."a"') END -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - sql: A column that holds JSON.
    ///   - type: The type: see its cases for what is of it.
    func value(at path: JSONPath, in sql: String, as type: JSONScalarType) -> String

    /// Returns the condition that a document has a value of a kind at a path; nil for any, also `null`.
    func isPresent(_ path: JSONPath, in sql: String, as kind: JSONKind?) -> String

    /// Returns the condition that a document has an array at a path, with an element of a type that is equal to a
    /// value.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - sql: A column that holds JSON.
    ///   - value: The value, a placeholder, which comes once.
    ///   - type: The type.
    ///   - alias: A name for the elements that nothing else in the statement has.
    func hasElement(
        at path: JSONPath, in sql: String, equalTo value: String, as type: JSONScalarType, alias: String
    ) -> String

    /// Returns a document with another value at a path; as it is, where the path leads nowhere.
    ///
    /// Its last name is that of a member which the object has or gets, its last position that of an element which is
    /// there.
    ///
    /// - Parameters:
    ///   - path: The path, of one step at least.
    ///   - sql: A document, which can come several times.
    ///   - value: JSON as text, a placeholder, which comes once.
    func setting(_ path: JSONPath, in sql: String, to value: String) -> String

    /// Returns a document without what is at a path, of one step at least; as it is, where the path leads nowhere.
    func removing(_ path: JSONPath, from sql: String) -> String
}
