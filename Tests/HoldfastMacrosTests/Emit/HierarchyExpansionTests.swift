import Testing

@testable import HoldfastMacros

/// What the macro writes for the classes of a hierarchy, as text.
@Suite struct HierarchyExpansionTests {
    @Test func `a class that isn't final gets hooks to override, and a namespace that its subclasses call`() {
        let code = expanded(
            """
            @Table("animals")
            open class Animal {
                public var id: Int64?
                public let kind: Int
                public init(kind: Int) { self.kind = kind }
                open func willSave() throws {}
            }
            """
        )
        #expect(
            code == #"""

                open class Animal {
                    @Holdfast._Tracked(0)
                    public var id: Int64?
                    public let kind: Int
                    public init(kind: Int) { self.kind = kind }
                    open func willSave() throws {}

                    public var _$changes: Holdfast.ChangeTracker = .init()

                    public init(_$row row: borrowing Holdfast.Row) throws {
                        if row.contains(0) { self.id = try row.decode(at: 0) }
                        self.kind = try row.decode(at: 1)
                    }

                    open func didSave(in transaction: Holdfast.Transaction) async throws {}

                    open func willDelete(in transaction: Holdfast.Transaction) async throws {}

                    open func didDelete(in transaction: Holdfast.Transaction) async throws {}

                    open func didFetch() throws {}

                    open func afterCommit() {}

                    open class var _hasHooks: Bool { true }

                    open class var defaultOrder: [Holdfast.Ordering] { [] }

                    open class var tableMapping: Holdfast.TableMapping<Animal> { _$Table.mapping }

                    public nonisolated enum _$Table {
                        static let mapping: Holdfast.TableMapping<Animal> = .init(
                            type: "Animal",
                            table: "animals",
                            describe: { table in describe(&table) },
                            decode: { row in try Animal(_$row: row) },
                            encode: { object, encoder in try encode(object, &encoder) },
                            assign: { object, row in try assign(object, row) },
                            changes: { object, body in body(&object._$changes) }
                        )
                        public static func describe<_$Model: Animal>(_ table: inout Holdfast.TableMappingBuilder<_$Model>) {
                            table.key("id", \.id)
                            table.property("kind", \.kind)
                        }
                        public static func encode(_ object: Animal, _ encoder: inout Holdfast.RowEncoder) throws {
                            try encoder.encode(object.id, at: 0)
                            try encoder.encode(object.kind, at: 1)
                        }
                        public static func assign(_ object: Animal, _ row: borrowing Holdfast.Row) throws {
                            if row.contains(0) { object.id = try row.decode(at: 0) }
                        }
                        public static func finish(_ object: Animal, _ row: borrowing Holdfast.Row) throws {}
                    }
                }

                extension Animal: Holdfast.TableObject, Holdfast.TableHooks {}
                """#
        )
    }

    @Test func `a subclass counts from where its superclass ends`() {
        let code = expanded(
            """
            @Table(inherits: Animal.self, indexes: [.index("name")])
            final class Whale: Animal {
                var depth: Int
                @Column("a") let area: Int
                init() {}
            }
            """
        )
        #expect(
            code == #"""

                final class Whale: Animal {
                    @Holdfast._Tracked(afterInherited: 0)
                    var depth: Int
                    let area: Int
                    init() {}

                    override init(_$row row: borrowing Holdfast.Row) throws {
                        self.depth = try row.decode(at: _$Table.offset + 0)
                        self.area = try row.decode(at: _$Table.offset + 1)
                        try super.init(_$row: row)
                    }

                    override class var tableMapping: Holdfast.TableMapping<Animal._HierarchyRoot> { _$Table.mapping }

                    nonisolated enum _$Table {
                        static let offset: Int = Animal.tableMapping.description.properties.count
                        static let mapping: Holdfast.TableMapping<Animal._HierarchyRoot> = .init(
                            of: Holdfast.TableMapping<Whale>(
                                type: "Whale",
                                indexes: [.index("name")],
                                inherits: Animal.self,
                                describe: { table in describe(&table) },
                                decode: { row in
                                    let object = try Whale(_$row: row)
                                    try finish(object, row)
                                    object._$changes = Holdfast.ChangeTracker()
                                    return object
                                },
                                encode: { object, encoder in try encode(object, &encoder) },
                                assign: { object, row in try assign(object, row) },
                                changes: { object, body in body(&object._$changes) }
                            )
                        )
                        static func describe<_$Model: Whale>(_ table: inout Holdfast.TableMappingBuilder<_$Model>) {
                            Animal._$Table.describe(&table)
                            table.property("depth", \.depth)
                            table.property("area", \.area, .column("a"))
                        }
                        static func encode(_ object: Whale, _ encoder: inout Holdfast.RowEncoder) throws {
                            try Animal._$Table.encode(object, &encoder)
                            try encoder.encode(object.depth, at: offset + 0)
                            try encoder.encode(object.area, at: offset + 1)
                        }
                        static func assign(_ object: Whale, _ row: borrowing Holdfast.Row) throws {
                            try Animal._$Table.assign(object, row)
                            if row.contains(offset + 0) { object.depth = try row.decode(at: offset + 0) }
                        }
                        static func finish(_ object: Whale, _ row: borrowing Holdfast.Row) throws {
                            try Animal._$Table.finish(object, row)
                        }
                    }
                }
                """#
        )
    }

    @Test func `a subclass without an initializer keeps those that it inherits, and is filled afterwards`() {
        let code = expanded(
            """
            @Table(inherits: Zoo.Animal.self)
            public class Whale: Zoo.Animal {
                var depth = 0
                convenience init(depth: Int) { self.init() }
                public override func didFetch() throws {}
            }
            """
        )
        #expect(!code.contains("init(_$row row"))
        #expect(!code.contains("init() {}"))
        #expect(code.contains("public override class var _hasHooks: Bool { true }"))
        #expect(
            code.contains("public override class var tableMapping: Holdfast.TableMapping<Zoo.Animal._HierarchyRoot>"))
        #expect(
            code.contains(
                """
                        public static func finish(_ object: Whale, _ row: borrowing Holdfast.Row) throws {
                            try Zoo.Animal._$Table.finish(object, row)
                            if row.contains(offset + 0) { object.depth = try row.decode(at: offset + 0) }
                        }
                """
            )
        )
        #expect(!code.contains("extension"))
    }

    @Test(arguments: [
        ("open", "open override class var"), ("public", "public override class var"),
        ("public final", "public override class var"), ("package", "package override class var"),
        ("final", "    override class var"), ("", "    override class var"),
    ])
    func `members have the access that subclasses need`(modifiers: String, expected: String) {
        let code = expanded("@Table(inherits: A.self) \(modifiers) class B: A {}")
        #expect(code.contains("\(expected) tableMapping"), "\(code)")
    }

    @Test func `a class at the top keeps its init, and has no hooks unless it declares one`() {
        let code = expanded("@Table class A { var id: Int64?; convenience init(id: Int64) { self.init() } }")
        #expect(code.contains("\n    init() {}\n"))
        #expect(code.contains("class var _hasHooks: Bool { false }"))
        #expect(code.contains("\n    func willSave() throws {}\n"))
        #expect(expanded("@Table class A: TableHooks { var id: Int64? }").contains("_hasHooks: Bool { true }"))
    }

    @Test func `an override is no property of its own`() {
        let code = expanded("@Table(inherits: A.self) class B: A { override var name: String { didSet {} } }")
        #expect(!code.contains("_Tracked"))
        #expect(!code.contains("\"name\""))
    }

    @Test func `a mark is made at the place among all properties`() {
        let code = expanded("@_Tracked(afterInherited: 7) var x = 0")
        #expect(code.contains("didSet { _$changes.mark(_$Table.offset + 7, from: oldValue, to: self.x) }"))
    }

    @Test func `a class with errors has what its subclasses need`() {
        let top = expanded("@Table class A { var name = 1 }")
        #expect(top.contains("class var tableMapping: Holdfast.TableMapping<A> { fatalError() }"))
        #expect(top.contains("static func finish(_ object: A, _ row: borrowing Holdfast.Row) throws {"))
        #expect(top.contains("extension A: Holdfast.TableObject, Holdfast.TableHooks {}"))
        let subclass = expanded("@Table(inherits: A.self) class B: A { @PrimaryKey var name = 1 }")
        #expect(subclass.contains("static var offset: Int { fatalError() }"))
        #expect(!subclass.contains("extension"))
        // It may inherit all of that.
        #expect(!expanded("@Table class B: A { var name = 1 }").contains("Holdfast.TableMapping"))
    }
}
