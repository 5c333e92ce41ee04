import Testing

@testable import HoldfastMacros

/// What the macro writes, as text.
@Suite struct ExpansionTests {
    @Test func `a class gets marks, a tracker, an initializer and a mapping`() {
        let code = expanded(
            """
            @Table("projects", naming: .snakeCase, indexes: [.index("name", "at")])
            final class Project {
                var id: Int64?
                var name: String
                @Unique @Required var code: String?
                @Column("legacy_at", storage: .iso8601) var at: Date?
                @Indexed var budget: Decimal = 0 { didSet { print(oldValue) } }
                @Timestamp(.created) var createdAt: Date?
                @Transient var draft = ""
                let kind: Int
                var isNew: Bool { id == nil }
                init(name: String) { self.name = name }
            }
            """
        )
        #expect(
            code == #"""

                final class Project {
                    @Holdfast._Tracked(0)
                    var id: Int64?
                    @Holdfast._Tracked(1)
                    var name: String
                    
                    @Holdfast._Tracked(2) var code: String?
                    @Holdfast._Tracked(3) var at: Date?
                    @Holdfast._Tracked(4) var budget: Decimal = 0 { didSet { print(oldValue) } }
                    @Holdfast._Tracked(5) var createdAt: Date?
                    var draft = ""
                    let kind: Int
                    var isNew: Bool { id == nil }
                    init(name: String) { self.name = name }

                    var _$changes: Holdfast.ChangeTracker = .init()

                    init(_$row row: borrowing Holdfast.Row) throws {
                        if row.contains(0) { self.id = try row.decode(at: 0) }
                        self.name = try row.decode(at: 1)
                        if row.contains(2) { self.code = try row.decode(at: 2) }
                        if row.contains(3) { self.at = try row.decode(at: 3, storage: .iso8601) }
                        if row.contains(4) { self.budget = try row.decode(at: 4) }
                        if row.contains(5) { self.createdAt = try row.decode(at: 5) }
                        self.kind = try row.decode(at: 6)
                    }

                    static let tableMapping: Holdfast.TableMapping<Project> = .init(
                        type: "Project",
                        table: "projects",
                        naming: .snakeCase,
                        indexes: [.index("name", "at")],
                        describe: { table in
                            table.key("id", \.id)
                            table.property("name", \.name)
                            table.property("code", \.code, .unique, .required)
                            table.property("at", \.at, .column("legacy_at"), .storage(.iso8601))
                            table.property("budget", \.budget, .indexed, default: 0)
                            table.property("createdAt", \.createdAt, .timestamp(.created))
                            table.property("kind", \.kind)
                        },
                        decode: { row in try Project(_$row: row) },
                        encode: { object, encoder in
                            try encoder.encode(object.id, at: 0)
                            try encoder.encode(object.name, at: 1)
                            try encoder.encode(object.code, at: 2)
                            try encoder.encode(object.at, at: 3, storage: .iso8601)
                            try encoder.encode(object.budget, at: 4)
                            try encoder.encode(object.createdAt, at: 5)
                            try encoder.encode(object.kind, at: 6)
                        },
                        assign: { object, row in
                            if row.contains(0) { object.id = try row.decode(at: 0) }
                            if row.contains(1) { object.name = try row.decode(at: 1) }
                            if row.contains(2) { object.code = try row.decode(at: 2) }
                            if row.contains(3) { object.at = try row.decode(at: 3, storage: .iso8601) }
                            if row.contains(4) { object.budget = try row.decode(at: 4) }
                            if row.contains(5) { object.createdAt = try row.decode(at: 5) }
                        },
                        changes: { object, body in body(&object._$changes) }
                    )
                }

                extension Project: Holdfast.TableObject {}
                """#
        )
    }

    @Test func `a key that the database makes is described as such`() {
        let code = expanded(
            "@Table struct Item { @PrimaryKey(.database) @Column(\"ItemId\") var id: UUID? }")
        #expect(code.contains("table.key(\"id\", \\.id, madeBy: .database, .column(\"ItemId\"))"), "\(code)")
    }

    @Test func `a type that is only read says so in its mapping`() {
        let code = expanded("@Table(\"titles\", readOnly: true, indexes: []) struct Title { var id: Int64 }")
        #expect(code.contains("table: \"titles\",\n        readOnly: true,\n        indexes: [],\n"), "\(code)")
    }

    @Test func `checks are those of the mapping`() {
        let code = expanded(
            "@Table(indexes: [], checks: [.check(\"a\", \"b > 0\")]) struct A { var id: Int64; var b = 1 }")
        #expect(code.contains("indexes: [],\n        checks: [.check(\"a\", \"b > 0\")],\n"), "\(code)")
        let relation = expanded(
            "@Table final class A { var id: Int64?; @Relation(inverse: \\B.a, orphans: .delete) var b: [B] = [] }")
        #expect(relation.contains(".inverse(\\B.a), .orphans(.delete), default: []"), "\(relation)")
    }

    @Test func `scopes are those of the mapping`() {
        let code = expanded(
            "@Table(checks: [], scopes: [.scope(\"a\", by: \"b\")]) struct A { var id: Int64; var b = 1 }")
        #expect(code.contains("checks: [],\n        scopes: [.scope(\"a\", by: \"b\")],\n"), "\(code)")
    }

    @Test func `a table of another schema says so in its mapping`() {
        let code = expanded("@Table(schema: \"sales\", \"orders\") struct Order { var id: Int64 }")
        #expect(code.contains("schema: \"sales\",\n        table: \"orders\",\n"), "\(code)")
    }

    @Test func `a struct gets a mapping, and its initializer in an extension`() {
        let code = expanded(
            """
            @Table
            public struct Point {
                public let id: UUID
                var x = 0.0
            }
            """
        )
        #expect(
            code == #"""

                public struct Point {
                    public let id: UUID
                    var x = 0.0

                    public static let tableMapping: Holdfast.TableMapping<Point> = .init(
                        type: "Point",
                        describe: { table in
                            table.key("id", \.id)
                            table.property("x", \.x, default: 0.0)
                        },
                        decode: { row in try Point(_$row: row) },
                        encode: { object, encoder in
                            try encoder.encode(object.id, at: 0)
                            try encoder.encode(object.x, at: 1)
                        },
                        assign: { object, row in
                            if row.contains(1) { object.x = try row.decode(at: 1) }
                        }
                    )
                }

                extension Point: Holdfast.TableObject {
                    init(_$row row: borrowing Holdfast.Row) throws {
                        self.id = try row.decode(at: 0)
                        self.x = try row.decode(at: 1)
                    }
                }
                """#
        )
    }

    @Test func `a relation is described by what is written of it`() {
        let code = expanded(
            """
            @Table final class A {
                var id: Int64?
                var a: Person?
                @Relation(inverse: \\Task.project, deleteRule: .cascade, loading: .onDemand) var b: [Task] = []
                @Unique @Relation(deleteRule: DeleteRule.deny) var c: Person?
                weak var d: A?
                @Relation(inverse: \\Link.a, through: \\Link.b) var e: [B] = []
            }
            """
        )
        #expect(
            code.contains(#"table.property("e", \.e, .inverse(\Link.a), .through(\Link.b), default: [])"#))
        #expect(code.contains(#"table.property("a", \.a)"#))
        #expect(
            code.contains(
                #"table.property("b", \.b, .inverse(\Task.project), .deleteRule(.cascade), .loading(.onDemand), default: [])"#
            )
        )
        #expect(code.contains(#"table.property("c", \.c, .unique, .deleteRule(DeleteRule.deny))"#))
        let named = expanded(
            """
            @Table final class A {
                @PrimaryKey var tenant: Int64 = 0
                @PrimaryKey var id: Int64 = 0
                @Column(["tenant", "b_id"], renamedFrom: "old") var b: B?
                @Relation(joinTable: .named("x", owner: ["tenant", "a"], element: ["tenant", "b"], position: nil)) var c: [B] = []
                @Relation(joinTable: nil, foreignKey: false) var d: B?
                @Relation(inverse: \\B.a, order: [.descending(\\B.at)]) var e: [B] = []
            }
            """
        )
        #expect(named.contains(#"table.property("b", \.b, .columns(["tenant", "b_id"]), .renamedFrom("old"))"#))
        #expect(
            named.contains(
                #".joinTable(.named("x", owner: ["tenant", "a"], element: ["tenant", "b"], position: nil)), default: [])"#
            ))
        #expect(named.contains(#"table.property("d", \.d, .foreignKey(false))"#))
        #expect(
            named.contains(#"table.property("e", \.e, .inverse(\B.a), .order([.descending(\B.at)]), default: [])"#))
        #expect(code.contains("@Holdfast._Tracked(4)\n    weak var d: A?"))
        #expect(code.contains("self.d = try row.decode(at: 4)"))
    }

    @Test func `a class can be made without what is optional or has an initial value`() {
        let code = expanded(
            """
            @Table
            final class A {
                var id: Int64?
                var made = Date()
                var made2: Optional<Date>
                let made3: Date?
                var name: String
                init(name: String) { (self.name, made3) = (name, nil) }
            }
            """
        )
        #expect(code.contains("if row.contains(1) { self.made = try row.decode(at: 1) }"))
        #expect(code.contains("table.property(\"made\", \\.made, .initialized)"))
        #expect(code.contains("self.made2 = try row.contains(2) ? row.decode(at: 2) : nil"))
        #expect(code.contains("        self.made3 = try row.decode(at: 3)\n"))
        #expect(code.contains("        self.name = try row.decode(at: 4)"))
    }

    @Test func `a class without an initializer gets the one that it would lose`() {
        #expect(expanded("@Table final class A { var id: Int64? }").contains("\n    init() {}\n"))
        #expect(!expanded("@Table final class A { var id: Int64?; init() {} }").contains("\n    init() {}\n"))
        #expect(!expanded("@Table struct A { var id: Int64? }").contains("init() {}"))
    }

    @Test func `all properties may be constant`() {
        #expect(expanded("@Table struct A { let id: Int64 }").contains("assign: { _, _ in }"))
    }

    @Test func `a hook in the body adds a conformance`() {
        let hooked = expanded("@Table struct A { var id: Int64?; func afterCommit() {} }")
        #expect(hooked.contains("extension A: Holdfast.TableObject, Holdfast.TableHooks {"))
        let plain = expanded("@Table struct A { var id: Int64?; func commit() {} }")
        #expect(plain.contains("extension A: Holdfast.TableObject {"))
    }

    @Test func `a nested type is extended by its whole name`() {
        let code = expanded("enum Space { @Table final class A { var id: Int64? } }")
        #expect(code.contains("extension Space.A: Holdfast.TableObject {}"))
        #expect(code.contains("static let tableMapping: Holdfast.TableMapping<A> = .init("))
    }

    @Test(arguments: [
        ("public", "public "), ("package", "package "), ("internal", ""), ("", ""), ("public final", "public "),
    ])
    func `members have the access of their type`(modifiers: String, expected: String) {
        let code = expanded("@Table \(modifiers) struct A { var id: Int64? }")
        #expect(code.contains("\n    \(expected)static let tableMapping"))
    }

    @Test func `members have the access that an extension gives to their type`() {
        let code = expanded("public extension Space { @Table struct A { var id: Int64? } }")
        #expect(code.contains("    public static let tableMapping"))
    }

    @Test(arguments: [
        ("x = 0", "didSet { _$changes.mark(7, from: oldValue, to: self.x) }"),
        ("x = 0 { willSet {} }", "didSet { _$changes.mark(7, from: oldValue, to: self.x) }"),
        ("x = 0 { didSet {} }", "willSet { _$changes.mark(7, from: self.x, to: newValue) }"),
        ("x: Int { didSet(old) { print(old) } }", "willSet { _$changes.mark(7, from: self.x, to: newValue) }"),
        ("`in` = 0", "didSet { _$changes.mark(7, from: oldValue, to: self.`in`) }"),
        ("x: [Int] { didSet {} }", "willSet { _$changes.mark(7, from: self.x, to: newValue) }"),
    ])
    func `a mark is made by the observer that the user has not`(property: String, expected: String) {
        #expect(expanded("@_Tracked(7) var \(property)").contains(expected))
    }

    @Test(arguments: [
        "x: [Int] = []", "x: [Int]?", "x: Array<Int>", "x: Swift.Set<Int>?", "x: Optional<[String: Int]>",
        "x = [1, 2]", "x = [String]()", #"x = ["a": 1]"#, "x = Set<Int>()", "x = [String: Int]()",
    ])
    func `a change in place of a collection asks for no old value`(property: String) {
        #expect(expanded("@_Tracked(7) var \(property)").contains("didSet { _$changes.mark(7) }"), "\(property)")
    }

    @Test(arguments: ["x: Tags = []", "x: Data", "x = make()", "x: Reference<[Int]>"])
    func `what may be no collection asks for the old value`(property: String) {
        #expect(expanded("@_Tracked(7) var \(property)").contains("mark(7, from: oldValue, to: self.x)"))
    }

    @Test func `of what a weak property held, nothing is kept`() {
        let mark = "didSet { _$changes.mark(7, fromWeak: oldValue, to: self.x) }"
        #expect(expanded("@_Tracked(7) weak var x: Person?").contains(mark))
    }

    @Test(arguments: [
        ("0", "0"), ("-1", "-1"), ("+1.5e3", "+1.5e3"), ("0xFF", "0xFF"), ("1_000", "1_000"), ("true", "true"),
        ("nil", "nil"), (#""a\n\"b\"""#, #""a\n\"b\"""#), (##"#"raw \n"#"##, #""raw \\n""#),
        ("\"\"\"\n    one\n      two\n    \"\"\"", #""one\n  two""#), ("[]", "[]"), ("[:]", "[:]"),
        ("[1, /* two */ 2,\n 3]", "[1, 2, 3]"), (".planned", ".planned"), ("Status.planned", "Status.planned"),
        ("Space.Status.planned", "Space.Status.planned"), (".`default`", ".`default`"),
    ])
    func `a constant value is the default of its column`(value: String, expected: String) {
        let code = expanded("@Table struct A { let id: Int64; var x = \(value) }")
        #expect(code.contains("table.property(\"x\", \\.x, default: \(expected))"), "\(code)")
    }

    @Test(arguments: [
        "make()", "Date()", ".now", "Date.now", "UUID()", ".init(1)", "1 + 2", "\"a\\(b)\"", "[make()]", "[1: 2]",
        "Self.start", "settings.limit", "{ 1 }()", "#line", "shared", "-shared", "Date.distantPast", "!true",
        "Foundation.Date.distantPast", "TimeZone.current", "try! load()", "(1, 2)", "x ? 1 : 2", "\\.path",
    ])
    func `what is computed is no default`(value: String) {
        let code = expanded("@Table struct A { let id: Int64; var x = \(value) }")
        #expect(code.contains("table.property(\"x\", \\.x)"), "\(code)")
    }

    @Test(arguments: ["Date", "Date?", "Foundation.Date", "UUID", "Optional<Date>", "TimeZone"])
    func `members of types that change are no defaults`(type: String) {
        let code = expanded("@Table struct A { let id: Int64; var x: \(type) = .distantPast }")
        #expect(code.contains("table.property(\"x\", \\.x)"), "\(code)")
    }

    @Test func `a type with errors is still a table object, so that its uses are no errors`() {
        let code = expanded(
            """
            @Table
            final class A {
                var name = 1
            }
            """
        )
        #expect(
            code == """

                final class A {
                    @Holdfast._Tracked(0)
                    var name = 1

                    var _$changes: Holdfast.ChangeTracker { get { fatalError() } set {} }

                    init(_$row row: borrowing Holdfast.Row) throws { fatalError() }

                    init() {}

                    static var tableMapping: Holdfast.TableMapping<A> { fatalError() }
                }

                extension A: Holdfast.TableObject {}
                """
        )
        #expect(!expanded("@Table struct A<T> { var id: Int64? }").contains("extension"))
    }
}
