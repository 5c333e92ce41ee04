import Testing

/// Errors in the primary key of a model.
@Suite struct KeyDiagnosticTests {
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

    @Test func `a key that the engine makes is no constant`() {
        expectErrors(
            in: """
                @Table struct A { ▸let id: Int64? }
                @Table struct B { @PrimaryKey ▸let key: Optional<Int64> }
                @Table struct C { let id: Int64 }
                """,
            [
                "the engine gives 'id' its value when the object is saved: make it a 'var'",
                "the engine gives 'key' its value when the object is saved: make it a 'var'",
            ],
            fixed: """
                @Table struct A { var id: Int64? }
                @Table struct B { @PrimaryKey var key: Optional<Int64> }
                @Table struct C { let id: Int64 }
                """
        )
    }

    @Test func `an optional key is somebody's`() {
        expectErrors(
            in: """
                @Table struct A { @PrimaryKey var id: ▸UUID? }
                @Table struct B { let id: ▸String? }
                @Table struct C { @PrimaryKey(.database) var id: UUID? }
                @Table struct D { var id: Int64? }
                @Table struct E { var id: Code? }
                """,
            [
                "nobody makes the key 'id': declare it as 'UUID', with the value '= UUID()', or say that the database makes it, by '@PrimaryKey(.database)'",
                "nobody makes the key 'id': declare it as 'String', or say that the database makes it, by '@PrimaryKey(.database)'",
            ],
            fixed: """
                @Table struct A { @PrimaryKey var id: UUID }
                @Table struct B { let id: String }
                @Table struct C { @PrimaryKey(.database) var id: UUID? }
                @Table struct D { var id: Int64? }
                @Table struct E { var id: Code? }
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
}
