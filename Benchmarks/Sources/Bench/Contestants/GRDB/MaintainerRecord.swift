import GRDB

struct MaintainerRecord: Sendable {
    var id: Int64?
    var name: String
    var mail: String?
}

extension MaintainerRecord: MutablePersistableRecord {
    static let databaseTableName = "maintainer"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["mail"] = mail
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
