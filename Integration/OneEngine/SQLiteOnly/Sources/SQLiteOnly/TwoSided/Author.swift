import Holdfast

// Models that show relations from their other side, in one file and in several: whatever order the compiler takes files
// in, each has to be known to the others.

@Table
final class Author {
    var id: Int64?
    var name: String
    @Relation(inverse: \Work.author, loading: .eager) var works: [Work] = []

    init(name: String) { self.name = name }
}

@Table
final class Work {
    var id: Int64?
    var title: String
    var author: Author?
    @Relation(inverse: \Edition.work, loading: .eager) var editions: [Edition] = []

    init(title: String) { self.title = title }
}

@Table
final class Edition {
    var id: Int64?
    var year: Int
    var work: Work?
    @Relation(inverse: \Copy.edition, loading: .eager) var copies: [Copy] = []

    init(year: Int) { self.year = year }
}
