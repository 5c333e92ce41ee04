import Testing

/// Errors in the arguments of `@Table`, and in the columns taken together.
@Suite struct TableDiagnosticTests {
    @Test func `a table has a name that can be read`() {
        expectErrors(
            in: """
                @Table(▸"") struct A { var id: Int64? }
                @Table(▸"b\\(1)") struct B { var id: Int64? }
                @Table(▸Names.c) struct C { var id: Int64? }
                @Table(nil) struct D { var id: Int64? }
                """,
            [
                "the name of a table can't be empty: write one, or leave the argument out",
                "the name of a table must be a string literal without interpolation: write it here",
                "the name of a table must be a string literal without interpolation: write it here",
            ]
        )
    }

    @Test func `an index names properties`() {
        expectErrors(
            in: """
                @Table(indexes: [
                    .index("id", ▸"nmae"), .unique(▸"start_date"), .index(▸"owner"), .unique(▸"draft"), .index(▸"label"), .index(▸"tags")
                ])
                struct A {
                    var id: Int64?
                    var name = ""
                    var startDate: Date?
                    var label: String { name }
                    @Transient var draft = ""
                    var tags: [String]?
                }
                """,
            [
                "'A' has no property 'nmae': did you mean 'name'?",
                "'A' has no property 'start_date': did you mean 'startDate'?",
                "'A' has no property 'owner': write the name of a property as it is declared",
                "'draft' is not stored, so it can't be indexed: remove it from the index",
                "'label' is not stored, so it can't be indexed: remove it from the index",
                "'tags' is an array, which has a table of its own, so it can't be indexed: remove it from the index",
            ],
            fixed: """
                @Table(indexes: [
                    .index("id", "name"), .unique("startDate"), .index("owner"), .unique("draft"), .index("label"), .index("tags")
                ])
                struct A {
                    var id: Int64?
                    var name = ""
                    var startDate: Date?
                    var label: String { name }
                    @Transient var draft = ""
                    var tags: [String]?
                }
                """
        )
    }

    @Test func `a search names texts`() {
        expectErrors(
            in: """
                @Table(search: ["name", ▸"nmae", ▸"name", ▸other, ▸"number", ▸"tags"])
                struct A {
                    var id: Int64?
                    var name = ""
                    var number: Int64?
                    var tags: [String] = []
                }
                """,
            [
                "'A' has no property 'nmae': did you mean 'name'?",
                "'name' is in this search already: remove it",
                "the macro must see the properties of a search: name them by string literals",
                "'number' is of type 'Int64', and only texts can be searched: remove it from the search",
                "'tags' is an array, which has a table of its own, so it can't be indexed: remove it from the index",
            ],
            fixed: """
                @Table(search: ["name", "name", "name", other, "number", "tags"])
                struct A {
                    var id: Int64?
                    var name = ""
                    var number: Int64?
                    var tags: [String] = []
                }
                """)
        expectErrors(
            in: "@Table(search: ▸[]) struct A { var id: Int64? }",
            ["a search covers at least one property: name it, such as '[\"title\"]'"])
        expectErrors(
            in: "@Table(search: ▸names) struct A { var id: Int64? }",
            ["the macro must see the properties of a search: write their names here, such as '[\"title\", \"body\"]'"])
    }

    @Test func `a scope has a name, and a condition or a property`() {
        expectErrors(
            in: """
                @Table(scopes: [
                    .scope("a", where: "name = 'x'"), .scope(▸"a", where: ▸" "), .scope(▸"", by: "owner"),
                    .scope("b", by: ▸"nam"), .scope("c", by: ▸"lines"), .scope("d", where: ▸text),
                ])
                final class A {
                    var id: Int64?
                    var name = ""
                    var owner: B?
                    @Relation(inverse: \\C.a) var lines: [C] = []
                    init() {}
                }
                """,
            [
                "there is a scope 'a' already: name each otherwise",
                "a scope needs a condition",
                "a scope needs a name",
                "'A' has no property 'nam': did you mean 'name'?",
                "'lines' has no column, so no scope can be by it: name another property",
                "the macro must see the scopes: write names and conditions as string literals without interpolation",
            ],
            fixed: """
                @Table(scopes: [
                    .scope("a", where: "name = 'x'"), .scope("a", where: " "), .scope("", by: "owner"),
                    .scope("b", by: "name"), .scope("c", by: "lines"), .scope("d", where: text),
                ])
                final class A {
                    var id: Int64?
                    var name = ""
                    var owner: B?
                    @Relation(inverse: \\C.a) var lines: [C] = []
                    init() {}
                }
                """
        )
        expectErrors(
            in: "@Table(scopes: ▸all) struct A { var id: Int64? }",
            [
                "the macro must see the scopes: write them here, such as '[.scope(\"published\", where: \"publishedAt IS NOT NULL\")]'"
            ])
    }

    @Test func `a check of one of several names optional properties`() {
        expectErrors(
            in: """
                @Table(checks: [
                    .check("dates", "a < b"), .exactlyOne("owner", "buyer"), .exactlyOne("owner", ▸"bayer"),
                    .exactlyOne("owner", ▸"name"), .exactlyOne("owner", ▸"lines", ▸"owner"), ▸.exactlyOne("owner"),
                    .exactlyOne("owner", ▸x),
                ])
                final class A {
                    var id: Int64?
                    var name = ""
                    var owner: B?
                    var buyer: B?
                    @Relation(inverse: \\C.a) var lines: [C] = []
                    init() {}
                }
                """,
            [
                "'A' has no property 'bayer': did you mean 'buyer'?",
                "'name' always has a value: make it optional, or remove it",
                "'lines' has no column, so no check can look at it: remove it",
                "'owner' is in this check already: remove it",
                "one of several has a value: name two properties at least",
                "the macro must see the properties of a check: name them by string literals",
            ],
            fixed: """
                @Table(checks: [
                    .check("dates", "a < b"), .exactlyOne("owner", "buyer"), .exactlyOne("owner", "buyer"),
                    .exactlyOne("owner", "name"), .exactlyOne("owner", "lines", "owner"), .exactlyOne("owner"),
                    .exactlyOne("owner", x),
                ])
                final class A {
                    var id: Int64?
                    var name = ""
                    var owner: B?
                    var buyer: B?
                    @Relation(inverse: \\C.a) var lines: [C] = []
                    init() {}
                }
                """
        )
        expectErrors(
            in: "@Table(checks: ▸all) struct A { var id: Int64? }",
            ["the macro must see the checks: write them here, such as '[.check(\"dates\", \"starts_at <= ends_at\")]'"])
    }

    @Test func `several near misses are named`() {
        expectErrors(
            in: "@Table(indexes: [.index(▸\"note\")]) struct A { var id: Int64?; var notes = 1; var noted = 1 }",
            ["'A' has no property 'note': did you mean 'noted' or 'notes'?"],
            fixed: "@Table(indexes: [.index(\"noted\")]) struct A { var id: Int64?; var notes = 1; var noted = 1 }"
        )
    }

    @Test func `names of properties are without backticks`() {
        expectNoErrors(
            in:
                "@Table(indexes: [.index(\"default\", \"first name\")]) struct A { var id: Int64?; var `default` = 1; var `first name` = 1 }"
        )
    }

    @Test func `terms of an index are looked into`() {
        expectNoErrors(
            in: """
                @Table(indexes: [.index("name", .descending("at"), where: "at > 0"), .unique(.expression("lower(name)"))])
                struct A { var id: Int64?; var name = ""; var at = 1 }
                """)
        expectErrors(
            in: """
                @Table(indexes: [.index("name", .descending(▸"names"), where: "at > 0")]) struct A {
                    var id: Int64?; var name = ""
                }
                """,
            ["'A' has no property 'names': did you mean 'name'?"],
            fixed: """
                @Table(indexes: [.index("name", .descending("name"), where: "at > 0")]) struct A {
                    var id: Int64?; var name = ""
                }
                """)
    }

    @Test func `an index into documents names a property`() {
        expectErrors(
            in: """
                @Table(indexes: [.index("id", .json("body", "a.b", as: Int.self), .json("body", "c", as: Int.self))])
                struct A { var id: Int64?; var body: Body }
                @Table(indexes: [.unique(.json(▸"bodi", "a", as: Int.self))]) struct B { var id: Int64?; var body: Body }
                """,
            ["'B' has no property 'bodi': did you mean 'body'?"],
            fixed: """
                @Table(indexes: [.index("id", .json("body", "a.b", as: Int.self), .json("body", "c", as: Int.self))])
                struct A { var id: Int64?; var body: Body }
                @Table(indexes: [.unique(.json("body", "a", as: Int.self))]) struct B { var id: Int64?; var body: Body }
                """)
    }

    @Test func `indexes are written out`() {
        expectErrors(
            in: """
                @Table(indexes: ▸shared) struct A { var id: Int64? }
                @Table(indexes: [▸shared]) struct B { var id: Int64? }
                @Table(indexes: [.index(▸name)]) struct C { var id: Int64? }
                @Table(indexes: [▸.index(), TableIndex.unique("id")]) struct D { var id: Int64? }
                @Table(indexes: [.unique("id", ▸"id")]) struct E { var id: Int64? }
                @Table(indexes: []) struct F { var id: Int64? }
                """,
            [
                "the macro must see the indexes: write them here, such as '[.index(\"name\"), .unique(\"code\", \"owner\")]'",
                "the macro must see each index: write '.index(\"name\")' or '.unique(\"name\")' here",
                "the macro must see the properties of an index: name them by string literals",
                "an index covers at least one property: name it, such as '.index(\"name\")'",
                "'id' is in this index already: remove it",
            ]
        )
    }

    @Test func `columns differ by more than case`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    var firstName = ""
                    var ▸first_name = ""
                    @Column(▸"ID") var other = ""
                    @Column("shared") var a = ""
                    var ▸Shared = ""
                }
                """,
            [
                "'first_name' and 'firstName' would share the column 'first_name': give one of them another name with '@Column(\"…\")'",
                "'other' and 'id' would share the column 'ID': give one of them another name with '@Column(\"…\")'",
                "'Shared' and 'a' would share the column 'shared': give one of them another name with '@Column(\"…\")'",
            ]
        )
    }

    @Test func `columns are compared as they are named`() {
        expectNoErrors(
            in: "@Table(naming: .asDeclared) struct A { var id: Int64?; var firstName = 1; var first_name = 1 }"
        )
        expectErrors(
            in: "@Table(naming: .asDeclared) struct A { var id: Int64?; var ▸ID = 1 }",
            ["'ID' and 'id' would share the column 'ID': give one of them another name with '@Column(\"…\")'"]
        )
        expectNoErrors(in: "@Table(naming: chosen) struct A { var id: Int64?; var ID = 1 }")
    }
}
