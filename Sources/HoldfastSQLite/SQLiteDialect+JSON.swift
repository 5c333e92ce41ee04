@_spi(Driver) import Holdfast

@_spi(Driver) extension SQLiteDialect {
    public func value(in sql: String, _ path: JSONPath, as type: ColumnType) -> String? {
        let arguments = "(\(sql), \(quotedText(text(of: path))))"
        let (kind, value) = ("json_type\(arguments)", "json_extract\(arguments)")
        return switch type {
        case .text: "CASE \(kind) WHEN 'text' THEN \(value) END"
        case .boolean: "CASE \(kind) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        case .int16, .int32, .int64:
            // What is written with a fraction is a real number; beyond 2^53 nobody knows which integer it was.
            """
            CASE \(kind) WHEN 'integer' THEN CASE typeof(\(value)) WHEN 'integer' THEN \(value) END \
            WHEN 'real' THEN CASE WHEN abs(\(value)) <= 9007199254740992 AND \(value) = CAST(\(value) AS INTEGER) \
            THEN CAST(\(value) AS INTEGER) END END
            """
        case .double:
            """
            CASE WHEN \(kind) IN ('integer', 'real') AND abs(CAST(\(value) AS REAL)) <= 1.7976931348623157e308 \
            THEN CAST(\(value) AS REAL) END
            """
        case .float, .decimal, .timestamp, .uuid, .blob, .json: nil
        }
    }

    public func isPresent(_ path: JSONPath, in sql: String) -> String? {
        "json_type(\(sql), \(quotedText(text(of: path)))) IS NOT NULL"
    }

    private func text(of path: JSONPath) -> String {
        path.steps.reduce("$") { text, step in
            switch step {
            case .member(let name): "\(text).\"\(name)\""
            case .element(let position): "\(text)[\(position)]"
            }
        }
    }
}
