import Testing

/// Errors in the attributes of properties.
@Suite struct AttributeDiagnosticTests {
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
                "a property holds one time, of creation, of modification or of deletion: remove '@Timestamp'",
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

    @Test func `an object has a time of deletion only once it is deleted`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.deleted) var a: ▸Date
                }
                """,
            ["an object has a time of deletion only once it is deleted: declare 'a' as 'Date?'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.deleted) var a: Date?
                }
                """
        )
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.deleted) var a: Date?
                    ▸@Timestamp(.deleted) var b: Date?
                }
                """,
            ["'a' holds the deleted time already: remove '@Timestamp' from 'b'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.deleted) var a: Date?
                    var b: Date?
                }
                """
        )
    }

    @Test func `an object expires at one date`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Expires var a: Date?
                    ▸@Expires var b: Date
                }
                """,
            ["'a' holds when an object expires already: remove '@Expires' from 'b'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Expires var a: Date?
                    var b: Date
                }
                """
        )
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Expires var a: ▸Int
                }
                """,
            ["when an object expires is a date: declare 'a' as 'Date?'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Expires var a: Date?
                }
                """
        )
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) ▸@Expires var a: Date?
                }
                """,
            ["a timestamp is the time of a save, when the object would expire: remove '@Expires'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.created) var a: Date?
                }
                """
        )
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Expires @Column(storage: ▸.iso8601) var a: Date?
                }
                """,
            [
                "the engine finds out by comparing numbers when 'a' has passed: choose '.seconds', '.milliseconds', or no storage"
            ]
        )
        expectNoErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Expires @Indexed @Column("valid_until", storage: .seconds) var a: Date?
                }
                """
        )
    }

    @Test func `a version is one integer that can be counted up`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Version var a: ▸Int?
                    ▸@Version var b: Int
                }
                """,
            [
                "a version is never nil: declare 'a' as 'Int', with a value of 0",
                "'a' counts the updates already: remove '@Version' from 'b'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Version var a: Int?
                    var b: Int
                }
                """
        )
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    ▸@Version let a: Int
                }
                """,
            ["a version is counted up: make 'a' a 'var'"]
        )
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.modified) ▸@Version var a: Date
                }
                """,
            ["a version is a number, not a date: remove '@Version'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Timestamp(.modified) var a: Date
                }
                """
        )
        expectNoErrors(in: "@Table struct A { var id: Int64?; @Version @Column(\"lock\") var version: Int32 = 0 }")
    }

    @Test func `what can be missing is optional, or an array`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @OmitIfMissing var a: ▸String
                    @OmitIfMissing ▸@OmitIfMissing var b: String?
                }
                """,
            [
                "'a' is always there: make it optional, or remove '@OmitIfMissing'",
                "'@OmitIfMissing' is there already: remove '@OmitIfMissing'",
            ],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    var a: String
                    @OmitIfMissing var b: String?
                }
                """
        )
        expectNoErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @OmitIfMissing var a: Optional<Int>
                    @OmitIfMissing var b: [Int] = []
                    @OmitIfMissing @Relation(deleteRule: .cascade) var c: B?
                    @OmitIfMissing var d: Alias
                }
                """
        )
    }

    @Test func `the kind of a timestamp is written out`() {
        expectErrors(
            in: "@Table struct A { var id: Int64?; @Timestamp(▸kind) var a: Date? }",
            ["the macro must see which time to keep: write '.created', '.modified' or '.deleted' here"]
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
