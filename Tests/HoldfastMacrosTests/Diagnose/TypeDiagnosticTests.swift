import Testing

/// Errors in what `@Table` is attached to.
@Suite struct TypeDiagnosticTests {
    @Test func `actors, enums, protocols and extensions have no tables`() {
        expectErrors(
            in: """
                @Table ▸actor A { var id: Int64? }
                @Table ▸enum B { case b }
                @Table ▸protocol C { var id: Int64? { get } }
                @Table ▸extension D {}
                """,
            [
                "'@Table' works on classes and structs, not on an actor: make 'A' a final class or a struct",
                "'@Table' works on classes and structs, not on an enum: make 'B' a final class or a struct",
                "'@Table' works on classes and structs, not on a protocol: make 'C' a final class or a struct",
                "'@Table' works on classes and structs, not on an extension: put it on the declaration of the type",
            ]
        )
    }

    @Test func `a model is not isolated to a global actor`() {
        expectErrors(
            in: """
                @Table ▸@MainActor final class A { var id: Int64? }
                ▸@DatabaseActor @Table struct B { var id: Int64? }
                ▸@Library.SomeActor @Table struct C { var id: Int64? }
                """,
            [
                "a model can't be isolated to '@MainActor', since the library reads it wherever it is saved: remove '@MainActor', and isolate what holds 'A'",
                "a model can't be isolated to '@DatabaseActor', since the library reads it wherever it is saved: remove '@DatabaseActor', and isolate what holds 'B'",
                "a model can't be isolated to '@Library.SomeActor', since the library reads it wherever it is saved: remove '@Library.SomeActor', and isolate what holds 'C'",
            ],
            fixed: """
                @Table final class A { var id: Int64? }
                @Table struct B { var id: Int64? }
                @Table struct C { var id: Int64? }
                """
        )
        expectNoErrors(in: "@Table nonisolated struct A { var id: Int64? }")
    }

    @Test func `a model is not observable`() {
        expectErrors(
            in: "@Table ▸@Observable final class A { var id: Int64? }",
            [
                "'@Observable' makes computed properties of stored ones, which leaves '@Table' nothing to store: remove it, and observe the object that holds 'A'"
            ],
            fixed: "@Table final class A { var id: Int64? }"
        )
    }

    @Test func `a model is not generic`() {
        expectErrors(
            in: """
                @Table struct A▸<Value> { var id: Int64? }
                struct Outer<Value> {
                    enum Middle {
                        @Table struct ▸B { var id: Int64? }
                    }
                }
                """,
            [
                "a model can't be generic, since its table has one set of columns: remove '<Value>'",
                "a model can't be generic, and 'B' is through 'Outer': declare it outside",
            ]
        )
    }

    @Test func `a model is not local`() {
        expectErrors(
            in: """
                func make() {
                    @Table struct ▸A { var id: Int64? }
                }
                let make = {
                    @Table final class ▸B { var id: Int64? }
                }
                struct C {
                    var number: Int {
                        @Table struct ▸D { var id: Int64? }
                        return 1
                    }
                    init() {
                        enum Space {
                            @Table struct ▸E { var id: Int64? }
                        }
                    }
                }
                """,
            ["A", "B", "D", "E"].map {
                "a model can't be declared inside a function: move '\($0)' to file scope or into a type"
            }
        )
    }

    @Test func `a model is not private`() {
        expectErrors(
            in: """
                @Table ▸private final class A { var id: Int64? }
                @Table ▸fileprivate struct B { var id: Int64? }
                """,
            [
                "a model can't be 'private', since the mapping that the library gets is not: remove 'private'",
                "a model can't be 'fileprivate', since the mapping that the library gets is not: remove 'fileprivate'",
            ],
            fixed: """
                @Table final class A { var id: Int64? }
                @Table struct B { var id: Int64? }
                """
        )
    }

    @Test func `a model can be copied`() {
        expectErrors(
            in: "@Table struct A: ▸~Copyable { var id: Int64? }",
            ["a model must be copyable: remove '~Copyable'"]
        )
    }

    @Test func `a class is not Sendable`() {
        expectErrors(
            in: """
                @Table final class A: Hashable, ▸Sendable { let id: Int64; init() {} }
                @Table final class B: ▸Swift.Sendable { let id: Int64; init() {} }
                """,
            Array(
                repeating:
                    "a class with '@Table' remembers what changes, and so can't be 'Sendable': make it a struct, or remove 'Sendable'",
                count: 2
            )
        )
        expectNoErrors(in: "@Table final class A: @unchecked Sendable { var id: Int64? }")
        expectNoErrors(in: "@Table struct A: Sendable { var id: Int64? }")
    }

    @Test func `a model has a primary key`() {
        expectErrors(
            in: """
                @Table
                public final class ▸A {
                    var name = ""
                    @Transient var id: Int64?
                }
                """,
            [
                "'A' has no primary key: add 'var id: Int64?', or mark the properties that identify it with '@PrimaryKey'"
            ],
            fixed: """
                @Table
                public final class A {
                    public var id: Int64?
                    var name = ""
                    @Transient var id: Int64?
                }
                """
        )
        expectNoErrors(in: "@Table struct A { @PrimaryKey let code: String }")
        expectNoErrors(in: "@Table struct A { @PrimaryKey let a: String; @PrimaryKey let b: String; var id: Int64? }")
    }

    @Test func `a class has an initializer or needs none`() {
        expectErrors(
            in: """
                @Table final class ▸A {
                    var id: Int64?
                    var name: String
                    var other: Optional<Int>
                }
                """,
            ["class 'A' has no initializer, and 'name' has no value without one: add an 'init'"]
        )
        expectNoErrors(in: "@Table final class A { var id: Int64?; var name: String!; @Transient weak var a: A? }")
        expectNoErrors(in: "@Table @MemberwiseInit final class A { var id: Int64?; var name: String }")
        expectNoErrors(in: "@Table struct A { var id: Int64?; var name: String }")
        expectNoErrors(in: "@Table final class A: Swift.Codable { var id: Int64?; var name: String }")
    }

    @Test func `an initializer is not only there on some condition`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    #if DEBUG
                    ▸init() {}
                    #endif
                }
                """,
            ["a macro can't tell whether '#if' leaves an initializer: add one outside '#if' to 'A'"]
        )
        expectNoErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    init() {}
                    #if DEBUG
                    init(debug: Bool) {}
                    #endif
                }
                """
        )
    }

    @Test func `a hook is declared so that it is called`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    func ▸willSave() async throws {}
                    func ▸didSave() {}
                    func ▸willDelete(in transaction: Transaction) -> Bool { true }
                    static func ▸didDelete(in transaction: Transaction) {}
                    mutating func didFetch() throws {}
                    func ▸afterCommit() throws {}
                }
                @Table public final class B {
                    var id: Int64?
                    private func ▸didFetch() {}
                }
                """,
            [
                "'willSave' is a hook that would never be called as it is declared here: write 'mutating func willSave() throws'",
                "'didSave' is a hook that would never be called as it is declared here: write 'func didSave(in transaction: Transaction) async throws'",
                "'willDelete' is a hook that would never be called as it is declared here: write 'func willDelete(in transaction: Transaction) async throws'",
                "'didDelete' is a hook that would never be called as it is declared here: write 'func didDelete(in transaction: Transaction) async throws'",
                "'afterCommit' is a hook that would never be called as it is declared here: write 'func afterCommit()'",
                "'didFetch' is a hook that would never be called as it is declared here: write 'public func didFetch() throws'",
            ]
        )
        expectNoErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    func willSave() {}
                    func didSave(in transaction: Transaction) {}
                    func didSave(to path: String) -> Bool { true }
                    var didFetch: Int { 1 }
                }
                """
        )
    }
}
