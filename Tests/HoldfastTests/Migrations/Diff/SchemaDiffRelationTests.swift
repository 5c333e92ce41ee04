import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct SchemaDiffRelationTests {
    private func table(
        _ name: String, _ references: [(column: String, table: String)] = [], rules: [DeleteRuleDefinition] = []
    ) -> TableDefinition {
        TableDefinition(
            name: name,
            columns: (["id"] + references.map(\.column)).map {
                ColumnDefinition(name: $0, type: .int64, isNullable: $0 != "id", storage: .native, property: $0)
            },
            primaryKey: ["id"], hasGeneratedKey: false, indexes: [],
            foreignKeys: references.map {
                ForeignKeyDefinition(columns: [$0.column], table: $0.table, targetColumns: ["id"], onDelete: .setNull)
            }, deleteRules: rules)
    }

    private func snapshot(_ definitions: [TableDefinition], rules: [String] = []) -> SchemaTables {
        let tables = definitions.map { definition in
            var table = DatabaseSchema.Table(
                name: definition.name,
                columns: definition.columns.map {
                    .init(name: $0.name, typeName: "INT64", isNullable: $0.isNullable)
                },
                primaryKey: definition.primaryKey)
            table.foreignKeys = definition.foreignKeys.map {
                .init(
                    name: "old", columns: $0.columns, table: $0.table, targetColumns: $0.targetColumns,
                    onDelete: $0.onDelete)
            }
            (table.hasRows, table.triggers) = (true, rules)
            return table
        }
        return SchemaTables(tables)
    }

    private func plan(
        _ definitions: [TableDefinition], from snapshot: SchemaTables = SchemaTables(), canAlter: Bool = true
    ) throws -> [String] {
        var dialect = TestDialect()
        dialect.canAlterForeignKeys = canAlter
        return try SchemaDiff(snapshot: snapshot, journal: SchemaJournal(), dialect: dialect).plan(for: definitions)
            .steps.map(\.sql)
    }

    private func rule(_ rule: DeleteRule, _ property: String = "b_id") -> DeleteRuleDefinition {
        DeleteRuleDefinition(
            owner: "a", property: property, rule: rule, target: "b", targetKey: ["id"], source: .columns(["b_id"]))
    }

    @Test func `a table comes after those it refers to`() throws {
        let definitions = [
            table("a", [("b_id", "b"), ("d_id", "d")]), table("b", [("c_id", "c")]), table("c"), table("d"), table("e"),
        ]
        #expect(
            try plan(definitions).map { $0.prefix(17) } == ["c", "b", "d", "a", "e"].map { "CREATE TABLE \"\($0)\" " })
    }

    @Test func `a key between new tables that refer to each other is added when both are there`() throws {
        let definitions = [
            table("a", [("a_id", "a"), ("b_id", "b"), ("x_id", "elsewhere")]), table("b", [("a_id", "a")]),
        ]
        let steps = try plan(definitions)
        #expect(steps.count == 3)
        #expect(steps[0].hasPrefix("CREATE TABLE \"b\"") && !steps[0].contains("FOREIGN KEY"))
        for target in ["a", "b", "elsewhere"] { #expect(steps[1].contains("REFERENCES \"\(target)\"")) }
        #expect(
            steps[2]
                == #"ALTER TABLE "b" ADD CONSTRAINT "b_a_id_fkey" FOREIGN KEY ("a_id") REFERENCES "a" ("id") ON DELETE SET NULL"#
        )
        let inline = try plan(definitions, canAlter: false)
        #expect(inline.count == 2)
        #expect(
            inline[0].contains(
                #"CONSTRAINT "b_a_id_fkey" FOREIGN KEY ("a_id") REFERENCES "a" ("id") ON DELETE SET NULL"#))
    }

    @Test func `a long chain of new tables is put in order`() throws {
        let definitions = (0..<300).map { number in
            table("t\(number)", number < 299 ? [("next_id", "t\(number + 1)")] : [])
        }
        let steps = try plan(definitions)
        #expect(steps.count == 300)
        #expect(steps.first?.hasPrefix("CREATE TABLE \"t299\"") == true)
    }

    @Test func `a new column of a table that exists brings its key, or is followed by it`() throws {
        let (old, new) = ([table("a"), table("b")], [table("a", [("b_id", "b")]), table("b")])
        #expect(
            try plan(new, from: snapshot(old))
                == [
                    #"ALTER TABLE "a" ADD COLUMN "b_id" INT64"#,
                    #"ALTER TABLE "a" ADD CONSTRAINT "a_b_id_fkey" FOREIGN KEY ("b_id") REFERENCES "b" ("id") ON DELETE SET NULL"#,
                ])
        #expect(
            try plan(new, from: snapshot(old), canAlter: false)
                == [
                    #"ALTER TABLE "a" ADD COLUMN "b_id" INT64 CONSTRAINT "a_b_id_fkey" REFERENCES "b" ("id") ON DELETE SET NULL"#
                ])
    }

    @Test func `a column that exists without its key is refused by its property`() throws {
        var snapshot = snapshot([table("a", [("b_id", "b")]), table("b")])
        snapshot.tables["a"]?.foreignKeys = []
        let error = #expect(throws: DatabaseError.self) {
            try plan([table("a", [("b_id", "b")]), table("b")], from: snapshot)
        }
        #expect(error?.code == .conflict)
        #expect(error?.properties == ["b_id"])
    }

    @Test func `a key with another ON DELETE is replaced, or refused`() throws {
        let definitions = [table("a", [("b_id", "b")]), table("b")]
        var snapshot = snapshot(definitions)
        snapshot.tables["a"]?.foreignKeys[0].onDelete = .noAction
        #expect(try plan(definitions, from: snapshot).first == #"ALTER TABLE "a" DROP CONSTRAINT "old""#)
        #expect(try plan(definitions, from: snapshot).count == 2)
        #expect(throws: DatabaseError.self) { try plan(definitions, from: snapshot, canAlter: false) }
        var restricting = definitions
        restricting[0].foreignKeys[0].onDelete = .restrict
        #expect(try plan(restricting, from: snapshot, canAlter: false).isEmpty)
    }

    @Test func `a rule is created after all tables, once`() throws {
        let definitions = [table("a", [("b_id", "b")], rules: [rule(.cascade)]), table("b")]
        #expect(try plan(definitions).last == "CREATE RULE holdfast_a_b_id_cascade OF a")
        #expect(try plan(definitions, from: snapshot(definitions, rules: ["holdfast_a_b_id_cascade"])).isEmpty)
    }

    @Test func `a rule in place of another one of its property comes after that is gone`() throws {
        let definitions = [table("a", [("b_id", "b")], rules: [rule(.deny)]), table("b")]
        #expect(
            try plan(definitions, from: snapshot(definitions, rules: ["holdfast_a_b_id_cascade"]))
                == ["DROP RULE holdfast_a_b_id_cascade ON a", "CREATE RULE holdfast_a_b_id_deny OF a"])
    }

    @Test func `a rule of a property that the mapping does not have stays`() throws {
        let definitions = [table("a", [("b_id", "b")]), table("b")]
        let snapshot = snapshot(definitions, rules: ["holdfast_a_other_cascade", "holdfast_unknown"])
        #expect(try plan(definitions, from: snapshot).isEmpty)
    }

    @Test func `an array that denies needs no rule but its foreign key`() throws {
        let rule = DeleteRuleDefinition(
            owner: "a", property: "bs", rule: .deny, target: "b", targetKey: ["id"],
            source: .joinTable("a_bs", ownerColumns: ["a_id"], targetColumns: ["b_id"]))
        #expect(try plan([table("a", rules: [rule])]).count == 1)
    }

    @Test func `names over 63 bytes are shortened`() {
        let name = DeleteRuleDefinition.name(
            owner: String(repeating: "é", count: 40), property: "lead", rule: .cascade)
        #expect(name.utf8.count <= 63 && name.hasPrefix("holdfast_"))
        let key = ForeignKeyDefinition(
            columns: [String(repeating: "x", count: 60)], table: "t", targetColumns: ["id"], onDelete: .cascade)
        #expect(key.name(on: "t").utf8.count <= 63)
    }
}
