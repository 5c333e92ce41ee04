@_spi(Driver) import Holdfast

@_spi(Driver) extension SQLiteDialect {
    public func exact(_ sql: String, _ type: ColumnType) -> String { type == .text ? sql + codePointCollation : sql }

    public func ordered(_ sql: String, _ type: ColumnType) -> String {
        switch type {
        case .text: sql + codePointCollation
        case .decimal: sql + " COLLATE holdfast_decimal"
        case .boolean, .int16, .int32, .int64, .float, .double, .blob, .timestamp, .uuid, .json: sql
        }
    }

    public func isSame(_ left: String, _ right: String, isNegated: Bool) -> String {
        "\(left) \(isNegated ? "IS NOT" : "IS") \(right)"
    }

    public func typed(_ placeholder: String, _ type: ColumnType) -> String { placeholder }

    /// GLOB where case counts, as LIKE can't tell cases apart for one statement alone.
    public func like(_ text: String, _ pattern: String, isCaseSensitive: Bool) -> String {
        isCaseSensitive ? "\(text) GLOB \(pattern)" : "\(text) LIKE \(pattern) ESCAPE '\\'"
    }

    public func pattern(_ pattern: String, isCaseSensitive: Bool) -> String {
        guard isCaseSensitive else { return pattern }
        var glob = ""
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: glob += "*"
            case "_" where !isEscaped: glob += "?"
            case "*", "?", "[": glob += "[\(scalar)]"
            default: glob.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        return glob
    }

    public func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }

    /// By functions of ours, which throw where SQLite's own operators go on with an imprecise number.
    public func arithmetic(
        _ operation: ArithmeticOperator, _ left: String, _ right: String, _ type: ColumnType
    ) -> String {
        let name =
            switch operation {
            case .add: "add"
            case .subtract: "subtract"
            case .multiply: "multiply"
            case .divide: "divide"
            case .remainder: "remainder"
            }
        let result = "holdfast_\(name)(\(left), \(right))"
        return type == .float ? fitting(result, .float) : result
    }

    /// By a function of ours: a column of SQLite takes any integer, and any number of 64 bits.
    public func fitting(_ sql: String, _ type: ColumnType) -> String {
        switch type {
        case .int16: "holdfast_fitting(\(sql), 16)"
        case .int32: "holdfast_fitting(\(sql), 32)"
        case .float: "holdfast_fitting(\(sql), 0)"
        case .boolean, .int64, .double, .decimal, .text, .blob, .timestamp, .uuid, .json: sql
        }
    }

    public func sum(_ sql: String, _ type: ColumnType, _ clauses: String) -> String {
        (type == .decimal ? "holdfast_decimal_sum(\(sql))" : "holdfast_sum(\(sql))") + clauses
    }

    public func average(_ sql: String, _ type: ColumnType, _ clauses: String) -> String {
        (type == .decimal ? "holdfast_decimal_average(\(sql))" : "holdfast_average(\(sql))") + clauses
    }

    public func standardDeviation(_ sql: String, _ clauses: String) -> String? {
        "holdfast_standard_deviation(\(sql))\(clauses)"
    }

    public func percentile(_ fraction: String, of sql: String, isDiscrete: Bool, _ clauses: String) -> String? {
        "\(isDiscrete ? "holdfast_percentile_of" : "holdfast_percentile")(\(sql), \(fraction))\(clauses)"
    }

    /// By a function of ours, which sorts: `group_concat` has no order.
    ///
    /// Of each value to order by, it gets the form of its order as a text, in one argument for all.
    public func joined(
        _ text: String, _ separator: String, order: [OrderedValue], _ clauses: String
    ) -> String? {
        let forms = order.map { value in
            (value.type == .decimal ? "n" : "v") + (value.isDescending ? "d" : "a")
                + (value.nullsFirst == true ? "f" : "l")
        }
        let arguments = [text, separator, "'\(forms.joined())'"] + order.map(\.sql)
        return "holdfast_joined(\(arguments.joined(separator: ", ")))\(clauses)"
    }

    public func limit(_ limit: Int?, offset: Int) -> String {
        if limit == nil, offset == 0 { return "" }
        return " LIMIT \(limit ?? -1)" + (offset == 0 ? "" : " OFFSET \(offset)")
    }

    public func explain(_ sql: String) -> String { "EXPLAIN QUERY PLAN \(sql)" }
}
