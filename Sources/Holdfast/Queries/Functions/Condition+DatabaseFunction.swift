// Functions by their names in condition text.

extension Condition {
    /// Creates a condition from text that is not a literal in the program, and can call functions by their names.
    ///
    /// ```swift
    /// let similarity = DatabaseFunction<Double?>("similarity")
    /// let condition = Condition(parsing: "similarity(name, 'Smith') > 0.3", calling: similarity)
    /// // … WHERE ("similarity"(t0."name", $1::text)) > $2
    /// ```
    ///
    /// A text can call no function of the database but these and those of the grammar. A function that is given here
    /// comes before one of the grammar with the same name.
    ///
    /// - Parameters:
    ///   - text: The condition.
    ///   - functions: The functions, whose names have no schema; another makes queries throw
    ///     ``DatabaseError/Code/invalidValue``.
    public init<each Value: Storable>(parsing text: String, calling functions: repeat DatabaseFunction<each Value>) {
        var condition = ConditionText(pieces: [.text(text)])
        var failure: DatabaseError?
        for function in repeat each functions {
            if function.parts?.count != 1 { failure = .invalidFunctionName(function.name) }
            condition.functions[function.name] = function.type
        }
        self.init(failure.map { .failure($0) } ?? .text(condition))
    }
}

extension Condition.StringInterpolation {
    /// Calls a function with the values that follow in parentheses.
    ///
    /// ```swift
    /// .where("\(similarity)(name, \(given)) > 0.3")    // ("similarity"(t0."name", $1::text)) > $2
    /// ```
    public mutating func appendInterpolation<Value>(_ function: DatabaseFunction<Value>) {
        text.pieces.append(.function(function.parts ?? [function.name], function.type))
    }
}
