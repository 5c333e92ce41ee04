import Foundation
import Holdfast

/// A class whose rows are only marked, with a title that is unique among those that are not.
@Table(indexes: [.unique("title", where: "deleted_at IS NULL")])
final class Draft {
    var id: Int64?
    var title: String
    var rank = 0
    var tags: [String] = []
    @Version var version = 0
    @Timestamp(.modified) var modifiedAt: Date?
    @Timestamp(.deleted) var deletedAt: Date?

    init(_ title: String, rank: Int = 0, tags: [String] = []) {
        (self.title, self.rank, self.tags) = (title, rank, tags)
    }
}

/// A struct whose rows are only marked, with a key of the caller's.
@Table
struct Stub: Equatable {
    @PrimaryKey let code: String
    var rank = 0
    @Timestamp(.deleted) var deletedAt: Date?
}

/// A struct whose rows are marked by a time that is stored as a number, and which expire, too.
@Table
struct Pledge: Equatable {
    @PrimaryKey let code: String
    @Expires var until: Date?
    @Timestamp(.deleted) @Column(storage: .milliseconds) var deletedAt: Date?
}

/// An object that owns others, which are marked with it, or stay.
@Table
final class Binder {
    var id: Int64?
    var name: String
    var parent: Binder?
    var tags: [String] = []
    @Timestamp(.deleted) var deletedAt: Date?
    @Relation(inverse: \Leaf.binder, deleteRule: .cascade, loading: .eager) var sheets: [Leaf] = []
    @Relation(inverse: \Clip.binder, deleteRule: .cascade, loading: .eager) var clips: [Clip] = []
    @Relation(inverse: \Seal.binder, deleteRule: .deny, loading: .eager) var seals: [Seal] = []

    init(_ name: String, parent: Binder? = nil) { (self.name, self.parent) = (name, parent) }
}

/// What is marked with its binder.
@Table
final class Leaf {
    var id: Int64?
    var text: String
    var binder: Binder?
    @Version var version = 0
    @Timestamp(.deleted) var removedAt: Date?

    init(_ text: String) { self.text = text }
}

/// What its binder owns, and is not marked with it.
@Table
final class Clip {
    var id: Int64?
    var size: Int
    var binder: Binder?

    init(_ size: Int) { self.size = size }
}

/// While there is one, its binder stays.
@Table
final class Seal {
    var id: Int64?
    var binder: Binder?
    @Timestamp(.deleted) var deletedAt: Date?
}

/// An object that leads to binders.
@Table
final class Rack {
    var id: Int64?
    var name: String
    var main: Binder?
    var others: [Binder] = []
    var lazy: Reference<Binder>?

    init(_ name: String) { self.name = name }
}

/// An object that can't be without its binder.
@Table
final class Spine {
    var id: Int64?
    var text: String
    var binder: Binder

    init(_ text: String, of binder: Binder) { (self.text, self.binder) = (text, binder) }
}

/// A class whose rows are only marked, and that has hooks.
@Table
final class Hint {
    var id: Int64?
    var text: String
    @Timestamp(.deleted) var deletedAt: Date?
    @Transient var log: HookLog?

    init(_ text: String, log: HookLog) { (self.text, self.log) = (text, log) }

    func willDelete(in transaction: Transaction) async throws { log?.add("willDelete \(text)") }

    func didDelete(in transaction: Transaction) async throws { log?.add("didDelete \(text)") }
}

/// An owner of objects with hooks, all of which are only marked.
@Table
final class Folio {
    var id: Int64?
    @Relation(inverse: \Plate.folio, deleteRule: .cascade) var plates: [Plate] = []
    @Timestamp(.deleted) var deletedAt: Date?

    init() {}
}

@Table
final class Plate {
    var id: Int64?
    var path: String
    var folio: Folio?
    @Timestamp(.deleted) var deletedAt: Date?

    init(_ path: String) { self.path = path }

    func willDelete(in transaction: Transaction) async throws {
        try await transaction.save(Note("will delete \(path)"))
    }
}
