// The examples of the article "Moving from AgileDB".

import Holdfast

// snippet.documents
@Table("Note", naming: .asDeclared)
struct Note {
    struct Content: Codable {
        var title: String
        var tags: [String]?
    }
    @PrimaryKey var key: String
    var value: JSON  // the whole document, also what Content does not name

    var content: Content { get throws { try value.decode(Content.self) } }

    mutating func set(_ content: Content) throws { value = value.merging(try JSON(encoding: content)) }
}
// snippet.end

func rename(_ key: String, db: Database) async throws {
    // snippet.partial
    guard var note = try await db.find(Note.self, key: key) else { return }
    var content = try note.content
    content.title = "Shopping"
    try note.set(content)  // "title" is another one; what Content does not name stays
    note.value = note.value.merging(["tags": .null])  // a member goes away by null, not by a nil in Content
    try await db.save(&note)
    // snippet.end
}

// snippet.array-values
@Table("Note_arrayValues", naming: .asDeclared, readOnly: true)
final class NoteElement {
    @PrimaryKey @Column("rowid") let number: Int64
    let key: String
    let objectKey: String  // "tags"
    let stringValue: String?
    let intValue: Int?
    let doubleValue: Double?
    init(number: Int64, of key: String, _ name: String) {
        (self.number, self.key, objectKey) = (number, key, name)
        (stringValue, intValue, doubleValue) = (nil, nil, nil)
    }
}
// snippet.end
