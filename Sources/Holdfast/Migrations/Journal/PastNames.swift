/// The names that tables and columns had before they were renamed or dropped.
///
/// By them a program is recognized that is older than the database, and a permission to lose what is gone.
struct PastNames: Hashable, Sendable {
    /// What had a name: a table, or a column of it.
    struct Place: Hashable, Sendable {
        var table: String
        var column: String?
    }

    /// What each of them is called now; nil in place of a name if it was dropped.
    private(set) var names: [Place: String?] = [:]

    init() {}

    init(_ records: [PastName]) {
        for record in records {
            names[Place(table: record.table, column: record.column.isEmpty ? nil : record.column)] = .some(record.now)
        }
    }

    /// The records of all of them.
    var records: [PastName] {
        names.map { PastName(table: $0.table, column: $0.column ?? "", now: $1) }
            .inOrder { ($0.table, $0.column) < ($1.table, $1.column) }
    }

    /// Whether the database had a table, or a column of it, that was renamed or dropped.
    func contains(_ table: String, _ column: String? = nil) -> Bool {
        names[Place(table: table, column: column)] != nil
    }

    /// What a table, or a column of it, is called now; nil if it was not renamed.
    func name(of table: String, _ column: String? = nil) -> String? {
        names[Place(table: table, column: column)].flatMap(\.self)
    }

    /// Follows what was done to tables and columns.
    mutating func follow(_ change: SchemaChange) {
        switch change {
        case .renameTable(let table, let name):
            forget { $0.table == name }
            replace(table, by: name) { $0.column == nil }
            for (place, now) in names where place.table == table && place.column != nil {
                names[place] = nil
                names[Place(table: name, column: place.column)] = .some(now)
            }
            names[Place(table: table, column: nil)] = .some(name)
        case .renameColumn(let column, let table, let name):
            names[Place(table: table, column: name)] = nil
            replace(column, by: name) { $0.table == table && $0.column != nil }
            names[Place(table: table, column: column)] = .some(name)
        case .dropTable(let table):
            forget { $0.table == table && $0.column != nil }
            replace(table, by: nil) { $0.column == nil }
            names[Place(table: table, column: nil)] = .some(nil)
        case .dropColumn(let column, let table):
            replace(column, by: nil) { $0.table == table && $0.column != nil }
            names[Place(table: table, column: column)] = .some(nil)
        case .createTable(let definition): names[Place(table: definition.name, column: nil)] = nil
        case .addColumn(let column, let table): names[Place(table: table, column: column.name)] = nil
        default: break
        }
    }

    private mutating func forget(_ isMeant: (Place) -> Bool) {
        for place in names.keys where isMeant(place) { names[place] = nil }
    }

    /// Follows what had become `name`.
    private mutating func replace(_ name: String, by newName: String?, _ isMeant: (Place) -> Bool) {
        for (place, now) in names where now == name && isMeant(place) { names[place] = .some(newName) }
    }
}

/// The record of a name that a table or a column had.
struct PastName: TableObject {
    var table: String
    /// The column; empty for the table itself.
    var column: String
    /// What it is called now; nil if it was dropped.
    var now: String?

    static let tableMapping = TableMapping<PastName>(
        type: "PastName",
        table: "holdfast_past",
        describe: { table in
            table.key("table", \.table, .column("table_name"))
            table.key("column", \.column, .column("column_name"))
            table.property("now", \.now, .column("renamed_to"))
        },
        decode: { row in
            PastName(table: try row.decode(at: 0), column: try row.decode(at: 1), now: try row.decode(at: 2))
        })
}

extension Transaction {
    /// Notes what tables and columns were called before changes were made.
    ///
    /// - Parameter past: What is noted already.
    /// - Returns: What is noted then.
    func note(_ changes: [SchemaChange], after past: PastNames) async throws -> PastNames {
        var new = past
        changes.forEach { new.follow($0) }
        if new == past { return new }
        let (old, current) = (Set(past.records), Set(new.records))
        for record in old.subtracting(current).inOrder({ ($0.table, $0.column) < ($1.table, $1.column) }) {
            try await sql(
                "DELETE FROM \(PastName.self) WHERE table_name = \(record.table) AND column_name = \(record.column)"
            ).execute()
        }
        _ = try await insert(new.records.filter { !old.contains($0) })
        return new
    }
}

extension PastName: Hashable {}
