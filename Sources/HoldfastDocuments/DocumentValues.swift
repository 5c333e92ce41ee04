import Holdfast

/// The values of several documents, by their keys and in the order of keys, which are compared by their bytes.
///
/// ```swift
/// let people = try await db.documents["people"].get(["ann", "bob"], as: Person.self)
/// print(people["ann"]?.city ?? "")
/// for (key, person) in people { print(key, person.city) }
/// ```
public struct DocumentValues<Value>: RandomAccessCollection {
    private let values: [(key: String, value: Value)]

    /// - Parameter values: In the order of keys.
    init(_ values: [(key: String, value: Value)]) { self.values = values }

    /// The position of the first value.
    public var startIndex: Int { values.startIndex }
    /// The position after the last value.
    public var endIndex: Int { values.endIndex }

    /// The key and the value at a position in the order of keys.
    public subscript(position: Int) -> (key: String, value: Value) { values[position] }

    /// The value of a key; nil if there is none.
    public subscript(key: String) -> Value? {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle].key.utf8.lexicographicallyPrecedes(key.utf8) { low = middle + 1 } else { high = middle }
        }
        guard low < values.count, values[low].key.utf8.elementsEqual(key.utf8) else { return nil }
        return values[low].value
    }

    /// The keys, in their order.
    public var keys: [String] { values.map(\.key) }
}

extension DocumentValues: Sendable where Value: Sendable {}

extension DocumentValues: _ValuesHidden {}
