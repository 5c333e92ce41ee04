extension ConformanceCase {
    /// Every case, in the order of a report.
    public static let all: [ConformanceCase] = [
        types, numbers, dates, text, ordering, arrayContents, arrayChanges,
        saving, structs, batches, keys, timestamps, hooks,
        concurrency, sql,
        transactions, nesting, isolation, cancellation, checkout,
        codes, connections, redaction, migration, names, differential,
    ].flatMap(\.self)
}
