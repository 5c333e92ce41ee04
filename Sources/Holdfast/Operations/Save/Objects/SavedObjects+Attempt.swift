extension SavedObjects {
    /// Returns whether objects are written that are older than an attempt at a transaction.
    ///
    /// An object that was made, fetched or reloaded since the attempt began is not. Values have no such mark: new ones
    /// count as made by the attempt, and others if it has fetched any of their type.
    func writesOlder(than attempt: TransactionAttempt) -> Bool {
        guard description.isClass else {
            guard !attempt.hasRead(Model.self) else { return false }
            return objects.contains { value in
                var keys = RowEncoder(description, mask: description.keyMask)
                do {
                    try plan.mapping.encode(value, &keys)
                    try keys.cells.buffer.requireEncodedKey(0, of: description)
                    return !keys.cells.buffer.lacksKey(0)
                } catch {
                    // The save will refuse it; and if its key can't be read, nobody knows that it is new.
                    return true
                }
            }
        }
        guard let changes else { return !objects.isEmpty }
        return objects.contains { object in
            var isWrittenAndOlder = false
            changes(object) { tracker in
                isWrittenAndOlder =
                    (tracker.state != .persisted || !tracker.dirty.isEmpty) && attempt.isOlder(tracker.birth)
            }
            return isWrittenAndOlder
        }
    }
}
