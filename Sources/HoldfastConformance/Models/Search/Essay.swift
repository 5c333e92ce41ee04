import Foundation
import Holdfast

/// A text that is searched, in two columns.
@Table(search: ["title", "body"])
final class Essay {
    var id: Int64?
    @Unique var title: String
    var body: String?
    var likes = 0

    init(_ title: String, _ body: String? = nil) {
        self.title = title
        self.body = body
    }
}

/// What refers to a text, or to none.
@Table
final class EssayRemark {
    var id: Int64?
    var about: Essay?
    var mark: Int

    init(_ mark: Int, about: Essay? = nil) {
        self.mark = mark
        self.about = about
    }
}

/// A searched text whose key is made of texts.
@Table(search: ["meaning"])
struct Glossed: Equatable {
    @PrimaryKey let language: String
    @PrimaryKey var word: String
    var meaning: String?
}

/// A searched text whose key is a UUID.
@Table(search: ["rank", "order"])
struct Labelled: Equatable {
    @PrimaryKey var id: UUID
    var rank: String
    var order: String
}

/// A text in several versions of a program.
enum Searched {
    @Table("searched") struct First {
        var id: Int64?
        var title: String
        var body: String?
        var rank: Int32 = 0
    }

    @Table("searched", search: ["title", "body"]) struct Second {
        var id: Int64?
        var title: String
        var body: String?
        var rank: Int32 = 0
    }

    @Table("searched", search: ["body"]) struct Third {
        var id: Int64?
        var title: String
        var body: String?
        var rank: Int32 = 0
    }

    /// With another name of a searched column, and a column that SQLite makes its table anew for.
    @Table("searched", search: ["content"]) struct Fourth {
        var id: Int64?
        var title: String
        @Column(renamedFrom: "body") var content: String?
        var rank: Int64 = 0
    }

    /// With another name of the table, and without a column.
    @Table("sought", renamedFrom: ["searched"], search: ["content", "title"]) struct Fifth {
        var id: Int64?
        var title: String
        var content: String
    }

    /// Without a search.
    @Table("sought") struct Sixth {
        var id: Int64?
        var title: String
        var content: String
    }

    /// A type that can't be migrated.
    @Table("unplaced") struct Unplaced {
        var id: Int64?
        @Column(generated: true) var total = 0
    }
}
