import Testing

/// Errors in the properties of a model.
@Suite struct PropertyDiagnosticTests {
    @Test func `attributes of a column are not for computed and static properties`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    ▸@Unique ▸@Column("c") var computed: Int { 1 }
                    ▸@Indexed static let shared = 1
                    ▸@Transient var both: Int { get { 1 } set {} }
                    var fine: Int { 1 }
                    static let alsoFine = 2
                }
                """,
            [
                "'computed' is computed, so it has no column: remove '@Unique'",
                "'computed' is computed, so it has no column: remove '@Column'",
                "'shared' is static, so it has no column: remove '@Indexed'",
                "'both' is computed, so it has no column: remove '@Transient'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    var computed: Int { 1 }
                    static let shared = 1
                    var both: Int { get { 1 } set {} }
                    var fine: Int { 1 }
                    static let alsoFine = 2
                }
                """
        )
    }

    @Test func `a transient property has no other attribute`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Transient ▸@Indexed var a = 1
                    @Unique ▸@Transient var b = 1
                }
                """,
            [
                "a '@Transient' property has no column: remove '@Indexed'",
                "a '@Transient' property has no column: remove '@Transient'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Transient var a = 1
                    @Unique var b = 1
                }
                """
        )
    }

    @Test func `a primary key is neither transient nor unique nor a timestamp`() {
        expectErrors(
            in: """
                @Table struct A {
                    @PrimaryKey ▸@Unique var a: Int64
                    @Timestamp(.created) ▸@PrimaryKey var b: Date
                    @PrimaryKey ▸@Transient var c = 1
                }
                @Table struct B {
                    ▸@Unique var id: Int64?
                }
                """,
            [
                "a primary key is unique as it is: remove '@Unique'",
                "a primary key never changes, and a timestamp does: remove '@PrimaryKey'",
                "a '@Transient' property has no column: remove '@Transient'",
                "'id' is the primary key, and a primary key is unique as it is: remove '@Unique'",
            ],
            fixed: """
                @Table struct A {
                    @PrimaryKey var a: Int64
                    @Timestamp(.created) var b: Date
                    @PrimaryKey var c = 1
                }
                @Table struct B {
                    var id: Int64?
                }
                """
        )
        expectNoErrors(in: "@Table struct A { @PrimaryKey @Column(\"k\") @Indexed @Required var a: Int64 }")
    }

    @Test func `an attribute is there once`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Unique ▸@Unique var a: Int
                    @Timestamp(.created) ▸@Timestamp(.modified) var b: Date?
                }
                """,
            [
                "'@Unique' is there already: remove '@Unique'",
                "a property holds one time, of creation or of modification: remove '@Timestamp'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Unique var a: Int
                    @Timestamp(.created) var b: Date?
                }
                """
        )
    }

    @Test func `a model has one time of each kind`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) var a: Date?
                    @Timestamp(.modified) var b: Date?
                    ▸@Timestamp(.created) var c: Date?
                }
                """,
            ["'a' holds the created time already: remove '@Timestamp' from 'c'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) var a: Date?
                    @Timestamp(.modified) var b: Date?
                    var c: Date?
                }
                """
        )
    }

    @Test func `a timestamp is a date`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) var a: ▸Int
                    @Timestamp(.modified) var b: ▸String?
                }
                """,
            [
                "a timestamp is a date: declare 'a' as 'Date?'",
                "a timestamp is a date: declare 'b' as 'Date?'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) var a: Date?
                    @Timestamp(.modified) var b: Date?
                }
                """
        )
        expectNoErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) var a: Foundation.Date
                    @Timestamp(TimestampKind.modified) var b = Date.distantPast
                }
                """
        )
    }

    @Test func `the kind of a timestamp is written out`() {
        expectErrors(
            in: "@Table struct A { var id: Int64?; @Timestamp(▸kind) var a: Date? }",
            ["the macro must see which time to keep: write '.created' or '.modified' here"]
        )
    }

    @Test func `a column has a name that can be read`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Column(▸"") var a = 1
                    @Column(▸"c\\(1)") var b = 1
                    @Column(▸name) var c = 1
                    ▸@Column var d = 1
                    ▸@Column(nil) var e = 1
                }
                """,
            [
                "the name of a column can't be empty: write one, or leave the argument out",
                "the name of a column must be a string literal without interpolation: write it here",
                "the name of a column must be a string literal without interpolation: write it here",
                "'@Column' changes nothing by itself: give it a name or a storage, such as '@Column(\"name\")', or remove it",
                "'@Column' changes nothing by itself: give it a name or a storage, such as '@Column(\"name\")', or remove it",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Column("") var a = 1
                    @Column("c\\(1)") var b = 1
                    @Column(name) var c = 1
                    var d = 1
                    var e = 1
                }
                """
        )
        expectNoErrors(in: "@Table struct A { var id: Int64?; @Column(nil, storage: .exact) var at: Date? }")
    }

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

    @Test func `a key that the engine makes is no constant`() {
        expectErrors(
            in: """
                @Table struct A { ▸let id: Int64? }
                @Table struct B { @PrimaryKey ▸let key: Optional<Int64> }
                @Table struct C { let id: Int64 }
                @Table struct D { let id: String? }
                """,
            [
                "the engine gives 'id' its value when the object is saved: make it a 'var'",
                "the engine gives 'key' its value when the object is saved: make it a 'var'",
            ],
            fixed: """
                @Table struct A { var id: Int64? }
                @Table struct B { @PrimaryKey var key: Optional<Int64> }
                @Table struct C { let id: Int64 }
                @Table struct D { let id: String? }
                """
        )
    }

    @Test func `the engine makes no part of a composite key`() {
        expectErrors(
            in: """
                @Table struct A {
                    @PrimaryKey let a: Int64
                    @PrimaryKey var b: ▸Int64?
                }
                """,
            ["the engine makes no part of a key of several properties: declare 'b' as 'Int64'"],
            fixed: """
                @Table struct A {
                    @PrimaryKey let a: Int64
                    @PrimaryKey var b: Int64
                }
                """
        )
    }

    @Test func `arrays have no column to index`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    ▸@Unique var a: [Int] = []
                    ▸@Indexed var b = ["b"]
                    ▸@Indexed var c: Array<Int>?
                    @Indexed var d: [String: Int]
                }
                """,
            [
                "the array 'a' has a table of its own, not a column to index: remove '@Unique'",
                "the array 'b' has a table of its own, not a column to index: remove '@Indexed'",
                "the array 'c' has a table of its own, not a column to index: remove '@Indexed'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    var a: [Int] = []
                    var b = ["b"]
                    var c: Array<Int>?
                    @Indexed var d: [String: Int]
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

    @Test func `attributes do nothing outside a model`() {
        expectErrors(
            in: """
                struct A {
                    ▸@Unique var a = 1
                }
                ▸@Indexed let b = 1
                @Table struct C {
                    var id: Int64?
                    ▸@Unique func c() {}
                    struct D {
                        ▸@Transient var d = 1
                    }
                }
                extension C {
                    ▸@Column("e") static let e = 1
                }
                """,
            [
                "'@Unique' does nothing outside a model: mark the type with '@Table', or remove '@Unique'",
                "'@Indexed' does nothing outside a model: mark the type with '@Table', or remove '@Indexed'",
                "'@Unique' belongs on a property: remove it here",
                "'@Transient' does nothing outside a model: mark the type with '@Table', or remove '@Transient'",
                "'@Column' does nothing outside a model: mark the type with '@Table', or remove '@Column'",
            ],
            fixed: """
                struct A {
                    var a = 1
                }
                let b = 1
                @Table struct C {
                    var id: Int64?
                    func c() {}
                    struct D {
                        var d = 1
                    }
                }
                extension C {
                    static let e = 1
                }
                """
        )
    }
}
