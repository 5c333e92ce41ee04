// The overloads for `Codable` types are those of `RowEncoder.encode`: see TableMappingBuilder+Codable.swift.

extension ChangeTracker {
    /// Marks the property at `index` as changed.
    ///
    /// Of an array, a dictionary or a set, an equal value is found out nevertheless: what such a property held is kept
    /// when the object is loaded or saved. It is changed in place if its observer makes no use of the old value.
    /// Another property that is marked so counts as changed, whatever it holds.
    ///
    /// ```swift
    /// var tags: [String] { didSet { changes.mark(3) } }
    /// ```
    @inlinable
    public mutating func mark(_ index: Int) {
        isUncertain = true
        if !dirty.contains(index) {
            dirty.insert(index)
            if !originals.isEmpty { releaseObjects(of: index) }
        }
    }

    /// Marks the property at `index` as changed, unless it was set to what it held.
    ///
    /// ```swift
    /// var title: String { didSet { changes.mark(1, from: oldValue, to: title) } }
    /// ```
    ///
    /// - Parameters:
    ///   - index: The position among the mapped properties, from 0.
    ///   - old: The value that it held; kept at the first change, so that a save finds out whether it is the same
    ///     again.
    ///   - new: The value that it holds.
    @inlinable
    public mutating func mark<Value: PropertyValue>(_ index: Int, from old: Value, to new: Value) {
        if dirty.contains(index) {
            isUncertain = true
            return
        }
        guard state != .new else { return dirty.insert(index) }
        // A property that was not loaded did not hold what the row has. If it is a reference, the key in the row is
        // kept already.
        guard !unloaded.contains(index) else { return markUnloaded(index) }
        switch Value._isSame(old, new) {
        case true?: return
        case false?: break
        case nil: isUncertain = true
        }
        dirty.insert(index)
        if !originals.isEmpty { dropOriginal(of: index) }
        if let small = Value._smallOriginal(old) {
            originals.add(small, at: index)
        } else {
            originals.add(Value._original(old, at: index))
        }
    }

    /// Marks a `weak` property as changed, unless it was set to the object that it held.
    ///
    /// Nothing is kept of that object, which may be gone while the row still refers to it: set to nil where it is nil,
    /// or to another object and back, the property counts as changed.
    @inlinable
    public mutating func mark(_ index: Int, fromWeak old: AnyObject?, to new: AnyObject?) {
        guard !unloaded.contains(index) else { return markUnloaded(index) }
        if let old, old === new, knowsDeletions { return }
        dirty.insert(index)
    }

    /// Marks a property as changed that was not loaded.
    @usableFromInline
    mutating func markUnloaded(_ index: Int) {
        dirty.insert(index)
        isUncertain = true
    }

    /// Whether nothing was deleted since the object was loaded.
    @usableFromInline var knowsDeletions: Bool { latestDeletion == Deletions.latestNumber }

    /// Marks a property of a `Codable` type, which is kept as JSON.
    @_disfavoredOverload
    public mutating func mark<Value: Codable & SendableMetatype>(_ index: Int, from old: Value, to new: Value) {
        mark(index, from: JSONValue(old), to: JSONValue(new))
    }

    /// Marks an optional property of a `Codable` type, which is kept as JSON.
    @_disfavoredOverload
    public mutating func mark<Value: Codable & SendableMetatype>(_ index: Int, from old: Value?, to new: Value?) {
        mark(index, from: old.map { JSONValue($0) }, to: new.map { JSONValue($0) })
    }

    /// Marks an array of a `Codable` type, whose elements are kept as JSON.
    @_disfavoredOverload
    public mutating func mark<Element: Codable & SendableMetatype>(_ index: Int, from old: [Element], to new: [Element])
    {
        // Only the first change needs the old elements.
        if dirty.contains(index) { return isUncertain = true }
        mark(index, from: old.map { JSONValue($0) }, to: new.map { JSONValue($0) })
    }

    /// Marks an optional array of a `Codable` type, whose elements are kept as JSON.
    @_disfavoredOverload
    public mutating func mark<Element: Codable & SendableMetatype>(
        _ index: Int, from old: [Element]?, to new: [Element]?
    ) {
        if dirty.contains(index) { return isUncertain = true }
        mark(index, from: old?.map { JSONValue($0) }, to: new?.map { JSONValue($0) })
    }

    /// Takes any type, so that one that can't be stored is one error: that of the property's description.
    @_disfavoredOverload
    public mutating func mark<Value>(_ index: Int, from old: Value, to new: Value) {
        mark(index)
    }
}
