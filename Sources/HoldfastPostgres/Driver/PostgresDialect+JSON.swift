@_spi(Driver) import Holdfast

@_spi(Driver) extension PostgresDialect {
    public func value(in sql: String, _ path: JSONPath, as type: ColumnType) -> String? {
        let value = value(in: sql, path)
        let number = "\(value)::numeric"
        func whereNumber(_ result: String) -> String { "CASE jsonb_typeof(\(value)) WHEN 'number' THEN \(result) END" }
        return switch type {
        case .text: "CASE jsonb_typeof(\(value)) WHEN 'string' THEN \(value) #>> '{}' END"
        case .boolean: "CASE jsonb_typeof(\(value)) WHEN 'boolean' THEN \(value)::boolean END"
        case .int16, .int32, .int64:
            whereNumber(
                """
                CASE WHEN \(number) BETWEEN -9223372036854775808 AND 9223372036854775807 AND \(number) = trunc(\(number)) \
                THEN \(number)::bigint END
                """)
        case .double:
            // Where the cast would say that the number is too large, or too small.
            whereNumber(
                """
                CASE WHEN abs(\(number)) < 1e-307 THEN 0 \
                WHEN abs(\(number)) <= 1.7976931348623157e308 THEN \(number)::float8 END
                """)
        case .float, .decimal, .timestamp, .uuid, .blob, .json: nil
        }
    }

    public func isPresent(_ path: JSONPath, in sql: String) -> String? { "\(value(in: sql, path)) IS NOT NULL" }

    /// The value at a path, by a strict SQL/JSON path, which takes a value for no array, and no array for its elements.
    private func value(in sql: String, _ path: JSONPath) -> String {
        let text = path.steps.reduce("strict $") { text, step in
            switch step {
            case .member(let name): "\(text).\"\(name)\""
            case .element(let position): "\(text)[\(position)]"
            }
        }
        return "jsonb_path_query_first((\(sql))::jsonb, \(quotedText(text)), '{}', true)"
    }
}
