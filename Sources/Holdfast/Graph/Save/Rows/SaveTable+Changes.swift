extension SaveTable {
    /// What was done to the objects, for those who listen.
    var changes: [ObjectChange] {
        batches.flatMap { batch -> [ObjectChange] in
            let kind = batch.group.action.eventKind
            let names = kind == .updated ? description.names(of: batch.group.mask) : []
            return batch.entries.enumerated().compactMap { row, entry in
                if batch.ignored.contains(row) { return nil }
                return ObjectChange(kind: kind, key: key(of: entry.index), properties: names)
            }
        }
    }
}

extension SaveBatch.Action {
    /// The kind of event that it is for each row.
    var eventKind: ObjectEventKind {
        switch self {
        case .insert, .insertOrIgnore: .inserted
        case .update: .updated
        case .upsert: .saved
        }
    }
}

extension TableDescription {
    /// The names of properties, without those of the key and the version.
    func names(of mask: PropertyMask) -> [String] {
        mask.subtracting(keyMask).subtracting(versionMask).indices.map { properties[$0].name }
    }
}
