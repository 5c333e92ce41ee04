/// Values that were used recently, by their keys: a bounded number, of which the one unused for longest goes first.
///
/// It is what a connection keeps its prepared statements in. Its functions are compiled into each driver, as one of
/// them is called for every statement.
package struct RecentlyUsed<Key: Hashable, Value> {
    /// An object, so that a use is noted without looking its value up again.
    @usableFromInline
    final class Entry {
        @usableFromInline let value: Value
        @usableFromInline var lastUse: UInt64

        @inlinable
        init(value: Value, lastUse: UInt64) {
            self.value = value
            self.lastUse = lastUse
        }
    }

    @usableFromInline var entries: [Key: Entry] = [:]
    @usableFromInline var uses: UInt64 = 0
    /// How many values are kept at most.
    package let capacity: Int

    /// Creates an empty collection of at most `capacity` values, and of one at least.
    package init(capacity: Int) { self.capacity = max(capacity, 1) }

    package var count: Int { entries.count }

    /// The values, in no order.
    package var values: [Value] { entries.values.map(\.value) }

    /// The value kept for `key`; asking for it counts as a use.
    @inlinable
    package mutating func value(for key: Key) -> Value? {
        guard let entry = entries[key] else { return nil }
        uses += 1
        entry.lastUse = uses
        return entry.value
    }

    /// Keeps `value` for `key`, in place of another one where there is one.
    ///
    /// It keeps more than the capacity unless ``removeOldest()`` made room before.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key) {
        uses += 1
        entries[key] = Entry(value: value, lastUse: uses)
    }

    /// Takes out the value that was unused for longest where there is no room for another one.
    ///
    /// - Complexity: O(`capacity`), which is little beside preparing a statement.
    /// - Returns: The value; nil where there is room.
    @inlinable
    package mutating func removeOldest() -> Value? {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        else { return nil }
        return remove(oldest)
    }

    /// Takes out the value for `key`.
    @inlinable
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? { entries.removeValue(forKey: key)?.value }

    /// Lets go of all values.
    package mutating func removeAll() { entries.removeAll() }
}
