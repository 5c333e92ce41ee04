import Holdfast

/// A class whose updates are counted, with everything else that an update writes.
@Table
final class Edition {
    var id: Int64?
    var text: String
    var pages = 0
    var words: [String] = []
    var parent: Edition?
    @Version var version = 0

    init(_ text: String) { self.text = text }
}

/// A struct whose updates are counted.
@Table
struct Ledger: Equatable {
    let id: Int64
    var balance = 0
    @Version var revision: Int32 = 0
}

/// A class that is one row, with a unique key and a version of few bits.
@Table
final class Counter {
    var id: Int64?
    @Unique var name: String
    var count = 0
    @Version var version: Int16 = 0

    init(_ name: String) { self.name = name }
}
