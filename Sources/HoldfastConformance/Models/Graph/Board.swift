import Holdfast

/// A model for observed queries: values, arrays, links, references, and objects that are deleted with others.
@Table
final class Board {
    var id: Int64?
    var title: String
    var rank = 0
    var tags: [String] = []
    @Relation(deleteRule: .cascade) var cards: [Slip] = []

    init(_ title: String, rank: Int = 0) {
        self.title = title
        self.rank = rank
    }
}

@Table
final class Slip {
    var id: Int64?
    var text: String
    var color: SlipColor?

    init(_ text: String) { self.text = text }
}

@Table
final class SlipColor {
    @PrimaryKey var name: String
    var code = 0

    init(_ name: String) { self.name = name }
}
