/// A feature that every engine needs: without it, what Holdfast promises cannot be kept.
///
/// A driver names those that its engine lacks in ``Capabilities/lacking``. Opening such a database throws
/// ``DatabaseError/Code/unsupported``, which says them all.
public enum EngineRequirement: String, Hashable, Sendable, CaseIterable {
    /// A rollback takes back what was done to tables: a migration that fails leaves nothing half done.
    case transactionalDDL
    /// `INSERT`, `UPDATE` and `DELETE` have a `RETURNING` clause: for generated keys, versions and rounded values.
    case returning
    /// Triggers also run for rows that a foreign key's action changes or deletes: delete rules and the change log are
    /// triggers.
    case triggersOnCascades
    /// A statement can change rows of a table that its own subquery reads: for deletions and updates by a query.
    case subqueriesOfChangedTables

    /// The consequence of its absence, after the words "The engine ".
    var sentence: String {
        switch self {
        case .transactionalDDL: "does not roll back changes of tables, so a migration that fails would stay half done"
        case .returning: "has no RETURNING, so the keys and versions of saved rows would be unknown"
        case .triggersOnCascades:
            "runs no triggers for what foreign keys change, so delete rules and the change log would miss rows"
        case .subqueriesOfChangedTables:
            "can't change rows of a table that the statement also reads, so bulk changes by a query would fail"
        }
    }
}

extension Capabilities {
    /// Throws if the engine lacks something that is needed everywhere.
    func requireAll() throws {
        guard !lacking.isEmpty else { return }
        let sentences = EngineRequirement.allCases.filter(lacking.contains).map(\.sentence)
        throw DatabaseError(
            .unsupported,
            "This database can't be used (version \(engineVersion)). The engine \(sentences.joined(separator: "; it "))."
        )
    }
}
