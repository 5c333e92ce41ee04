import GRDB

/// A project with what it leads to.
///
/// GRDB's records are values, so the lead is one of the people, by its number.
struct ProjectTree: Sendable {
    var project: ProjectRecord
    var lead: Int
    var tags: [String] = []
    var meetings: [MeetingRecord] = []
}

/// All projects, and who leads them.
struct ProjectForest: Sendable {
    var people: [PersonRecord] = []
    var projects: [ProjectTree] = []
}

extension ProjectForest {
    /// How far apart the positions of elements are, as Holdfast writes them.
    private static let stride = 1024

    /// Inserts everything; each statement is prepared once.
    mutating func insert(_ db: Database) throws {
        for index in people.indices { try people[index].insert(db) }
        let addTag = try db.cachedStatement(
            sql: "INSERT INTO project_tags (project_id, position, value) VALUES (?, ?, ?)")
        let addMeeting = try db.cachedStatement(
            sql: "INSERT INTO project_meetings (project_id, position, meeting_id) VALUES (?, ?, ?)")
        for index in projects.indices {
            projects[index].project.leadID = people[projects[index].lead].id!
            try projects[index].project.insert(db)
            let id = projects[index].project.id
            for (position, tag) in projects[index].tags.enumerated() {
                try addTag.execute(arguments: [id, position * Self.stride, tag])
            }
            for position in projects[index].meetings.indices {
                try projects[index].meetings[position].insert(db)
                try addMeeting.execute(
                    arguments: [id, position * Self.stride, projects[index].meetings[position].id])
            }
        }
    }

    /// Reads each table once, and puts the rows together.
    init(_ db: Database) throws {
        people = try PersonRecord.fetchAll(db)
        var numbers: [Int64: Int] = [:]
        numbers.reserveCapacity(people.count)
        for (number, person) in people.enumerated() { numbers[person.id!] = number }

        let records = try ProjectRecord.order(Column("id")).fetchAll(db)
        var indexes: [Int64: Int] = [:]
        indexes.reserveCapacity(records.count)
        projects.reserveCapacity(records.count)
        for (index, record) in records.enumerated() {
            indexes[record.id!] = index
            projects.append(ProjectTree(project: record, lead: numbers[record.leadID]!))
        }

        let tags = try Row.fetchCursor(
            db, sql: "SELECT project_id, value FROM project_tags ORDER BY project_id, position")
        while let row = try tags.next() { projects[indexes[row[0]]!].tags.append(row[1]) }

        let meetings = try Row.fetchCursor(
            db,
            sql: """
                SELECT meeting.id, title, starts_at, minutes, project_id
                FROM project_meetings JOIN meeting ON meeting.id = meeting_id
                ORDER BY project_id, position
                """)
        while let row = try meetings.next() { projects[indexes[row[4]]!].meetings.append(MeetingRecord(row: row)) }
    }
}
