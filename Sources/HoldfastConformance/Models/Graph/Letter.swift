import Foundation
import Holdfast

/// What a form of a web page shows and sends back as a whole: a row with a version, a time, and other things.
@Table
final class Letter {
    struct Details: Codable, Equatable {
        var topics: [String] = []
        var size = 0
    }

    typealias Marks = [Int]

    var id: Int64?
    var subject: String
    var text = ""
    var rank = 0
    var weight = 0.0
    var sentAt: Date?
    var details = Details()
    var words: [String: Int] = [:]
    var tags: [String] = []
    var notes: [String]?
    var marks: Marks = []
    var author: Correspondent?
    var readers: [Correspondent] = []
    @Relation(loading: .onDemand) var drafts: [Correspondent] = []
    @Version var version = 0
    @Timestamp(.modified) var modifiedAt: Date?

    init(_ subject: String) { self.subject = subject }
}

/// Somebody whom letters lead to, with the hook of the article *Describing models*.
@Table
final class Correspondent {
    var id: Int64?
    var name: String
    var email: String
    var home: Household?
    @Transient var saves = 0

    init(_ name: String, email: String? = nil) {
        self.name = name
        self.email = email ?? "\(name)@example.org"
    }

    func willSave() throws {
        saves += 1
        email = email.lowercased()
    }
}

/// Holds the other side of a relation, so that a change of its array changes those in it.
@Table
final class Household {
    var id: Int64?
    var street: String
    @Relation(inverse: \Correspondent.home, loading: .eager) var members: [Correspondent] = []

    init(_ street: String) { self.street = street }
}

/// One row, with everything that a save sets by itself.
@Table
final class Sheet {
    var id: Int64?
    var title: String
    var amount = 0.0
    var day: Date?
    var cells: [String: Int] = [:]
    var observed = "" { didSet { changes += 1 } }
    @Transient var changes = 0
    @Version var version = 0
    @Timestamp(.modified) var modifiedAt: Date?

    init(_ title: String) { self.title = title }
}

/// A class mapped by hand that tracks its changes.
final class Tracked: TableObject {
    var id: Int64? { didSet { changes.mark(0, from: oldValue, to: id) } }
    var title: String { didSet { changes.mark(1, from: oldValue, to: title) } }
    var tags: [String] { didSet { changes.mark(2) } }
    private var changes = ChangeTracker()

    init(id: Int64? = nil, title: String, tags: [String] = []) {
        (self.id, self.title, self.tags) = (id, title, tags)
    }

    static let tableMapping: TableMapping<Tracked> = .init(
        type: "Tracked",
        describe: { table in
            table.key("id", \.id)
            table.property("title", \.title)
            table.property("tags", \.tags)
        },
        decode: { row in
            Tracked(id: try row.decode(at: 0), title: try row.decode(at: 1), tags: try row.decode(at: 2))
        },
        changes: { object, body in body(&object.changes) })
}
