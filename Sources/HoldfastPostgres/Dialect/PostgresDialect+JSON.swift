@_spi(Driver) import Holdfast

@_spi(Driver) extension PostgresDialect: DocumentDialect {
    public func value(at path: JSONPath, in sql: String, as type: JSONScalarType) -> String {
        value(found(path, in: sql), as: type)
    }

    /// A value of JSON, if it is of a type.
    private func value(_ value: String, as type: JSONScalarType) -> String {
        let number = "\(value)::numeric"
        func whereNumber(_ result: String) -> String { "CASE jsonb_typeof(\(value)) WHEN 'number' THEN \(result) END" }
        return switch type {
        case .text: "(CASE jsonb_typeof(\(value)) WHEN 'string' THEN \(value) #>> '{}' END\(codePointCollation))"
        case .boolean: "CASE jsonb_typeof(\(value)) WHEN 'boolean' THEN \(value)::boolean END"
        case .integer:
            whereNumber(
                """
                CASE WHEN \(number) BETWEEN -9223372036854775808 AND 9223372036854775807 AND \(number) = trunc(\(number)) \
                THEN \(number)::bigint END
                """)
        case .real:
            // The cast refuses what is nearer to 0 than to another number (half of the least), or beyond all of them.
            whereNumber(
                """
                CASE WHEN abs(\(number)) <= 2.470328229206232720882843964341106861825e-324 THEN 0 \
                WHEN abs(\(number)) < 1.797693134862315807937289714053034e308 THEN \(number)::float8 END
                """)
        }
    }

    public func isPresent(_ path: JSONPath, in sql: String, as kind: JSONKind?) -> String {
        let found = found(path, in: sql)
        return kind.map { "jsonb_typeof(\(found)) = '\($0.rawValue)'" } ?? "\(found) IS NOT NULL"
    }

    public func hasElement(
        at path: JSONPath, in sql: String, equalTo value: String, as type: JSONScalarType, alias: String
    ) -> String {
        let found = found(path, in: sql)
        // What is no array has no elements, and the function would throw.
        return "EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(\(found)) WHEN 'array' THEN \(found) END)"
            + " AS \(alias) (value) WHERE \(self.value("\(alias).value", as: type)) = \(value))"
    }

    public func setting(_ path: JSONPath, in sql: String, to value: String) -> String {
        let isThere =
            switch (path.steps.last, path.parent) {
            case (.member?, let parent?): isPresent(parent, in: sql, as: .object)
            default: isPresent(path, in: sql, as: nil)
            }
        return "CASE WHEN \(isThere) THEN jsonb_set(\(document(sql)), \(array(of: path)), \(value)::jsonb) "
            + "ELSE \(document(sql)) END"
    }

    public func removing(_ path: JSONPath, from sql: String) -> String {
        "CASE WHEN \(isPresent(path, in: sql, as: nil)) THEN \(document(sql)) #- \(array(of: path)) "
            + "ELSE \(document(sql)) END"
    }

    /// The value at a path, by a strict SQL/JSON path, which takes a value for no array, and no array for its elements.
    private func found(_ path: JSONPath, in sql: String) -> String {
        "jsonb_path_query_first(\(document(sql)), \(quotedText("strict " + path.sqlText)), '{}', true)"
    }

    private func document(_ sql: String) -> String { "(\(sql))::jsonb" }

    /// The steps as an array of texts, where a position and a name are written alike.
    private func array(of path: JSONPath) -> String {
        let steps = path.steps.map { step in
            switch step {
            case .member(let name): quotedText(name)
            case .element(let position): quotedText(String(position))
            }
        }
        return "ARRAY[\(steps.joined(separator: ", "))]"
    }
}
