/// Where a relation to one object leads, as far as the object that has it knows.
enum KnownReference {
    /// To no object.
    case nowhere
    /// To the object with a key, as columns hold it.
    case key(Key)
    /// To an object that has no key yet.
    case newObject
    /// It was not loaded, and what was loaded has no key of it.
    case unknown
}

extension ChangeTracker {
    /// Has references that were set count as loaded: their new target replaces the stored one, whatever that is.
    mutating func takeReplaced(_ description: TableDescription) {
        guard !unloaded.isEmpty, !dirty.isEmpty else { return }
        unloaded.subtract(dirty.intersection(description.columns.referenceMask))
    }

    /// Keeps the keys that references have in a row of all columns, as the originals of what was not loaded.
    mutating func keepKeys(of references: PropertyMask, in cells: UnsafePointer<Cell>, _ description: TableDescription)
    {
        references.forEach { keep(StoredKey(description.columns.referenceCells($0).key(in: cells), at: $0)) }
    }
}

extension TableMapping {
    /// Where a relation to one object leads.
    func reference(_ index: Int, of model: Model) throws -> KnownReference {
        var isLoaded = true
        var stored: StoredKey?
        var unloaded = PropertyMask()
        changes?(model) { tracker in
            tracker.takeReplaced(description)
            unloaded = tracker.unloaded
            isLoaded = !unloaded.contains(index)
            if !isLoaded { stored = tracker.originals[index] as? StoredKey }
        }
        guard !isLoaded else {
            guard index < accessors.count else { return .unknown }
            return (accessors[index].original(model) as? OriginalKeys)?.reference ?? .unknown
        }
        guard let stored else { return .unknown }
        let key: Key? =
            if let shared = description.columns.sharedReference(index), shared.owningMask.intersection(unloaded).isEmpty
            {
                try sharedKey(shared, stored.key, of: model)
            } else {
                stored.key
            }
        return key.map { .key($0) } ?? .nowhere
    }

    /// The key of a reference that shares columns, with the present values of the properties that it shares them with.
    private func sharedKey(_ reference: SharedReference, _ stored: Key?, of model: Model) throws -> Key? {
        let owning = try row(of: model, reference.owningMask)
        let slots = description.slots(reference.owningMask)
        let known = try stored?.parameters()
        var key = ParameterBuffer(width: reference.owners.count)
        for (part, owner) in reference.owners.enumerated() {
            if let owner {
                key.append(owning.cells[Int(slots[owner])], of: owning)
            } else if let known {
                key.append(known.cells[part], of: known)
            } else {
                return nil
            }
        }
        return key.key(ofRow: 0)
    }
}
