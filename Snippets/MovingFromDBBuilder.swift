// The examples of the article "Moving from DBBuilder".

// snippet.meetings
import Foundation
import Holdfast

@Table("person", naming: .asDeclared)
final class Attendee {
    @PrimaryKey(.database) var id: Int64?
    var name: String?
    @Column(storage: .text) var creationDate: Date?
    @Column(storage: .text) var modificationDate: Date?
    init(_ name: String) { self.name = name }
}

@Table("meeting", naming: .asDeclared)
final class BoardMeeting {
    @PrimaryKey(.database) var id: Int64?
    var purpose: String?
    @Column(storage: .text) var creationDate: Date?
    @Column(storage: .text) var modificationDate: Date?
    @Column("organizer_id") @Relation(foreignKey: false) var organizer: Attendee?
    @Relation(
        joinTable: .named("meeting_participants", owner: "meeting_id", element: "person_id", position: nil),
        foreignKey: false)
    var participants: [Attendee] = []
    init(_ purpose: String) { self.purpose = purpose }
}
// snippet.end

func fetchMeetings(db: Database) async throws {
    // snippet.missing-targets
    let meetings = try await db.query(BoardMeeting.self).missingTarget(.nil).fetch()
    // snippet.end
    _ = meetings
}
