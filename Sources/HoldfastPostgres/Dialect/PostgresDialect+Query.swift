@_spi(Driver) import Holdfast

@_spi(Driver) extension PostgresDialect {
    /// As it is: every deterministic collation has the same `=`, and naming one would keep an index from being used.
    public func exact(_ sql: String, _ type: ColumnType) -> String { sql }

    /// As text, since an enum of another program's table has no collations; a cast of text is a no-op, which keeps its
    /// indexes.
    public func ordered(_ sql: String, _ type: ColumnType) -> String {
        type == .text ? sql + "::text" + codePointCollation : sql
    }

    /// Returns the cast of a text to the type of what it stands for.
    ///
    /// A text of a form that Holdfast does not read fails with an error that becomes `decoding`. NULL stays NULL.
    public func value(of sql: String, as form: TextForm) -> String? {
        let text = "(\(sql))::text"
        let type = storedTypeName(form.type)
        let refusal = "(\(quotedText(Self.refusal)) || left(\(text), 0))::\(type)"
        func matching(_ pattern: String) -> String {
            "CASE WHEN \(text) ~ \(quotedText(pattern)) THEN \(text)::\(type) ELSE \(refusal) END"
        }
        switch form {
        case .date:
            return matching(
                #"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?( ?([Zz]|[+-]\d\d(:?\d\d)?))?)?$"#)
        case .decimal: return matching(#"^[+-]?(\d+(\.\d*)?|\.\d+)$"#)
        case .words(let yes, let no):
            return
                "CASE \(text) WHEN \(quotedText(yes)) THEN TRUE WHEN \(quotedText(no)) THEN FALSE ELSE \(refusal) END"
        case .integer: return "CASE \(sql) WHEN 1 THEN TRUE WHEN 0 THEN FALSE ELSE \(refusal) END"
        case .ofColumnType: return sql
        }
    }

    /// Returns the text that the output function of the column's type makes of a value.
    ///
    /// Not a cast, since some types have casts of their own to text, with another result: `10.0.0.9/32` for an `inet`.
    /// And not IS NOT NULL, which is false of a row that has a NULL in it.
    public func text(ofColumnType sql: String) -> String? {
        "CASE WHEN \(sql) IS DISTINCT FROM NULL THEN pg_catalog.format('%s', \(sql)) END"
    }

    /// A text that no type takes, for stored texts that are not what they should be.
    static let refusal = "holdfast: a stored value is not of its type"

    public func isSame(_ left: String, _ right: String, isNegated: Bool) -> String {
        "\(left) \(isNegated ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM") \(right)"
    }

    public func typed(_ placeholder: String, _ type: ColumnType) -> String { "\(placeholder)::\(storedTypeName(type))" }

    public func like(_ text: String, _ pattern: String, isCaseSensitive: Bool) -> String {
        "\(text)::text\(codePointCollation) \(isCaseSensitive ? "LIKE" : "ILIKE") \(pattern)"
    }

    public func pattern(_ pattern: String, isCaseSensitive: Bool) -> String { pattern }

    public func contains(_ text: String, _ part: String) -> String { "strpos(\(text)::text, \(part)) > 0" }

    public func arithmetic(
        _ operation: ArithmeticOperator, _ left: String, _ right: String, _ type: ColumnType
    ) -> String {
        let (left, right) = ("(\(left))::\(storedTypeName(type))", "(\(right))::\(storedTypeName(type))")
        switch operation {
        case .add, .subtract, .multiply: return "(\(left) \(operation.rawValue) \(right))"
        case .divide, .remainder: return "(\(left) \(operation.rawValue) NULLIF(\(right), 0))"
        }
    }

    /// As it is: an assignment converts to the type of its column, or throws.
    public func fitting(_ sql: String, _ type: ColumnType) -> String { sql }

    public func sum(_ sql: String, _ type: ColumnType, _ clauses: String) -> String {
        switch type {
        case .int16, .int32, .int64: "sum(\(sql))\(clauses)::bigint"
        case .float: "sum(\(sql)::double precision)\(clauses)"
        // Queries ask for no sum of what is no number.
        case .double, .decimal, .boolean, .text, .blob, .timestamp, .uuid, .json: "sum(\(sql))\(clauses)"
        }
    }

    /// Of decimals to as many fractional digits as 38 digits leave: a division keeps those that the dividend has.
    public func average(_ sql: String, _ type: ColumnType, _ clauses: String) -> String {
        guard type == .decimal else {
            return "sum(\(sql)::double precision)\(clauses) / NULLIF(count(\(sql))\(clauses), 0)"
        }
        let average = "sum(\(sql))\(clauses) * 1.00000000000000000000 / NULLIF(count(\(sql))\(clauses), 0)"
        let whole = "length(trunc(abs(\(average)))::text)"
        return "round(\(average), least(20, 38 - \(whole)))"
    }

    /// What is infinite makes it no number, which SQLite has as NULL.
    public func standardDeviation(_ sql: String, _ clauses: String) -> String? {
        "NULLIF(stddev_samp((\(sql))::double precision)\(clauses), 'NaN')"
    }

    public func percentile(_ fraction: String, of sql: String, isDiscrete: Bool, _ clauses: String) -> String? {
        if isDiscrete { return "percentile_disc(\(fraction)) WITHIN GROUP (ORDER BY \(sql))\(clauses)" }
        let number = "percentile_cont(\(fraction)) WITHIN GROUP (ORDER BY (\(sql))::double precision)\(clauses)"
        return "NULLIF(\(number), 'NaN')"
    }

    public func joined(
        _ text: String, _ separator: String, order: [OrderedValue], _ clauses: String
    ) -> String? {
        let terms = order.map { orderTerm($0.sql, isDescending: $0.isDescending, nullsFirst: $0.nullsFirst) }
        return "string_agg(\(text)::text, \(separator) ORDER BY \(terms.joined(separator: ", ")))\(clauses)"
    }

    public func limit(_ limit: Int?, offset: Int) -> String {
        (limit.map { " LIMIT \($0)" } ?? "") + (offset == 0 ? "" : " OFFSET \(offset)")
    }

    public func explain(_ sql: String) -> String { "EXPLAIN \(sql)" }

    public var measuresSteps: Bool { true }

    public func explainAnalyze(_ sql: String) -> String { "EXPLAIN (ANALYZE, BUFFERS) \(sql)" }
}
