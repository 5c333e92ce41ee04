@_spi(Driver) import Holdfast

/// By functions of ours, where SQLite's own take decimals for doubles, or NULL for the least of all values.
@_spi(Driver) extension SQLiteDialect: FunctionDialect {
    public func magnitude(_ sql: String, _ type: ColumnType) -> String { number("magnitude", sql, type) }

    public func sign(_ sql: String, _ type: ColumnType) -> String { number("sign", sql, .int64) }

    public func rounded(_ sql: String, digits: Int, _ type: ColumnType) -> String {
        number("rounded", sql, type, digits)
    }

    public func whole(_ sql: String, up: Bool, _ type: ColumnType) -> String {
        number(up ? "ceiling" : "floor", sql, type)
    }

    public func extreme(of values: [String], isGreatest: Bool, _ type: ColumnType) -> String {
        let name = isGreatest ? "holdfast_greatest" : "holdfast_least"
        return "\(name)(\(type == .decimal ? 1 : 0), \(values.joined(separator: ", ")))"
    }

    public func position(of part: String, in text: String) -> String { "instr(\(text), \(part))" }

    public func converted(_ sql: String, from type: ColumnType, to result: ColumnType) -> String {
        number(result == .double ? "double" : "decimal", sql, result)
    }

    public func integer(of text: String) -> String { "holdfast_integer(\(text))" }

    private func number(_ name: String, _ sql: String, _ type: ColumnType, _ digits: Int = 0) -> String {
        let result = "holdfast_number(\(sql), '\(name)', \(digits))"
        return type == .float ? fitting(result, .float) : result
    }
}
