import Holdfast

/// A flat class with a key that the engine makes: what most cases need.
@Table
final class Note {
    var id: Int64?
    var title: String
    var body: String?
    var rank = 0
    @Unique var code: String?

    init(_ title: String = "untitled", body: String? = nil, rank: Int = 0, code: String? = nil) {
        self.title = title
        self.body = body
        self.rank = rank
        self.code = code
    }
}

/// A part of the table of notes.
@Table("note")
struct NotePart: Equatable {
    let id: Int64
    var title: String
}
