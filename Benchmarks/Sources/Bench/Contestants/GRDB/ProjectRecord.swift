import GRDB

struct ProjectRecord: Sendable {
    var id: Int64?
    var name: String
    var code: String
    var budget: Double
    var leadID: Int64
}

extension ProjectRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "project"

    static var databaseSelection: [any SQLSelectable] {
        [Column("id"), Column("name"), Column("code"), Column("budget"), Column("lead_id")]
    }

    init(row: Row) {
        id = row[0]
        name = row[1]
        code = row[2]
        budget = row[3]
        leadID = row[4]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["code"] = code
        container["budget"] = budget
        container["lead_id"] = leadID
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
