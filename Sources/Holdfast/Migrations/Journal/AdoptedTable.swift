import Foundation

/// The record of a table that is somebody else's.
struct AdoptedTable: TableObject {
    var table: String
    var adoptedAt: Date

    static let tableMapping = TableMapping<AdoptedTable>(
        type: "AdoptedTable",
        table: "holdfast_adopted",
        describe: { table in
            table.key("table", \.table, .column("table_name"))
            table.property("adoptedAt", \.adoptedAt)
        },
        decode: { row in AdoptedTable(table: try row.decode(at: 0), adoptedAt: try row.decode(at: 1)) })
}
