import Holdfast

/// An object whose deletion deletes its references.
@Table
final class Errand {
    var id: Int64?
    var name: String
    @Relation(deleteRule: .cascade) var memo: Memo?

    init(_ name: String, _ memo: Memo?) {
        self.name = name
        self.memo = memo
    }
}

/// An object that is deleted with its errand.
@Table
final class Memo {
    var id: Int64?
    var text: String

    init(_ text: String) { self.text = text }
}
