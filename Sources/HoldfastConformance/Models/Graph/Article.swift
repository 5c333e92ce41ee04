import Holdfast

/// One side of a relation of many to many: the one that keeps the order.
@Table
final class Article {
    var id: Int64?
    var title: String
    var keywords: [Keyword] = []

    init(_ title: String) { self.title = title }
}

/// The other side, which sees the same rows.
@Table
final class Keyword {
    var id: Int64?
    var word: String
    @Relation(inverse: \Article.keywords, loading: .eager) var articles: [Article] = []

    init(_ word: String) { self.word = word }
}

/// Somebody who has at most one passport, which holds the key.
@Table
final class Citizen {
    var id: Int64?
    var name: String
    @Relation(inverse: \Passport.holder) var passport: Passport?

    init(_ name: String) { self.name = name }
}

/// The side of a relation of one to one that holds the key.
@Table
final class Passport {
    @PrimaryKey var number: String
    @Unique var holder: Citizen?

    init(_ number: String) { self.number = number }
}
