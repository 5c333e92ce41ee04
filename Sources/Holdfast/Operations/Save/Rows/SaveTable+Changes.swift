extension SaveTable {
    /// What was done to the objects, for those who observe.
    func changes(for observations: Observations) -> TableChanges {
        let compared = observations.comparedProperties(of: description.table)
        let changes = batches.flatMap { batch -> [ObjectChange] in
            let kind = batch.group.action.eventKind
            let names = kind == .updated ? description.names(of: batch.group.mask) : []
            let slots = description.slots(ofProperties: compared, in: batch.group.mask)
            return batch.entries.enumerated().compactMap { row, entry in
                if batch.ignored.contains(row) { return nil }
                var change = ObjectChange(
                    kind: kind, key: key(of: entry.index),
                    instance: description.isClass ? identities[entry.index] : nil, properties: names)
                let (rows, row) = batch.encoded(row)
                change.values = rows.values(slots, ofRow: row)
                return change
            }
        }
        return TableChanges(table: description.table, changes: changes)
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

    /// Where the values of properties are in a row of `mask`: of those that are in it, and have one column.
    func slots(ofProperties names: Set<String>, in mask: PropertyMask) -> [ComparedSlot] {
        let written = columns.all.indices.filter { mask.contains(columns.all[$0].property) }
        return slots(ofProperties: names).compactMap { found in
            written.firstIndex(of: found.slot).map {
                ComparedSlot(property: found.property, slot: $0, type: found.type)
            }
        }
    }
}

extension ParameterBuffer {
    /// Values of a row, as far as they can be compared.
    func values(_ slots: [ComparedSlot], ofRow row: Int) -> [(property: String, value: ComparedValue)] {
        if slots.isEmpty { return [] }
        return withRow(row) { cells in
            cells.baseAddress.map { cells in slots.compactMap { $0.value(in: cells) } } ?? []
        }
    }
}
