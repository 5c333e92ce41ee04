import Testing

/// Errors in the properties of a model.
@Suite struct PropertyDiagnosticTests {
    @Test func `lazy and unowned properties are not kept, nor weak ones of structs`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    ▸lazy var a = 1
                    weak var b: A?
                    ▸unowned var c: A
                    ▸unowned(unsafe) var d: A
                    @Transient lazy var e = 1
                    @Transient weak var f: A?
                    init() {}
                }
                @Table struct B {
                    var id: Int64?
                    ▸weak var b: A?
                }
                """,
            [
                "a lazy property can't be loaded: mark 'a' '@Transient', or remove 'lazy'",
                "the object of 'unowned var c' may be gone when it is saved: mark it '@Transient', or remove 'unowned'",
                "the object of 'unowned var d' may be gone when it is saved: mark it '@Transient', or remove 'unowned'",
                "the object of 'weak var b' may be gone when it is saved: mark it '@Transient', or remove 'weak'",
            ]
        )
    }

    @Test func `wrapped and isolated properties are not kept`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    ▸@Published var a = 1
                    ▸@Library.Clamped(0...1) var b = 1
                    ▸@MainActor var c = 1
                    @Transient @Published var d: Int
                    @available(*, deprecated) var e = 1
                }
                """,
            [
                "the value behind '@Published' is not visible to '@Table': mark 'a' '@Transient', or remove '@Published'",
                "the value behind '@Library.Clamped' is not visible to '@Table': mark 'b' '@Transient', or remove '@Library.Clamped'",
                "a property isolated to '@MainActor' can't be saved from elsewhere: mark 'c' '@Transient', or remove '@MainActor'",
            ]
        )
    }

    @Test func `each property has a declaration of its own`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    var ▸a = 1, b: Int?
                    let ▸c, d, e: String
                    static let f = 1, g = 2
                }
                """,
            [
                "each property of a model needs a declaration of its own: write 'var' for each of them",
                "each property of a model needs a declaration of its own: write 'let' for each of them",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    var a = 1
                    var b: Int?
                    let c: String
                    let d: String
                    let e: String
                    static let f = 1, g = 2
                }
                """
        )
        expectErrors(
            in: "@Table struct A { var id: Int64?; var ▸(a, b) = (1, 2) }",
            ["each property of a model needs a declaration of its own: write 'var' for each of them"]
        )
    }

    @Test func `a property is not there on some condition`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    #if DEBUG
                    var ▸a = 1
                    @Transient var b = 1
                    #elseif os(Linux)
                        #if swift(>=6)
                        var ▸c = 1
                        #endif
                    static let d = 1
                    func e() {}
                    #endif
                    #if os(Linux)
                    @Unique
                    #endif
                    var ▸f = 1
                }
                """,
            [
                "a macro can't tell what '#if DEBUG' leaves: move 'a' out of it, or mark it '@Transient'",
                "a macro can't tell what '#if DEBUG' leaves: move 'c' out of it, or mark it '@Transient'",
                "a macro can't tell what '#if os(Linux)' leaves: move the attributes of 'f' out of it",
            ]
        )
    }

    @Test func `a let has no value of its own`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    ▸let kind = "a"
                    let fine: String
                    @Transient let alsoFine = 1
                }
                """,
            ["a 'let' that has its value already can't be loaded: make 'kind' a 'var', or mark it '@Transient'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    var kind = "a"
                    let fine: String
                    @Transient let alsoFine = 1
                }
                """
        )
    }

    @Test func `one observer is left to the macro`() {
        let observed = """
            var id: Int64?
                var a = 1 { ▸willSet {} didSet {} }
                @Transient var b = 1 { willSet {} didSet {} }
            """
        expectErrors(
            in: "@Table final class A {\n    \(observed)\n}",
            [
                "'@Table' needs one of the two observers of 'a' to see changes: do all in 'didSet', which knows the 'oldValue'"
            ]
        )
        expectNoErrors(in: "@Table struct A {\n    \(observed.replacing("▸", with: ""))\n}")
    }

    @Test func `a transient property has a default`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Transient var ▸a: Int
                    @Transient let ▸b: Int?
                    @Transient var ▸c: Optional<Int>
                    @Transient var d: Int?
                    @Transient var e: Int!
                    @Transient @Wrapped var f: Int
                }
                """,
            ["a", "b", "c"].map {
                "an object that is loaded has no value for '\($0)': give this '@Transient' property a default value"
            }
        )
    }

    @Test func `closures, tuples and existentials have no columns`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    var a: ▸() -> Void
                    var b: ▸(@Sendable (Int) -> Int)?
                    var c: ▸(Int, Int)
                    var d: ▸any Error
                    var e: ▸Int.Type
                    var f: ▸Any?
                    var g: ▸()
                    var h: (Int)
                    @Transient var i: () -> Void = {}
                }
                """,
            [
                "a closure can't be stored in a column: mark 'a' '@Transient', or give it another type",
                "a closure can't be stored in a column: mark 'b' '@Transient', or give it another type",
                "a tuple can't be stored in a column: mark 'c' '@Transient', or give it another type",
                "a value of an unknown type can't be stored in a column: mark 'd' '@Transient', or give it another type",
                "a type can't be stored in a column: mark 'e' '@Transient', or give it another type",
                "a value of an unknown type can't be stored in a column: mark 'f' '@Transient', or give it another type",
                "a tuple can't be stored in a column: mark 'g' '@Transient', or give it another type",
            ]
        )
    }

    @Test func `some names are the macro's`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    var ▸_$mine = 1
                    static let ▸tableMapping = 1
                    var _fine = 1
                }
                """,
            ["_$mine", "tableMapping"].map { "'\($0)' is a name that '@Table' may use: give this property another" }
        )
    }
}
