import Foundation

/// The tables of the change log itself, which `migrate` makes with the first table that is logged.
enum LogTables {
    static var definitions: [TableDefinition] {
        ChangeLogEntry.tableMapping.description.definitions + ChangeLogState.tableMapping.description.definitions
            + ChangeLogConsumer.tableMapping.description.definitions
    }

    static let names: Set<String> = Set(definitions.map(\.name))
}

/// One row of the log, which a trigger writes.
struct ChangeLogEntry: TableObject {
    var id: Int64?
    var at: Date
    var table: String
    var kind: Int16
    var rowKey: String
    var columns: String
    var oldValues: String?
    var transactionID: Int64

    static let tableMapping = TableMapping<ChangeLogEntry>(
        type: "ChangeLogEntry",
        table: LogTrigger.table,
        describe: { table in
            table.key("id", \.id)
            table.property("at", \.at)
            table.property("table", \.table, .column("table_name"))
            table.property("kind", \.kind)
            table.property("rowKey", \.rowKey)
            table.property("columns", \.columns)
            table.property("oldValues", \.oldValues)
            table.property("transactionID", \.transactionID, .column("transaction_id"))
        },
        decode: { row in
            ChangeLogEntry(
                id: try row.decode(at: 0), at: try row.decode(at: 1), table: try row.decode(at: 2),
                kind: try row.decode(at: 3), rowKey: try row.decode(at: 4), columns: try row.decode(at: 5),
                oldValues: try row.decode(at: 6), transactionID: try row.decode(at: 7))
        })
}

/// The one row that says which log it is, and what is no longer in it.
struct ChangeLogState: TableObject {
    var id: Int64
    /// Another one for each log that was ever made.
    var identity: String
    /// Up to where entries were removed, as the engine counts.
    var trimmed: Int64
    /// The server that wrote it, as that names itself; nil if that is still to be noted.
    var server: String?
    /// The number of the latest entry that was removed.
    var lastNumber: Int64 = 0
    /// When that was made, in microseconds.
    var lastAt: Int64 = 0

    static let tableMapping = TableMapping<ChangeLogState>(
        type: "ChangeLogState",
        table: "holdfast_log_state",
        describe: { table in
            table.key("id", \.id)
            table.property("identity", \.identity)
            table.property("trimmed", \.trimmed)
            table.property("server", \.server)
            table.property("lastNumber", \.lastNumber, .column("last_number"), default: 0)
            table.property("lastAt", \.lastAt, .column("last_at"), default: 0)
        },
        decode: { row in
            ChangeLogState(
                id: try row.decode(at: 0), identity: try row.decode(at: 1), trimmed: try row.decode(at: 2),
                server: try row.decode(at: 3), lastNumber: try row.decode(at: 4), lastAt: try row.decode(at: 5))
        })
}

/// Whoever reads the log and has said how far.
struct ChangeLogConsumer: TableObject {
    var name: String
    var token: String
    var acknowledgedAt: Date

    static let tableMapping = TableMapping<ChangeLogConsumer>(
        type: "ChangeLogConsumer",
        table: "holdfast_log_consumer",
        describe: { table in
            table.key("name", \.name)
            table.property("token", \.token)
            table.property("acknowledgedAt", \.acknowledgedAt)
        },
        decode: { row in
            ChangeLogConsumer(
                name: try row.decode(at: 0), token: try row.decode(at: 1), acknowledgedAt: try row.decode(at: 2))
        })
}
