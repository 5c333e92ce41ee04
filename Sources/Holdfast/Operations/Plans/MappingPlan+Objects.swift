/// What operations ask of a plan about single objects.
extension MappingPlan {
    /// Whether a save of a tracked object is one row, with nothing before and after it.
    var isSavedByRow: Bool { description.isClass && mapping.changes != nil && isOneRow }

    /// Whether all of an object is in its row, and nothing is to be called when that is written.
    var isOneRow: Bool {
        hooks == nil && columns.isWrittenByRow && columns.relationMask.isEmpty && !description.isReadOnly
    }

    /// Whether an upsert by a key can leave out to read the row back: the object is a value, and all that it holds is
    /// what was sent.
    func canBeUpsertedSilently(on key: PropertyMask) -> Bool {
        isOneRow && !description.isClass && !description.hasGeneratedKey && key == description.keyMask
            && (description.expiry == nil || description.meetsOnlyKey(description.writtenMask))
    }

    /// Makes an object of a row of all columns.
    func decode(_ cells: UnsafePointer<Cell>, showsKeys: Bool) throws -> Model {
        do {
            let model = try mapping.decode(Row(cells: cells, layout: columns.fullLayout))
            mapping.changes?(model) { $0.markPersisted() }
            mapping.keepOriginals(of: model)
            return model
        } catch {
            throw description.located(error, inRow: cells, showsKeys: showsKeys)
        }
    }

    /// The primary key of an object.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if it has none yet.
    func key(of model: Model) throws -> Key {
        if let key = try mapping.key(of: model) { return key }
        throw DatabaseError(
            .notFound, "The \(description.type) has no key yet, so it has no row. Save it first.",
            table: description.table)
    }

    /// What an object remembers of itself; nil if it is not tracked.
    func tracker(of model: Model) -> ChangeTracker? {
        guard let changes = mapping.changes else { return nil }
        var tracker = ChangeTracker()
        changes(model) { tracker = $0 }
        return tracker
    }

    /// Marks an object as being what its row holds.
    ///
    /// - Parameter unloaded: The properties that were not loaded with it.
    func markLoaded(_ model: Model, unloaded: PropertyMask = PropertyMask()) {
        mapping.changes?(model) { tracker in
            tracker.markPersisted()
            tracker.unloaded = unloaded
        }
        mapping.keepOriginals(of: model)
    }
}

extension TableDescription {
    /// The error of a row that could not be decoded, with the row's key where keys are shown.
    func located(_ error: any Error, inRow cells: UnsafePointer<Cell>, showsKeys: Bool) -> any Error {
        guard showsKeys, var located = error as? DatabaseError, located.code == .decoding else { return error }
        located.shownKey = exposed(columns.key(inRow: cells)).shown
        return located
    }
}
