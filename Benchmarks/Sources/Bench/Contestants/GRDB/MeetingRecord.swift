import Foundation
import GRDB

struct MeetingRecord: Sendable {
    var id: Int64?
    var title: String
    var startsAt: Date
    var minutes: Int
}

extension MeetingRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "meeting"

    static var databaseSelection: [any SQLSelectable] {
        [Column("id"), Column("title"), Column("starts_at"), Column("minutes")]
    }

    init(row: Row) {
        id = row[0]
        title = row[1]
        startsAt = Date(microseconds: row[2])
        minutes = row[3]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["starts_at"] = startsAt.microseconds
        container["minutes"] = minutes
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
