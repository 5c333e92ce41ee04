/// What the core asks about types of columns: a fact a property, with a row for each type.
///
/// No switch has a `default`, so that the compiler asks all of this of a new type.
extension ColumnType {
    /// The integers that a column of integers holds; nil for other types.
    package var integers: ClosedRange<Int64>? {
        switch self {
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int64: Int64.min...Int64.max
        case .boolean, .float, .double, .decimal, .text, .blob, .timestamp, .uuid, .json: nil
        }
    }

    /// Whether it is a type of integers, which can be counted: a version, and a key that a generator makes.
    package var isInteger: Bool { integers != nil }

    /// The integers that stay what they are when a column of integers gets this type; nil if no rule says so.
    var exactIntegers: ClosedRange<Int64>? {
        switch self {
        case .int16, .int32, .int64: integers
        case .double: -(1 << 53)...(1 << 53)
        case .decimal: Int64.min...Int64.max
        case .boolean, .float, .text, .blob, .timestamp, .uuid, .json: nil
        }
    }

    /// Whether a column of a key holds values of a kind of cell; false of every kind for a type that is no key.
    func holdsKey(_ kind: Cell.Kind) -> Bool {
        switch self {
        case .int16, .int32, .int64: kind == .integer
        case .text: kind == .text
        // An engine without a type for UUIDs has them as blobs.
        case .uuid: kind == .uuid || kind == .blob
        case .timestamp: kind == .timestamp
        case .boolean, .float, .double, .decimal, .blob, .json: false
        }
    }

    /// Whether queries compute the least and the greatest of its values.
    var hasExtremes: Bool {
        switch self {
        case .int16, .int32, .int64, .float, .double, .decimal, .text, .timestamp: true
        case .boolean, .blob, .uuid, .json: false
        }
    }

    /// How its values are told in the JSON of an array in one column; nil if no such array has them.
    var elementForm: ElementForm? {
        switch self {
        case .boolean, .int16, .int32, .int64, .float, .double, .text: .plain
        case .decimal: .decimal
        case .timestamp: .timestamp
        case .uuid: .uuid
        case .blob, .json: nil
        }
    }

    /// What a value in JSON stands for in an array of a type.
    enum ElementForm {
        /// What JSON has: a truth value, a number or a text.
        case plain
        /// A decimal, as a number with all of its digits, or as a text.
        case decimal
        /// An instant, as a text such as `2026-11-21T09:30:00Z`.
        case timestamp
        /// A UUID, as a text.
        case uuid
    }
}
