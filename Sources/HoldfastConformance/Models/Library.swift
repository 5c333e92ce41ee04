import Holdfast

/// Somebody without a name is nobody.
@Table
final class Writer {
    var id: Int64?
    @OmitIfMissing var name: String?
    var rank = 0
    /// A cycle: whoever refers to nobody is nobody either.
    var teacher: Writer?
    var friends: [Writer] = []

    init(_ name: String?, rank: Int = 0) {
        self.name = name
        self.rank = rank
    }
}

/// An object that references a writer, without being marked itself.
@Table
final class Volume {
    var id: Int64?
    var title: String
    var writer: Writer?

    init(_ title: String, _ writer: Writer? = nil) {
        self.title = title
        self.writer = writer
    }
}

/// An array that leaves elements out, and one that has to have some.
@Table
final class Shelf {
    var id: Int64?
    var name: String
    var volumes: [Volume] = []
    @OmitIfMissing var labels: [String] = []
    @Relation(inverse: \Library.shelf, loading: .eager) var libraries: [Library] = []

    init(_ name: String, _ volumes: [Volume], labels: [String] = ["l"]) {
        self.name = name
        self.volumes = volumes
        self.labels = labels
    }
}

/// An array none of whose elements may be left out, and a reference that has to be there.
@Table
final class Library {
    var id: Int64?
    var name: String
    @OmitIfMissing var best: [Volume] = []
    @OmitIfMissing var shelf: Shelf?

    init(_ name: String, best: [Volume], shelf: Shelf?) {
        self.name = name
        self.best = best
        self.shelf = shelf
    }
}

/// A struct that has to have a name, and one that holds several.
@Table
struct Part: Equatable {
    let id: Int64
    @OmitIfMissing var name: String?
}

@Table
struct Kit: Equatable {
    let id: Int64
    var parts: [Part] = []
}

/// An object with a writer that is loaded on demand.
@Table
final class Leaflet {
    var id: Int64?
    var number: Int
    @Relation(loading: .onDemand) var writer: Writer?

    init(_ number: Int, _ writer: Writer?) {
        self.number = number
        self.writer = writer
    }
}

/// An object that requires a writer.
@Table
final class Preface {
    var id: Int64?
    var author: Writer

    init(_ author: Writer) { self.author = author }
}

/// An object that is left out, and has a hook.
@Table
final class Relic {
    var id: Int64?
    @OmitIfMissing var name: String?

    init(_ name: String?) { self.name = name }

    func willDelete(in transaction: Transaction) async throws {}
}
