// swift-format-ignore-file
import Holdfast

// What can be a model.

@Table final class Fine { var id: Int64? }
@Table struct AlsoFine { var id: Int64? }
@Table nonisolated struct Nonisolated { var id: Int64? }

@Table class NotFinal { var id: Int64? }

@Table actor Actor { var id: Int64? }  // expected-error: not on an actor: make 'Actor' a final class or a struct

@Table enum Enum { case one }  // expected-error: not on an enum: make 'Enum' a final class or a struct

@Table protocol Protocol { var id: Int64? { get } }  // expected-error: not on a protocol: make 'Protocol' a final class or a struct

@Table struct Generic<Value> { var id: Int64? }  // expected-error: can't be generic, since its table has one set of columns: remove '<Value>'

enum Outer<Value> {
    @Table struct Inner { var id: Int64? }  // expected-error: can't be generic, and 'Inner' is through 'Outer': declare it outside
}

@MainActor @Table final class OnMain { var id: Int64? }  // expected-error: can't be isolated to '@MainActor'

@globalActor actor OtherActor { static let shared = OtherActor() }
@Table @OtherActor struct OnOther { var id: Int64? }  // expected-error: can't be isolated to '@OtherActor'

@Table private final class Private { var id: Int64? }  // expected-error: can't be 'private'
@Table fileprivate struct FilePrivate { var id: Int64? }  // expected-error: can't be 'fileprivate'

@Table struct Single: ~Copyable { var id: Int64? }  // expected-error: a model must be copyable: remove '~Copyable'

@Table final class Shared: Sendable {  // expected-error: a class with '@Table' remembers what changes, and so can't be 'Sendable': make it a struct, or remove 'Sendable'
    let id: Int64
    init(id: Int64) { self.id = id }
}

// One mistake is one error: that the type is used is none.
@Table final class Keyless { var name = "" }  // expected-error: 'Keyless' has no primary key: add 'var id: Int64?', or mark the properties that identify it with '@PrimaryKey'

func keep<Model: TableObject>(_ model: Model) {}
func use() {
    keep(Keyless())
    keep(Fine())
    Keyless().name = "x"
}
