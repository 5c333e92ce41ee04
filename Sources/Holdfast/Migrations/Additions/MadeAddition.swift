import Foundation

/// The record of an addition that a database has.
struct MadeAddition: TableObject, Hashable {
    var kind: String
    var name: String
    var checksum: String
    var madeAt: Date

    static let tableMapping = TableMapping<MadeAddition>(
        type: "MadeAddition",
        table: "holdfast_addition",
        describe: { table in
            table.key("kind", \.kind)
            table.key("name", \.name)
            table.property("checksum", \.checksum)
            table.property("madeAt", \.madeAt)
        },
        decode: { row in
            MadeAddition(
                kind: try row.decode(at: 0), name: try row.decode(at: 1), checksum: try row.decode(at: 2),
                madeAt: try row.decode(at: 3))
        })
}
