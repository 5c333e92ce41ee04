extension SaveTable {
    /// Whether a save in a transaction writes objects that are older than the attempt: what they hold may be the work of
    /// an attempt before, to which this one would add.
    ///
    /// Of an object that was made, fetched or reloaded since the attempt began, that can't be. Values have no such mark:
    /// new ones count as made by the attempt, and others if it has fetched any of their type.
    func writesOlder(than attempt: TransactionAttempt) -> Bool {
        guard isClass else {
            guard !attempt.hasRead(Model.self) else { return false }
            return objects.contains { value in
                var keys = RowEncoder(description, mask: description.keyMask)
                do {
                    try plan.mapping.encode(value, &keys)
                    return try !keys.columns.buffer.lacksKey(0, of: description)
                } catch {
                    // The save will refuse it; and of what has no key that can be read, nobody knows that it is new.
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
