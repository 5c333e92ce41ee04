@_spi(Driver) import Holdfast

@_spi(Driver) extension SQLiteDialect: DocumentDialect {
    public func value(at path: JSONPath, in sql: String, as type: JSONScalarType) -> String {
        let arguments = "(\(sql), \(text(of: path)))"
        return value(
            "json_extract\(arguments)", kind: "json_type\(arguments)",
            text: "json_extract(\(sql), \(text(of: path)), '$[#]')", as: type)
    }

    /// A value of JSON as SQLite reads it, if it is of a type.
    ///
    /// - Parameters:
    ///   - kind: The name of its kind, as SQLite calls it.
    ///   - text: An array with the value as it is written, and `null`: what is at two paths keeps its digits.
    private func value(_ value: String, kind: String, text: String, as type: JSONScalarType) -> String {
        switch type {
        case .text: "CASE \(kind) WHEN 'text' THEN \(value) END"
        case .boolean: "CASE \(kind) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        case .integer:
            // What is written with a fraction or an exponent is a real number to SQLite. It is the integer that it is
            // rounded to if both have the same digits, but for zeros at either end.
            """
            CASE \(kind) WHEN 'integer' THEN CASE typeof(\(value)) WHEN 'integer' THEN \(value) END \
            WHEN 'real' THEN CASE WHEN \(value) = CAST(\(value) AS INTEGER) \
            AND \(significantDigits(text)) = trim(CAST(\(value) AS INTEGER), '-0') \
            THEN CAST(\(value) AS INTEGER) END END
            """
        case .real:
            """
            CASE WHEN \(kind) IN ('integer', 'real') AND abs(CAST(\(value) AS REAL)) <= 1.7976931348623157e308 \
            THEN CAST(\(value) AS REAL) END
            """
        }
    }

    /// The digits of the number in `[-1.50E2,null]`, without its sign, its point, its exponent and zeros at either end.
    private func significantDigits(_ text: String) -> String {
        let number = "replace(trim(\(text), '[]nul,-'), 'E', 'e')"
        return "trim(replace(substr(\(number), 1, instr(\(number) || 'e', 'e') - 1), '.', ''), '0')"
    }

    public func isPresent(_ path: JSONPath, in sql: String, as kind: JSONKind?) -> String {
        let found = "json_type(\(sql), \(text(of: path)))"
        return switch kind {
        case nil: "\(found) IS NOT NULL"
        case .null: "\(found) = 'null'"
        case .boolean: "\(found) IN ('true', 'false')"
        case .number: "\(found) IN ('integer', 'real')"
        case .string: "\(found) = 'text'"
        case .array: "\(found) = 'array'"
        case .object: "\(found) = 'object'"
        }
    }

    public func hasElement(
        at path: JSONPath, in sql: String, equalTo value: String, as type: JSONScalarType, alias: String
    ) -> String {
        let element = self.value(
            "\(alias).value", kind: "\(alias).type",
            text: "json_extract(\(sql), \(text(of: path)) || '[' || \(alias).key || ']', '$[#]')", as: type)
        // `json_each` would also return the members of an object, so the value is checked to be an array.
        return "(\(isPresent(path, in: sql, as: .array)) AND EXISTS (SELECT 1 FROM json_each(\(sql), \(text(of: path)))"
            + " AS \(alias) WHERE \(element) = \(value)))"
    }

    public func setting(_ path: JSONPath, in sql: String, to value: String) -> String {
        let isThere =
            switch (path.steps.last, path.parent) {
            case (.member?, let parent?): isPresent(parent, in: sql, as: .object)
            default: isPresent(path, in: sql, as: nil)
            }
        return "CASE WHEN \(isThere) THEN json_set(\(sql), \(text(of: path)), json(\(value))) ELSE \(sql) END"
    }

    public func removing(_ path: JSONPath, from sql: String) -> String {
        "CASE WHEN \(isPresent(path, in: sql, as: nil)) THEN json_remove(\(sql), \(text(of: path))) ELSE \(sql) END"
    }

    private func text(of path: JSONPath) -> String { quotedText(path.sqlText) }
}
