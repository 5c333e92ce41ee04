import Testing

/// Errors in `inherits:`, and in what a subclass declares.
@Suite struct HierarchyDiagnosticTests {
    @Test func `hierarchies have no errors`() {
        expectNoErrors(
            in: """
                @Table class A { var id: Int64?; init() {} }
                @Table open class B: Codable { var id: Int64?; init() {} }
                @Table("c", inherits: A.self, indexes: [.index("name", "inherited")]) class C: A { var name = "" }
                @Table(inherits: Zoo.A.self) final class D: A, Codable { var x: Int; init(x: Int) { self.x = x } }
                @Table(inherits: A.self) public class E: Zoo.A { var observed = 1 { didSet {} }; init() {} }
                @Table(inherits: nil) class F { @PrimaryKey var code = "" }
                """
        )
    }

    @Test func `a superclass is written as a type`() {
        expectErrors(
            in: """
                @Table(inherits: ▸type) class A: B { var x = 1 }
                @Table(inherits: ▸B) class C: B { var x = 1 }
                """,
            [
                "the macro must see the superclass: write its type here, such as 'Animal.self'",
                "the macro must see the superclass: write its type here, such as 'Animal.self'",
            ]
        )
    }

    @Test func `a struct inherits from nothing`() {
        expectErrors(
            in: "@Table(inherits: ▸A.self) struct B { var id: Int64? }",
            ["a struct inherits from nothing: make 'B' a class, or remove 'inherits:'"]
        )
    }

    @Test func `a class inherits from what it names`() {
        expectErrors(
            in: """
                @Table(inherits: A.self) class ▸B { var x = 1 }
                @Table(inherits: A.self) class C: ▸Base, Codable { var x = 1 }
                """,
            [
                "'B' inherits from nothing: write 'class B: A', or remove 'inherits:'",
                "'inherits:' names 'A', and 'C' does not inherit from that: write 'class C: A', or name 'Base'",
            ],
            fixed: """
                @Table(inherits: A.self) class B: A { var x = 1 }
                @Table(inherits: A.self) class C: Base, Codable { var x = 1 }
                """
        )
    }

    @Test func `a class without a key may inherit one`() {
        expectErrors(
            in: """
                @Table class ▸A: Base { var x = 1 }
                @Table final class ▸B: Zoo.Base, Codable { var x = 1 }
                @Table class ▸C: Codable { var x = 1 }
                """,
            [
                "'A' has no primary key: write '@Table(inherits: Base.self)' to inherit that of 'Base', or add 'var id: Int64?'",
                "'B' has no primary key: write '@Table(inherits: Zoo.Base.self)' to inherit that of 'Zoo.Base', or add 'var id: Int64?'",
                "'C' has no primary key: add 'var id: Int64?', or mark the properties that identify it with '@PrimaryKey'",
            ],
            fixed: """
                @Table class A: Base { var x = 1 }
                @Table final class B: Zoo.Base, Codable { var x = 1 }
                @Table class C: Codable {
                    var id: Int64? var x = 1 }
                """
        )
    }

    @Test func `a subclass has the key of its superclass`() {
        expectErrors(
            in: """
                @Table(inherits: A.self) class B: A {
                    ▸@PrimaryKey var code = ""
                }
                """,
            ["'B' has the primary key of 'A': remove '@PrimaryKey'"],
            fixed: """
                @Table(inherits: A.self) class B: A {
                    var code = ""
                }
                """
        )
    }

    @Test func `a property without a value needs an initializer`() {
        expectErrors(
            in: "@Table(inherits: A.self) class ▸B: A { var x: Int }",
            ["class 'B' has no initializer, and 'x' has no value without one: add an 'init'"]
        )
    }

    @Test func `observers would run when an object is loaded that was made by an inherited initializer`() {
        expectErrors(
            in: """
                @Table(inherits: A.self) class B: A {
                    var x = 1 { ▸didSet {} }
                    var y = 1 { ▸willSet {} }
                    @Transient var z = 1 { didSet {} }
                }
                """,
            [
                "'B' inherits its initializers, so that 'didSet' would run when 'x' is loaded: declare an 'init' in 'B'",
                "'B' inherits its initializers, so that 'willSet' would run when 'y' is loaded: declare an 'init' in 'B'",
            ]
        )
    }

    @Test func `what is overridden has no column here`() {
        expectErrors(
            in: """
                @Table(inherits: A.self) class B: A {
                    ▸@Unique override var name: String { didSet {} }
                }
                """,
            ["'name' is inherited, so it has no column: remove '@Unique'"],
            fixed: """
                @Table(inherits: A.self) class B: A {
                    override var name: String { didSet {} }
                }
                """
        )
    }

    @Test func `an index of a subclass names what has a column, as far as one sees`() {
        expectErrors(
            in: """
                @Table(inherits: A.self, indexes: [.index("inherited"), .index(▸"tags")]) class B: A {
                    var tags: [String] = []
                }
                """,
            ["'tags' is an array, which has a table of its own, so it can't be indexed: remove it from the index"]
        )
    }
}
