import Foundation
import Holdfast

@Table
final class Author {
    var id: Int64?
    var name: String
    @Unique var email: String?

    init(_ name: String, email: String? = nil) { (self.name, self.email) = (name, email) }
}

@Table
final class Book {
    var id: Int64?
    var title: String
    var author: Author?

    init(_ title: String, by author: Author? = nil) { (self.title, self.author) = (title, author) }
}

@Table(log: true)
final class Entry {
    var id: Int64?
    var text: String

    init(_ text: String) { self.text = text }
}
