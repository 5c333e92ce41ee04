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
    var value: Content
}
// snippet.end

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
