@_spi(Driver) import Holdfast

@_spi(Driver) extension SQLiteDialect {
    /// What ALTER TABLE … RENAME makes of the text of an index (`renameEditSql` in SQLite's alter.c): each name that
    /// means the table or the column becomes the new one, in double quotes.
    ///
    /// In a trigger the same name may mean the column of another table, so one that has it is not told.
    public func renamed(
        _ dependent: DatabaseSchema.Dependent, of table: String, by change: SchemaChange
    ) -> DatabaseSchema.Dependent? {
        let text = SchemaText(dependent.sql)
        func means(_ name: String, at index: Int) -> Bool {
            text.tokens[index].kind != .string && text.name(at: index)?.lowercased() == name.lowercased()
        }
        let (old, new, changed): (String, String, String)
        switch change {
        case .renameTable(let name, let newName): (old, new, changed) = (name, newName, name)
        case .renameColumn(let name, let owner, let newName): (old, new, changed) = (name, newName, owner)
        default: return nil
        }
        if dependent.isTrigger { return text.tokens.indices.contains { means(old, at: $0) } ? nil : dependent }
        guard table.lowercased() == changed.lowercased() else { return dependent }
        guard let on = text.firstWord("ON") else { return nil }
        var places: [Int]
        if case .renameTable = change {
            places = [on + 1]
        } else {
            places = text.tokens.indices.dropFirst(on + 2).filter { index in
                means(old, at: index) && !text.isSymbol("(", at: index + 1) && !text.isWord("COLLATE", at: index - 1)
            }
        }
        places = places.filter(text.tokens.indices.contains)
        var renamed = dependent
        renamed.sql = text.replacing(places, with: quoted(new))
        return renamed
    }
}
