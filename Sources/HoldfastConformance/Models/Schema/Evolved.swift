import Foundation
import Holdfast

/// Versions of the same types, as a program declares them one after the other.
enum Evolved {
    // MARK: Names

    @Table("chapter", indexes: [.unique("title", "rank")])
    final class Chapter {
        var id: Int64?
        @Indexed var title: String
        var rank: Int = 0
        var words: [String] = []
        var marks: [Int]?
        @Relation(deleteRule: .cascade) var notes: [Remark] = []
        @Relation(deleteRule: .cascade) var next: Chapter?

        init(_ title: String) { self.title = title }
    }

    /// Has no reference any more.
    @Table("chapter")
    struct Lone {
        var id: Int64?
        var title: String
        var rank: Int = 0
    }

    @Table("remark")
    final class Remark {
        var id: Int64?
        var text: String

        init(_ text: String) { self.text = text }
    }

    @Table("section", renamedFrom: ["part", "chapter"], indexes: [.unique("headline", "rank")])
    final class Section {
        var id: Int64?
        @Indexed @Column(renamedFrom: ["heading", "title"]) var headline: String
        var rank: Int = 0
        @Column(renamedFrom: "words") var terms: [String] = []
        @Column(renamedFrom: "marks") var scores: [Int]?
        @Relation(deleteRule: .cascade) @Column(renamedFrom: "notes") var remarks: [Comment] = []
        @Relation(deleteRule: .cascade) @Column(renamedFrom: "next") var following: Section?

        init(_ headline: String) { self.headline = headline }
    }

    @Table("comment", renamedFrom: "Remark")
    final class Comment {
        var id: Int64?
        @Column(renamedFrom: "text") var body: String

        init(_ body: String) { self.body = body }
    }

    /// Has a new property of the name that became free.
    @Table("remark", renamedFrom: [])
    struct Shifted {
        var id: Int64?
        @Column(renamedFrom: "text") var body: String
        var text: String?
    }

    @Table("remark")
    struct Swapped {
        var id: Int64?
        @Column(renamedFrom: "body") var text: String
        @Column(renamedFrom: "text") var body: String?
    }

    // MARK: Types

    @Table("measure")
    final class Narrow {
        var id: Int64?
        @Indexed var small: Int16
        var middle: Int32
        var large: Int
        var real: Float
        var note: String?
        var owner: Holder?
        var counts: [Int16] = []

        init(_ small: Int16, owner: Holder? = nil) {
            (self.small, self.middle, self.large, self.real) = (small, Int32(small), Int(small), Float(small) / 2)
            self.owner = owner
        }
    }

    @Table("holder")
    final class Holder {
        var id: Int64?
        var name: String
        @Relation(deleteRule: .cascade) var measures: [Narrow] = []

        init(_ name: String) { self.name = name }
    }

    @Table("measure")
    final class Wide {
        var id: Int64?
        @Indexed var small: Int32
        var middle: Double
        var large: Decimal
        var real: Double
        var note: String?

        init(_ small: Int32) {
            (self.small, self.middle, self.large, self.real) = (small, Double(small), Decimal(small), Double(small))
        }
    }

    @Table("measure")
    struct Narrowed {
        var id: Int64?
        var small: Int16
        var large: Int16
    }

    @Table("measure")
    struct Required {
        var id: Int64?
        var small: Int16
        var note: String = "none"
    }

    @Table("measure")
    struct Demanding {
        var id: Int64?
        var small: Int16
        var note: String

        init(id: Int64? = nil, small: Int16, note: String) {
            (self.id, self.small, self.note) = (id, small, note)
        }
    }

    @Table("measure")
    struct Relaxed {
        var id: Int64?
        var small: Int16?
        var large: Int?
        var middle: Int32 = 0
        var real: Float = 0
    }

    @Table("measure")
    struct Rest {
        var id: Int64?
        var small: Int16
    }

    /// Has a column more, and a wider one.
    @Table("measure")
    struct Spare {
        var id: Int64?
        var small: Int32
        var spare: Int?

        /// Is no longer optional.
        @Table("measure")
        struct Required {
            var id: Int64?
            var small: Int32
            var spare: Int = 0
        }
    }

    /// Has a column of a similar name.
    @Table("measure")
    struct Spared {
        var id: Int64?
        var small: Int32
        var spares: Int?
    }

    @Table("measure")
    struct Wider {
        var id: Int64?
        var small: Int32
    }

    @Table("priced")
    final class Priced {
        var id: Int64?
        @Indexed var price: String

        init(_ price: String) { self.price = price }
    }

    @Table("priced")
    struct Repriced {
        var id: Int64?
        @Indexed var price: Decimal
    }
}
