extension ConformanceCase {
    /// Every case, in the order of a report.
    public static let all: [ConformanceCase] = [
        types, numbers, dates, text, ordering, arrayContents, arrayChanges,
        saving, batches, keys, timestamps, hooks,
        transactions, nesting, isolation,
    ].flatMap(\.self)
}
