import Holdfast

@Table
final class Book {
    var id: Int64?
    var title: String
    var pages: Int
    var authors: [String] = []

    init(title: String, pages: Int, authors: [String]) {
        self.title = title
        self.pages = pages
        self.authors = authors
    }
}
