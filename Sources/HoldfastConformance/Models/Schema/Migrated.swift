import Foundation
import Holdfast

/// One table as successive versions of a program see it.
enum Migrated {
    @Table("document")
    struct First: Equatable {
        let id: Int64
        var title: String
    }

    /// Adds columns, an index, a unique key and arrays.
    @Table("document", indexes: [.index("title", "pages"), .unique("code", "pages")])
    struct Second: Equatable {
        let id: Int64
        @Indexed var title: String
        var pages: Int? = 7
        var isPublic = true
        var language = "en's"
        @Unique var code: String?
        var words: [String] = []
        var marks: [Int]?
    }

    @Table("folder")
    final class Folder {
        var id: Int64?
        init() {}
    }

    /// Has an index that begins with a reference, and one of some rows that begins with another.
    @Table("entry", indexes: [.index("folder", "title"), .index("other", "title", where: "title > 'm'")])
    final class Entry {
        var id: Int64?
        var title: String
        var folder: Folder?
        var other: Folder?
        init(_ title: String) { self.title = title }
    }

    /// Has a unique key of a column that exists.
    @Table("document")
    struct Distinct {
        let id: Int64
        @Unique var title: String
    }

    /// Needs a value that existing rows lack.
    @Table("document")
    struct Demanding {
        let id: Int64
        var title: String
        var owner: String

        init(id: Int64, title: String, owner: String) {
            self.id = id
            self.title = title
            self.owner = owner
        }
    }

    /// Holds something else in a column that exists.
    @Table("document")
    struct Contradicting {
        let id: Int64
        var title: Int
    }

    /// Tells a date from a number, which not every engine does.
    @Table("document")
    struct Dated {
        let id: Int64
        var title: String
        @Column("pages") var printed: Date?
    }

    /// Has another key.
    @Table("document")
    struct Rekeyed {
        let id: Int64
        @PrimaryKey var title: String
    }
}
