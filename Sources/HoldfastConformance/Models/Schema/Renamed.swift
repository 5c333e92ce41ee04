import Holdfast

/// The versions of a model whose table and columns are renamed by named migrations.
enum Renamed {
    @Table("chapter")
    final class Chapter {
        var id: Int64?
        @Indexed var title: String
        var rank: Int = 0
        var words: [String] = []
        @Relation(deleteRule: .cascade) var notes: [Remark] = []
        var next: Chapter?

        init(_ title: String) { self.title = title }
    }

    @Table("section")
    final class Section {
        var id: Int64?
        @Indexed var headline: String
        var words: [String] = []
        @Relation(deleteRule: .cascade) var remarks: [Remark] = []
        var following: Section?

        init(_ headline: String) { self.headline = headline }
    }

    /// A section without relations.
    @Table("section")
    final class Plain {
        var id: Int64?
        var headline: String

        init(_ headline: String) { self.headline = headline }
    }

    /// Takes the name that became free.
    @Table("chapter")
    struct Second {
        @PrimaryKey var code: String
        @Indexed var title: String
    }

    @Table("remark")
    final class Remark {
        var id: Int64?
        var text: String

        init(_ text: String) { self.text = text }
    }

    static let migration = Migration("section") { steps in
        steps.rename(table: "chapter", to: "section")
        steps.rename(column: "title", of: "section", to: "headline")
        steps.rename(column: "next_id", of: "section", to: "following_id")
        steps.rename(table: "chapter_words", to: "section_words")
        steps.rename(column: "chapter_id", of: "section_words", to: "section_id")
        steps.rename(table: "chapter_notes", to: "section_remarks")
        steps.rename(column: "chapter_id", of: "section_remarks", to: "section_id")
        steps.drop(column: "rank", of: "section")
    }
}
