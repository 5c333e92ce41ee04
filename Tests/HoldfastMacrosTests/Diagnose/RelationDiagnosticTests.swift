import Testing

/// Errors in `@Relation`, and what it excludes.
@Suite struct RelationDiagnosticTests {
    @Test func `a relation that is well declared has no errors`() {
        expectNoErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(deleteRule: .cascade) var milestones: [Milestone] = []
                    @Relation(inverse: \\Task.project, deleteRule: DeleteRule.deny) var tasks: [Task] = []
                    @Relation(inverse: \\Space.Task.`self`) var others: [Space.Task]?
                    @Relation(loading: .onDemand) var related: [A] = []
                    @Relation(loading: Holdfast.RelationLoading.onDemand) var next: Optional<A> = nil
                    @Relation(loading: .eager) @Unique @Required @Column("l") var lead: Person?
                    @Relation(deleteRule: .nullify) var owner: Person
                    weak var parent: A?
                    @Relation(loading: .onDemand) weak var root: A?
                    init(owner: Person) { self.owner = owner }
                }
                """
        )
    }

    @Test func `columns and join tables that exist have no errors`() {
        expectNoErrors(
            in: """
                @Table final class A {
                    @PrimaryKey var tenant: Int64
                    @PrimaryKey @Column("order_id") let orderID: Int64
                    @Column("order_id") var order: Order?
                    @Column(["tenant", "customer_id"]) var customer: Customer?
                    @Relation(joinTable: .named("a_b", owner: ["tenant", "a"], element: "b", position: nil)) var b: [B] = []
                    @Relation(loading: .onDemand, joinTable: .unordered) var c: [C] = []
                    @Relation(joinTable: JoinTableNames.named("d")) var d: [D] = []
                    @Relation(foreignKey: false) var e: E?
                    init() {}
                }
                """
        )
    }

    @Test func `a reference names one unique property`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(references: ▸keyPath) var a: B?
                    @Relation(references: ▸\\B.code) var b: [B] = []
                    @Relation(references: \\B.code) var c: B?
                    init() {}
                }
                """,
            [
                "the macro must see which property is held: write a key path of one property, with its type, such as '\\Country.code'",
                "'b' has no column for a property in place of a key: remove 'references:'",
            ])
    }

    @Test func `orphans are those of a relation whose other side holds the key`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(orphans: ▸.delete) var a: [B] = []
                    @Relation(inverse: \\B.b, orphans: .delete) var b: [B] = []
                    init() {}
                }
                """,
            [
                "'a' keeps the keys of its objects itself, so none is an orphan: add 'inverse:', or remove 'orphans:'"
            ]
        )
    }

    @Test func `an order is that of an array without positions`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(order: ▸[.ascending("x")]) var a: B?
                    @Relation(order: ▸[.ascending("x")]) var b: [B] = []
                    @Relation(joinTable: .named("c"), order: ▸[.ascending("x")]) var c: [B] = []
                    @Relation(joinTable: .unordered, order: [.ascending("x")]) var d: [B] = []
                    @Relation(joinTable: .named("e", position: nil), order: [.ascending("x")]) var e: [B] = []
                    @Relation(inverse: \\B.f, order: [.ascending("x")]) var f: [B] = []
                    init() {}
                }
                """,
            [
                "'a' holds one object, which has no order: remove 'order:'",
                "'b' is ordered by positions: remove 'order:', or write 'joinTable: .unordered'",
                "'c' is ordered by positions: remove 'order:', or write 'joinTable: .unordered'",
            ]
        )
    }

    @Test func `a join table is named where it is, by what the macro sees`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(joinTable: ▸.unordered) var a: B?
                    @Relation(inverse: \\B.a, joinTable: ▸.unordered) var b: [B] = []
                    @Relation(joinTable: ▸names) var c: [B] = []
                    @Relation(joinTable: .named(▸name, owner: ▸"")) var d: [B] = []
                    @Relation(joinTable: .named("x")) @Column(▸"y") var e: [B] = []
                }
                """,
            [
                "'a' holds one object, whose key is in columns: name them with '@Column', and remove 'joinTable:'",
                "'b' is the other side of a relation, whose property names the join table: remove 'joinTable:'",
                "the macro must see the names: write '.named(\"…\", owner: \"…\", element: \"…\")' or '.unordered' here",
                "the name of a table must be a string literal without interpolation: write it here",
                "the name of a column can't be empty: write one, or leave the argument out",
                "'@Relation' names the join table of 'e' already: remove the name from '@Column'",
            ]
        )
    }

    @Test func `a foreign key is left out where there is one`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(inverse: \\B.a, foreignKey: ▸false) var a: [B] = []
                    @Relation(foreignKey: ▸isChecked) var b: B?
                    @Column(▸["x", "y"]) var c: String?
                    @Column(["x", ▸""]) var d: B?
                }
                """,
            [
                "'a' holds no key, so it has no foreign key: write 'foreignKey:' at its other side",
                "the macro must see it: write 'true' or 'false' here",
                "'c' has no key of several columns, which only a reference has: name one column, or none",
                "the name of a column can't be empty: write one, or leave the argument out",
            ]
        )
    }

    @Test func `a relation says something`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    ▸@Relation var a: Person?
                    ▸@Relation() var b: Person?
                    ▸@Relation(inverse: nil) var c: Person?
                }
                """,
            Array(
                repeating:
                    "'@Relation' changes nothing by itself: say how, such as '@Relation(deleteRule: .cascade)', or remove it",
                count: 3
            ),
            fixed: """
                @Table final class A {
                    var id: Int64?
                    var a: Person?
                    var b: Person?
                    var c: Person?
                }
                """
        )
    }

    @Test(arguments: [
        ("String", "'String'"), ("Int?", "'Int?'"), ("[Date]", "'[Date]'"),
        ("[Foundation.UUID]?", "'[Foundation.UUID]?'"),
        ("Array<Bool>", "'Array<Bool>'"), ("Optional<Decimal>", "'Optional<Decimal>'"),
        ("[String: A]", "'[String: A]'"),
        ("URL!", "'URL!'"),
    ])
    func `what is visibly a value is no relation`(type: String, shown: String) {
        expectErrors(
            in: "@Table final class A { var id: Int64?; ▸@Relation(deleteRule: .cascade) var x: \(type); init() {} }",
            ["'x' holds \(shown), not objects of another table: remove '@Relation'"],
            fixed: "@Table final class A { var id: Int64?; var x: \(type); init() {} }"
        )
    }

    @Test(arguments: [("\"\"", "a String"), ("1", "an Int"), ("1.5", "a Double"), ("true", "a Bool")])
    func `a literal is visibly a value`(value: String, shown: String) {
        expectErrors(
            in: "@Table struct A { var id: Int64?; ▸@Relation(deleteRule: .cascade) var x = \(value) }",
            ["'x' holds \(shown), not objects of another table: remove '@Relation'"],
            fixed: "@Table struct A { var id: Int64?; var x = \(value) }"
        )
    }

    @Test(arguments: ["Person", "Person?", "[Person]", "Space.Date", "Set<String>", "Reference<Person>", "some_type"])
    func `what may be a relation is taken for one`(type: String) {
        expectNoErrors(in: "@Table struct A { var id: Int64?; @Relation(deleteRule: .cascade) var x: \(type) }")
    }

    @Test func `an inverse is a key path of one property`() {
        let message =
            "the macro must see which property holds the key: write a key path of one property, with its type, such as '\\Task.project'"
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(inverse: ▸path) var a: [Task] = []
                    @Relation(inverse: ▸\\.project) var b: [Task] = []
                    @Relation(inverse: ▸\\Task.project.lead) var c: [Task] = []
                    @Relation(inverse: ▸\\Task.projects[0]) var d: [Task] = []
                    @Relation(inverse: ▸\\Task.project?) var e: [Task] = []
                    @Relation(inverse: ▸\\Task.self) var f: [Task] = []
                    @Relation(inverse: ▸"project") var g: [Task] = []
                }
                """,
            Array(repeating: message, count: 7)
        )
    }

    @Test func `an array goes through the two references of one type`() {
        expectNoErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(inverse: \\M.a) var links: [M] = []
                    @Relation(inverse: \\M.a, through: \\M.b) var b: [B] = []
                    @Relation(inverse: \\M.a, through: \\M.c, loading: .eager) var c: [C] = []
                }
                """)
        let both =
            "the macro must see both references of the type between: write key paths of one property each, with its type, such as '\\Membership.team' and '\\Membership.user'"
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(inverse: ▸path, through: \\M.b) var a: [B] = []
                    @Relation(inverse: \\M.a, through: ▸\\M.b.c) var b: [B] = []
                    @Relation(inverse: \\M.a, through: ▸\\M.a) var c: [A] = []
                    @Relation(inverse: \\M.a, through: ▸\\M.b) var d: B?
                }
                """,
            [
                both, both,
                "'\\M.a' leads to the owner already: name the property that leads to what 'c' holds",
                "'d' is one object: declare it as an array, or remove 'through:'",
            ])
    }

    @Test func `an inverse is a property of what the relation holds`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(inverse: ▸\\Comment.author) var a: [Task] = []
                    @Relation(inverse: ▸\\Space.Comment.author) var b: Reference<Space.Task>?
                    @Relation(inverse: \\Space.Task.author) var c: [Task] = []
                    @Relation(inverse: \\Task.author) var d: [Reference<Space.Task>]?
                }
                """,
            [
                "'a' holds objects of 'Task', and '\\Comment.author' is a property of 'Comment': name a property of 'Task', or declare 'a' with 'Comment'",
                "'b' holds objects of 'Task', and '\\Space.Comment.author' is a property of 'Comment': name a property of 'Task', or declare 'b' with 'Comment'",
            ]
        )
    }

    @Test func `rules are written out`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(deleteRule: ▸rule) var a: Person?
                    @Relation(deleteRule: ▸Rules.cascade) var b: Person?
                    @Relation(deleteRule: ▸.delete, loading: ▸.lazy) var c: Person?
                    @Relation(loading: ▸load()) var d: Person?
                }
                """,
            [
                "the macro must see the rule: write '.nullify', '.cascade' or '.deny' here",
                "the macro must see the rule: write '.nullify', '.cascade' or '.deny' here",
                "the macro must see the rule: write '.nullify', '.cascade' or '.deny' here",
                "the macro must see when to load: write '.eager' or '.onDemand' here",
                "the macro must see when to load: write '.eager' or '.onDemand' here",
            ]
        )
    }

    @Test func `what is loaded on demand is in a class`() {
        expectErrors(
            in: """
                @Table struct A {
                    var id: Int64?
                    @Relation(loading: ▸.onDemand) var a: Person?
                    @Relation(loading: .eager) var b: Person?
                }
                """,
            ["a struct can't remember what was not loaded: make 'A' a class, or write '.eager'"],
            fixed: """
                @Table struct A {
                    var id: Int64?
                    @Relation(loading: .eager) var a: Person?
                    @Relation(loading: .eager) var b: Person?
                }
                """
        )
    }

    @Test func `what is loaded on demand has a value before it is`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(loading: .onDemand) var a: ▸Person
                    @Relation(loading: .onDemand) var b: Array<Person> = []
                    init(a: Person) { self.a = a }
                }
                """,
            ["'a' has no value while its object is not loaded: declare it as 'Person?'"],
            fixed: """
                @Table final class A {
                    var id: Int64?
                    @Relation(loading: .onDemand) var a: Person?
                    @Relation(loading: .onDemand) var b: Array<Person> = []
                    init(a: Person) { self.a = a }
                }
                """
        )
    }

    @Test func `the other side of a relation has no column`() {
        expectErrors(
            in: """
                @Table(indexes: [.index(▸"one")]) final class A {
                    var id: Int64?
                    @Relation(inverse: \\Task.project) ▸@Unique ▸@Indexed var tasks: [Task] = []
                    ▸@Required ▸@Column("x") @Relation(inverse: \\Task.second) var one: Task?
                    @Column("one") var name = ""
                }
                """,
            [
                "'one' has no column, since the objects at its other side hold the key, so it can't be indexed: remove it from the index",
                "'tasks' has no column, since the objects at its other side hold the key: remove '@Unique'",
                "'tasks' has no column, since the objects at its other side hold the key: remove '@Indexed'",
                "'one' has no column, since the objects at its other side hold the key: remove '@Required'",
                "'one' has no column, since the objects at its other side hold the key: remove '@Column'",
            ],
            fixed: """
                @Table(indexes: [.index("one")]) final class A {
                    var id: Int64?
                    @Relation(inverse: \\Task.project) var tasks: [Task] = []
                    @Relation(inverse: \\Task.second) var one: Task?
                    @Column("one") var name = ""
                }
                """
        )
    }

    @Test func `two properties are not the other side of one`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Relation(inverse: \\Task.project) var a: [Task] = []
                    @Relation(inverse: \\Task.second) var b: [Task] = []
                    @Relation(inverse: ▸\\Task.project) var c: [Task] = []
                }
                """,
            ["'a' is the other side of '\\Task.project' already: remove 'c', or name another property"]
        )
    }

    @Test func `a relation is neither key nor time, and is kept`() {
        expectErrors(
            in: """
                @Table final class A {
                    @PrimaryKey ▸@Relation(deleteRule: .deny) var a: Person
                    @Relation(deleteRule: .deny) ▸@Timestamp(.created) var b: Date?
                    @Transient ▸@Relation(deleteRule: .deny) var c: Person?
                    @Relation(deleteRule: .deny) ▸@Relation(loading: .eager) var d: Person?
                    init(a: Person) { self.a = a }
                }
                @Table struct B {
                    ▸@Relation(deleteRule: .deny) var id: Int64?
                }
                """,
            [
                "a primary key is made of values, not of objects: remove '@Relation'",
                "a timestamp is a date, not an object: remove '@Timestamp'",
                "a '@Transient' property has no column: remove '@Relation'",
                "'@Relation' is there already: remove '@Relation'",
                "'id' is the primary key, and a primary key is made of values, not of objects: remove '@Relation'",
            ],
            fixed: """
                @Table final class A {
                    @PrimaryKey var a: Person
                    @Relation(deleteRule: .deny) var b: Date?
                    @Transient var c: Person?
                    @Relation(deleteRule: .deny) var d: Person?
                    init(a: Person) { self.a = a }
                }
                @Table struct B {
                    var id: Int64?
                }
                """
        )
    }

    @Test func `a foreign key is laid out as the key it refers to`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    @Column("lead", storage: ▸.iso8601) @Relation(deleteRule: .deny) var lead: Person?
                }
                """,
            ["'lead' holds the key of its object as that object's table does: remove 'storage:'"]
        )
    }

    @Test func `a relation is stored, and in a model`() {
        expectErrors(
            in: """
                @Table final class A {
                    var id: Int64?
                    ▸@Relation(deleteRule: .deny) var a: Person? { nil }
                    ▸@Relation(deleteRule: .deny) static let b: Person? = nil
                }
                struct B {
                    ▸@Relation(deleteRule: .deny) var a: Person?
                }
                """,
            [
                "'a' is computed, so it has no column: remove '@Relation'",
                "'b' is static, so it has no column: remove '@Relation'",
                "'@Relation' does nothing outside a model: mark the type with '@Table', or remove '@Relation'",
            ],
            fixed: """
                @Table final class A {
                    var id: Int64?
                    var a: Person? { nil }
                    static let b: Person? = nil
                }
                struct B {
                    var a: Person?
                }
                """
        )
    }
}
