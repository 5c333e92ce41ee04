/// Where rows are, by their keys.
///
/// The frequent kind of key, one integer, has a table of its own: with a million rows, the size of an entry is what counts.
struct KeyIndex {
    private var integers: [Int64: Int32] = [:]
    private var others: [Key: Int32] = [:]

    subscript(key: Key) -> Int32? {
        get {
            if case .integer(let value) = key.storage { return integers[value] }
            return others[key]
        }
        set {
            if case .integer(let value) = key.storage { integers[value] = newValue } else { others[key] = newValue }
        }
    }
}
