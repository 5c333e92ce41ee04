import Holdfast

/// Mappings whose names collide, written by hand: the macro refuses them when a program is compiled.
enum Colliding {
    /// Two columns that differ only in case.
    struct Columns: TableObject {
        var id: Int64 = 1
        var a = 0
        var b = 0

        static let tableMapping = TableMapping<Columns>(
            type: "Columns",
            table: "colliding_columns",
            describe: { table in
                table.key("id", \.id)
                table.property("a", \.a, .column("total"))
                table.property("b", \.b, .column("TOTAL"))
            },
            decode: { row in Columns(id: try row.decode(at: 0), a: try row.decode(at: 1), b: try row.decode(at: 2)) }
        )
    }

    /// A column that one of the engines has in every table.
    struct RowID: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<RowID> = table("RowID", "colliding_rowid", column: "rowid")
    }

    struct Hidden: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<Hidden> = table("Hidden", "colliding_hidden", column: "CTID")
    }

    struct Own: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<Own> = table("Own", "sqlite_own")
    }

    struct Catalogue: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<Catalogue> = table("Catalogue", "PG_catalogue")
    }

    struct Journal: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<Journal> = table("Journal", "holdfast_journal")
    }

    /// The join table of `Tagged.tags`.
    struct JoinTable: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<JoinTable> = table("JoinTable", "Tagged_Tags")
    }

    /// The table of `Note`, but for case.
    struct Twin: Bare {
        var id: Int64 = 1
        static let tableMapping: TableMapping<Twin> = table("Twin", "NOTE")
    }

    protocol Bare: TableObject {
        var id: Int64 { get set }
        init(id: Int64)
    }

    private static func table<Model>(_ type: String, _ name: String, column: String = "id") -> TableMapping<Model>
    where Model: Bare {
        TableMapping(
            type: type,
            table: name,
            describe: { table in table.key("id", \.id, .column(column)) },
            decode: { row in Model(id: try row.decode(at: 0)) }
        )
    }
}
