/// Objects that are deleted since the save of their owner found them taken out of it.
extension SaveGraph {
    /// Deletes the objects that an owner let go, if its relation keeps no orphans.
    ///
    /// It comes before anything is inserted or updated, as all that is let go.
    func remove(_ release: SaveTable.Release, through session: Session, in scope: TransactionScope?) async throws {
        let rows = release.orphans
        guard rows.rowCount > 0 else { return }
        let width = release.description.keyIndices.count
        let keys = Set(
            (0..<rows.rowCount).map { ElementKey(UnsafeBufferPointer(start: rows.row($0), count: width)) })
        let removal = DeleteGraph(core: core)
        for objects in savedObjects where objects.description === release.description {
            for batch in objects.table.batches {
                for entry in batch.entries where keys.contains(objects.table.elementKey(of: entry.index)) {
                    throw objects.description.reachedAsOrphan(release.relation)
                }
            }
            for index in 0..<objects.table.count where keys.contains(objects.table.elementKey(of: index)) {
                try objects.give(index, to: removal)
            }
        }
        try await removal.delete(rows, of: release.relation.target, through: session, in: scope)
        removals.append(removal)
    }
}

extension TableDescription {
    /// The error about an object that a save is to delete and to write.
    fileprivate func reachedAsOrphan(_ relation: Relation) -> DatabaseError {
        DatabaseError(
            .conflict,
            "A \(type) was taken out of \"\(relation.name)\", whose orphans are deleted, and was changed and is saved as well. Take it out of what else holds it, or give it to another.",
            table: table, properties: [relation.name])
    }
}

/// What is deleted by a save, as far as its objects have to know it.
extension SavedObjects {
    func delete(_ expired: [StoredRows], through session: Session) async throws {
        try await DeleteGraph(core: session.core, choice: .permanent).delete(expired, of: Model.self, through: session)
    }

    func give(_ index: Int, to removal: DeleteGraph) throws {
        try removal.give(objects[index], checkingVersionAt: nil)
    }
}
