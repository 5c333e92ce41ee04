import GRDB

struct PersonRecord: Sendable {
    var id: Int64?
    var name: String
    var born: Int
}

extension PersonRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "person"

    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name"), Column("born")] }

    init(row: Row) {
        id = row[0]
        name = row[1]
        born = row[2]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["born"] = born
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
