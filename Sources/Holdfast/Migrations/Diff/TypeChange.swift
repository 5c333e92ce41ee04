/// The effect of another type on the values of a column.
enum TypeChange: Equatable {
    /// Every value is kept as it is.
    case widening
    /// Integers beyond these bounds are in the way.
    case narrowing(ClosedRange<Int64>)
    /// No general rule says what a value becomes.
    case unknown

    init(from old: ColumnType, to new: ColumnType) {
        switch (old, new) {
        case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.float, .double): self = .widening
        case (.int16, .double), (.int32, .double): self = .widening
        case (.int16, .decimal), (.int32, .decimal), (.int64, .decimal): self = .widening
        case (.int64, .int32): self = .narrowing(Int64(Int32.min)...Int64(Int32.max))
        case (.int64, .int16), (.int32, .int16): self = .narrowing(Int64(Int16.min)...Int64(Int16.max))
        case (.int64, .double): self = .narrowing(-(1 << 53)...(1 << 53))
        default: self = .unknown
        }
    }
}
