/// The effect of another type on the values of a column.
enum TypeChange: Equatable {
    /// Every value is kept as it is.
    case widening
    /// Integers beyond these bounds are in the way.
    case narrowing(ClosedRange<Int64>)
    /// No general rule says what a value becomes.
    case unknown

    init(from old: ColumnType, to new: ColumnType) {
        switch old {
        case .int16, .int32, .int64:
            guard old != new, let given = old.integers, let kept = new.exactIntegers else {
                self = .unknown
                return
            }
            self = kept.contains(given) ? .widening : .narrowing(kept)
        case .float: self = new == .double ? .widening : .unknown
        case .boolean, .double, .decimal, .text, .blob, .timestamp, .uuid, .json: self = .unknown
        }
    }
}
