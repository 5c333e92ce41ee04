extension SchemaJournal {
    /// Refuses to drop or rename a table of the library's own.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if the name is one of those that it keeps for itself.
    static func refuse(_ table: String) throws {
        guard table.lowercased().hasPrefix(DeleteRuleDefinition.namePrefix) else { return }
        throw DatabaseError(
            .conflict,
            "The table \"\(table)\" is the library's own: what it has keeps the database from being migrated wrongly, so "
                + "it is neither changed nor dropped. Nothing was changed.",
            table: table)
    }
}
