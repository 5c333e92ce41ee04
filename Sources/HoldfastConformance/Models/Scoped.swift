import Foundation
import Holdfast

/// An object that is seen once it is published, as long as it is in a state that counts.
@Table(scopes: [
    .scope("published", where: "publishedAt IS NOT NULL"),
    .scope("current", where: "state IN ('open', 'it''s held') AND NOT (rank < -100)"),
])
final class Bulletin {
    var id: Int64?
    @Unique var title: String
    var rank = 0
    var state = "open"
    var publishedAt: Date?
    var tags: [String] = []
    var board: Pinboard?
    @Version var version = 0

    init(_ title: String, rank: Int = 0, publishedAt: Date? = nil, state: String = "open", tags: [String] = []) {
        (self.title, self.rank, self.publishedAt, self.state, self.tags) = (title, rank, publishedAt, state, tags)
    }
}

/// An object that leads to bulletins in every way.
@Table
final class Pinboard {
    var id: Int64?
    var name: String
    var main: Bulletin?
    var others: [Bulletin] = []
    var lazy: Reference<Bulletin>?
    @Relation(inverse: \Bulletin.board, deleteRule: .cascade, loading: .eager) var own: [Bulletin] = []

    init(_ name: String) { self.name = name }
}

/// An object that can't be without its bulletin.
@Table
final class Remark {
    var id: Int64?
    var text: String
    var bulletin: Bulletin

    init(_ text: String, on bulletin: Bulletin) { (self.text, self.bulletin) = (text, bulletin) }
}

/// A struct in a scope by a date, which is marked as deleted, too.
@Table(scopes: [.scope("begun", where: "begins <= now()")])
struct Season: Equatable {
    @PrimaryKey let code: String
    var begins: Date
    var rank = 0
    @Timestamp(.deleted) var deletedAt: Date?
}

/// A struct in a scope that names what it has not.
@Table(scopes: [.scope("published", where: "publishdAt IS NOT NULL")])
struct MisnamedScope {
    var id: Int64?
    var publishedAt: Date?
}

/// A class in a scope that asks for a relation.
@Table(scopes: [.scope("led", where: "board.name = 'x'")])
final class RelatedScope {
    var id: Int64?
    var board: Pinboard?

    init() {}
}

/// A class in a scope that asks for an array.
@Table(scopes: [.scope("tagged", where: "tags CONTAINS 'x'")])
final class TaggedScope {
    var id: Int64?
    var tags: [String] = []

    init() {}
}

/// A struct in a scope whose value is of another type.
@Table(scopes: [.scope("high", where: "rank > 'x'")])
struct MistypedScope {
    var id: Int64?
    var rank = 0
}

/// A struct that would forget what it does not see.
@Table
struct ForgetfulPinboard {
    var id: Int64?
    var main: Bulletin?
}
