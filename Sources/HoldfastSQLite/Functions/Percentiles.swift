import CSQLite

/// The aggregates that look for a value at a place among those of a group, in their order.
extension DatabaseHandle {
    func registerPercentiles() throws(ResultCode) {
        try registerAggregate(
            "holdfast_percentile", 2,
            { context, _, values in
                guard let context else { return }
                GroupState.of(context, ValuesOfGroup<Double>())?.add(values, context) { number($0) }
            },
            { context in
                guard let context, let group = GroupState<ValuesOfGroup<Double>>.end(context) else { return }
                if let result = group.interpolated { sqlite3_result_double(context, result) }
            })
        try registerAggregate(
            "holdfast_percentile_of", 2,
            { context, _, values in
                guard let context else { return }
                GroupState.of(context, ValuesOfGroup<PlacedValue>())?.add(values, context) { PlacedValue($0) }
            },
            { context in
                guard let context, let group = GroupState<ValuesOfGroup<PlacedValue>>.end(context) else { return }
                group.found?.give(context)
            })
    }
}

/// The values of a group so far, and at which place one is looked for, as a fraction of them.
private final class ValuesOfGroup<Value: Comparable> {
    private var values: [Value] = []
    private var fraction = 0.0

    func add(
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ context: OpaquePointer,
        _ read: (OpaquePointer) -> Value?
    ) {
        guard let value = arguments?[0], let fraction = arguments?[1], sqlite3_value_type(value) != SQLITE_NULL else {
            return
        }
        if values.isEmpty { self.fraction = sqlite3_value_double(fraction) }
        guard let value = read(value) else { return sqlite3_result_error(context, "a value is no number", -1) }
        values.append(value)
    }

    /// The first value that at least the fraction are not greater than.
    var found: Value? {
        guard !values.isEmpty else { return nil }
        let place = Int((fraction * Double(values.count)).rounded(.up))
        return values.sorted()[min(max(place, 1), values.count) - 1]
    }
}

extension ValuesOfGroup<Double> {
    /// The number at the place, or between the two there; nil where it is none.
    fileprivate var interpolated: Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let place = fraction * Double(sorted.count - 1)
        let (low, high) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
        // As PostgreSQL computes it.
        let result = place == place.rounded(.down) ? low : low + (place - place.rounded(.down)) * (high - low)
        return result.isNaN ? nil : result
    }
}

/// A number, or a decimal that is a text.
private func number(_ value: OpaquePointer) -> Double? {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return Double(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return sqlite3_value_double(value)
    case SQLITE_TEXT: return sqlite3_value_text(value).flatMap { Double(String(cString: $0)) }
    default: return nil
    }
}

/// A date as a column has it.
private enum PlacedValue: Comparable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])

    init?(_ value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_value_text(value) else { return nil }
            self = .text(Array(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))))
        default: return nil
        }
    }

    static func < (left: PlacedValue, right: PlacedValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.integer(let left), .real(let right)): Double(left) < right
        case (.real(let left), .integer(let right)): left < Double(right)
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.integer, .text), (.real, .text): true
        case (.text, .integer), (.text, .real): false
        }
    }

    func give(_ context: OpaquePointer) {
        switch self {
        case .integer(let value): sqlite3_result_int64(context, value)
        case .real(let value): sqlite3_result_double(context, value)
        case .text(let bytes):
            bytes.withUnsafeBytes { holdfast_sqlite_result_bytes(context, $0.baseAddress, UInt64($0.count), 1) }
        }
    }
}
