import Foundation
import Holdfast

@Table
final class Author {
    var id: Int64?
    var name: String

    init(name: String) { self.name = name }
}

@Table
final class Note {
    var id: Int64?
    var title: String
    var author: Author?

    init(_ title: String, by author: Author? = nil) {
        self.title = title
        self.author = author
    }
}

@Table
final class Ticket {
    @PrimaryKey let code: String
    @Expires var until: Date?

    init(code: String, until: Date?) {
        self.code = code
        self.until = until
    }
}
