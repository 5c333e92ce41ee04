@_spi(Driver) import Holdfast

@_spi(Driver) extension PostgresDialect: FunctionDialect {
    public func magnitude(_ sql: String, _ type: ColumnType) -> String { "abs(\(number(sql, type)))" }

    public func sign(_ sql: String, _ type: ColumnType) -> String {
        let kind = type == .decimal ? "numeric" : "double precision"
        return "sign((\(sql))::\(kind))::bigint"
    }

    /// Of a double by way of its shortest text: a cast would take 15 of its digits, and round(double) half to even.
    public func rounded(_ sql: String, digits: Int, _ type: ColumnType) -> String {
        if type == .decimal { return "round((\(sql))::numeric, \(digits))" }
        return "round((\(sql))::double precision::text::numeric, \(digits))::\(storedTypeName(type))"
    }

    public func whole(_ sql: String, up: Bool, _ type: ColumnType) -> String {
        let result = "\(up ? "ceil" : "floor")(\(number(sql, type)))"
        return type == .float ? "\(result)::real" : result
    }

    public func extreme(of values: [String], isGreatest: Bool, _ type: ColumnType) -> String {
        "\(isGreatest ? "GREATEST" : "LEAST")(\(values.map { ordered($0, type) }.joined(separator: ", ")))"
    }

    public func position(of part: String, in text: String) -> String { "strpos((\(text))::text, \(part))::bigint" }

    public func converted(_ sql: String, from type: ColumnType, to result: ColumnType) -> String {
        let value = number(sql, type)
        if result == .double { return "(\(value))::double precision" }
        guard type == .float || type == .double else { return "\(value)::numeric" }
        // A cast of a double would take 15 of its digits. One with more than 38 before the point is out of range.
        let number = "\(value)::double precision::text::numeric"
        return "(CASE WHEN abs(\(value)) < 1e38 THEN \(number) ELSE \(number)::numeric(38, 0) END)"
    }

    public func integer(of text: String) -> String {
        "CASE WHEN (\(text))::text ~ '^[+-]?[0-9]{1,18}$' THEN (\(text))::text::bigint END"
    }

    /// A number in the type in which it is computed.
    private func number(_ sql: String, _ type: ColumnType) -> String {
        switch type {
        case .int16, .int32, .int64: "(\(sql))::bigint"
        case .boolean, .float, .double, .decimal, .text, .blob, .timestamp, .uuid, .json:
            "(\(sql))::\(storedTypeName(type))"
        }
    }
}
