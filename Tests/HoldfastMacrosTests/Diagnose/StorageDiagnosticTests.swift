import Testing

/// Errors in the storages of columns, and in what the database computes.
@Suite struct StorageDiagnosticTests {
    @Test func `a storage is for the types that it is made for`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Column(storage: ▸.text) var a: Int
                    @Column(storage: ▸.julianDay) var b: UUID?
                    @Column(storage: ▸.words(true: "Y", false: "N")) var c: String
                    @Column(storage: ▸.scaled(2)) var d: Date
                    @Column(storage: ▸ValueStorage.uppercaseText) var e: [Date]
                }
                """,
            [
                "no 'Int' is stored as '.text', which is for 'Date', 'UUID', 'Decimal', 'String': choose another storage, or remove it",
                "no 'UUID' is stored as '.julianDay', which is for 'Date': choose another storage, or remove it",
                "no 'String' is stored as '.words', which is for 'Bool': choose another storage, or remove it",
                "no 'Date' is stored as '.scaled', which is for 'Decimal': choose another storage, or remove it",
                "no 'Date' is stored as '.uppercaseText', which is for 'UUID': choose another storage, or remove it",
            ]
        )
    }

    @Test func `a date that is a key has a storage with one form of each instant`() {
        expectErrors(
            in: """
                @Table struct A {
                    @PrimaryKey @Column(storage: ▸.julianDay) let a: Date
                    @PrimaryKey @Column(storage: .seconds) let b: Date
                    @PrimaryKey @Column(storage: ▸.text) let c: Date
                }
                """,
            ["julianDay", "text"].map {
                "'.\($0)' has no one form of an instant, so that the date can't be a key: use '.seconds', '.milliseconds' or no storage"
            })
    }

    @Test func `only an enum in a column of its own is checked for its cases`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Column(check: ▸.cases) var a: String
                    @Column(check: ▸.cases) var b: [State] = []
                    @Column(check: .cases) var c: State?
                    @Column(check: ▸.cases, generated: true) var d: State = .open
                }
                """,
            [
                "'String' is no enum: remove 'check'", "an array is no single value: remove 'check'",
                "what the database computes is not checked: remove 'check'",
            ])
    }

    @Test func `a storage of a type whose values convert is left to the library`() {
        expectNoErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Column(storage: .text) var a: Day
                    @Column(storage: .text) var b: UUID?
                    @Column(storage: .words(true: "Y", false: "N")) var c = true
                    @Column(storage: form) var d: Date
                    @Column(storage: .array) var e: [Color]?
                    @Column(storage: .array) var f: [String] = []
                    @Column(storage: .seconds) var g: [Date] = []
                    @Column(storage: .array) var h: [Date] = []
                    @Column(storage: .array) var i: [Decimal]?
                    @Column(storage: .text) var j: String?
                }
                """)
    }

    @Test func `an array in one column is one of values that a column can hold`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Column(storage: ▸.array) var a: String
                    @Column(storage: ▸.array) var b: [Data] = []
                }
                """,
            [
                "'a' is no array, as which '.array' stores it: choose another storage, or remove it",
                "an array of 'Data' can't be in one column: remove the storage, and it has a table of its own",
            ]
        )
    }

    @Test func `what the database computes is no key, and nothing that a save sets`() {
        expectErrors(
            in: """
                @Table struct A {
                    @PrimaryKey @Column(generated: ▸true) let id: Int
                    @Timestamp(.created) @Column(generated: ▸true) var at: Date?
                    @Version @Column("v", generated: ▸true) var version = 0
                    @Column(generated: ▸true) var list: [Int] = []
                    @Column("x", generated: ▸isComputed) var other: Int
                    @Column(generated: true) var total: Int
                }
                """,
            [
                "a primary key is found by, and so is known before it is saved: remove 'generated: true'",
                "a timestamp is set by a save: remove 'generated: true'",
                "a version is counted up by a save: remove 'generated: true'",
                "an array has a table of its own: remove 'generated: true'",
                "the macro must see whether the column is generated: write 'true' here",
            ]
        )
    }

    @Test func `a column that the database computes is described so`() {
        let source = "@Table struct A { var id: Int64?; @Column(generated: true) var total: Int }"
        #expect(expanded(source).contains(#"table.property("total", \.total, .generated(true))"#))
    }
}
