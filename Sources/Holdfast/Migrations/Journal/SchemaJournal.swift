import Foundation

/// The records of earlier migrations (decision 0008): the purpose of each column, since an engine may not distinguish a
/// date from a number, and each statement that was run.
struct SchemaJournal: Sendable {
    static let tables = LogTables.names.union(definitions.map(\.name))

    /// The definitions of the journal's own tables.
    static var definitions: [TableDefinition] {
        let descriptions = [
            JournalEntry.tableMapping.description, JournalStatement.tableMapping.description,
            AppliedMigration.tableMapping.description, SchemaVersion.tableMapping.description,
            AdoptedTable.tableMapping.description, PastName.tableMapping.description,
            MadeAddition.tableMapping.description,
        ]
        return descriptions.flatMap(\.definitions)
    }

    private var entries: [Key: JournalEntry]
    /// The columns that were there when migrations first met them.
    private var found: Set<Key> = []
    /// The tables that migrations have made.
    private(set) var tables: Set<String>
    /// The tables that are somebody else's, which no migration changes.
    private(set) var adopted: Set<String>
    /// Those of them that are not recorded yet.
    private(set) var adoptions: [String] = []
    /// The names that tables and columns had.
    var past: PastNames

    init(_ entries: [JournalEntry] = [], adopted: Set<String> = [], past: PastNames = PastNames()) {
        (self.adopted, self.past, self.entries, tables) = (adopted, past, [:], [])
        record(entries)
    }

    /// Takes up what is recorded of columns.
    mutating func record(_ entries: [JournalEntry]) {
        for var entry in entries {
            let key = Key(entry.table, entry.column)
            if entry.contents.storage >= JournalEntry.foundMark {
                entry.contents.storage -= JournalEntry.foundMark
                found.insert(key)
            }
            self.entries[key] = entry
            tables.insert(entry.table)
        }
    }

    /// Follows a change.
    mutating func follow(_ change: JournalChange) {
        switch change {
        case .renameTable(let table, let name): rename(table: table, to: name)
        case .renameColumn(let column, let table, let name): rename(column: column, of: table, to: name)
        case .setType(let type, let storage, let column, let table):
            let key = Key(table, column)
            guard var entry = entries[key] else { return }
            entry.contents.type = type.rawValue
            if let storage {
                entry.contents.storage = storage
                found.remove(key)
            }
            entries[key] = entry
        case .forget(let column, let table):
            for key in entries.keys where entries[key]?.table == table {
                if let column, entries[key]?.column != column { continue }
                entries[key] = nil
                found.remove(key)
            }
            if !entries.values.contains(where: { $0.table == table }) { tables.remove(table) }
        }
    }

    /// Follows a table that gets another name.
    private mutating func rename(table: String, to name: String) {
        if tables.remove(table) != nil { tables.insert(name) }
        for (key, entry) in entries where entry.table == table {
            entries[key] = nil
            if found.remove(key) != nil { found.insert(Key(name, entry.column)) }
            entries[Key(name, entry.column)] = JournalEntry(
                table: name, column: entry.column, contents: entry.contents)
        }
    }

    /// Follows a column that gets another name.
    private mutating func rename(column: String, of table: String, to name: String) {
        guard let entry = entries.removeValue(forKey: Key(table, column)) else { return }
        if found.remove(Key(table, column)) != nil { found.insert(Key(table, name)) }
        entries[Key(table, name)] = JournalEntry(table: table, column: name, contents: entry.contents)
    }

    /// Takes the tables of a type for somebody else's: its own, and those of its arrays that exist.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if its own is one that migrations have made.
    mutating func adopt(_ description: TableDescription, in snapshot: SchemaTables) throws {
        for definition in description.definitions
        where definition.schema == nil && !adopted.contains(definition.name) {
            if definition.isJoinTable {
                guard snapshot.tables[definition.name] != nil, !tables.contains(definition.name) else { continue }
            } else if tables.contains(definition.name) {
                throw DatabaseError(
                    .conflict,
                    "The table \"\(definition.name)\" can't be adopted: it is in the journal of migrations, which have made "
                        + "or extended it. Nothing was changed.",
                    table: definition.name)
            }
            adopted.insert(definition.name)
            adoptions.append(definition.name)
        }
    }

    func entry(table: String, column: String) -> JournalEntry.Contents? { entries[Key(table, column)]?.contents }

    /// The columns of a table, as far as it knows them.
    func columns(of table: String) -> [String] {
        entries.values.filter { $0.table == table }.map(\.column).sorted()
    }

    /// Whether a migration has made a column, so that it is known how it is declared.
    func hasMade(table: String, column: String) -> Bool {
        let key = Key(table, column)
        return entries[key] != nil && !found.contains(key)
    }

    /// The entries of `definitions` that are not recorded yet.
    ///
    /// - Parameter snapshot: What the database had before the migration.
    func missing(_ definitions: [TableDefinition], in snapshot: SchemaTables) -> [JournalEntry] {
        definitions.filter { !adopted.contains($0.name) }.flatMap { definition in
            let existing = Set(snapshot.tables[definition.name]?.columns.map(\.name) ?? [])
            return definition.columns.compactMap { column -> JournalEntry? in
                if entry(table: definition.name, column: column.name) != nil { return nil }
                var contents = JournalEntry.Contents(column)
                if existing.contains(column.name) { contents.storage += JournalEntry.foundMark }
                return JournalEntry(table: definition.name, column: column.name, contents: contents)
            }
        }
    }
}

/// One column, and what it was created for.
struct JournalEntry: TableObject {
    /// A logical type and its storage.
    struct Contents: Hashable, CustomStringConvertible {
        var type: String
        var storage: Int

        init(type: String, storage: Int) {
            self.type = type
            self.storage = storage
        }

        /// The logical type, if this version of the library knows it.
        var columnType: ColumnType? { ColumnType(rawValue: type) }

        init(_ column: ColumnDefinition) {
            self.init(type: column.type.rawValue, storage: column.storage.recorded)
        }

        var description: String { storage == 0 ? type : "\(type) in another storage" }
    }

    var table: String
    var column: String
    var contents: Contents

    /// Added to the storage of a column in the journal that was there already, and is as others made it.
    static let foundMark = 1000

    static let tableMapping = TableMapping<JournalEntry>(
        type: "JournalEntry",
        table: recordedColumnsTable,
        describe: { table in
            table.key("table", \.table, .column("table_name"))
            table.key("column", \.column, .column("column_name"))
            table.property("type", \.contents.type, .column("logical_type"))
            table.property("storage", \.contents.storage)
        },
        decode: { row in
            JournalEntry(
                table: try row.decode(at: 0), column: try row.decode(at: 1),
                contents: Contents(type: try row.decode(at: 2), storage: try row.decode(at: 3)))
        })
}

/// One statement that a migration ran.
struct JournalStatement: TableObject {
    var id: Int64?
    var appliedAt: Date
    var version: String
    var sql: String

    static let tableMapping = TableMapping<JournalStatement>(
        type: "JournalStatement",
        table: "holdfast_migration",
        describe: { table in
            table.key("id", \.id)
            table.property("appliedAt", \.appliedAt)
            table.property("version", \.version)
            table.property("sql", \.sql, .column("statement"))
        },
        decode: { row in
            JournalStatement(
                id: try row.decode(at: 0), appliedAt: try row.decode(at: 1), version: try row.decode(at: 2),
                sql: try row.decode(at: 3))
        })
}
