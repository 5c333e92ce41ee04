import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct SchemaDiffTests {
    private let definitions = Sample.tableMapping.description.definitions

    private func plan(_ snapshot: SchemaTables, _ journal: SchemaJournal = SchemaJournal()) throws -> SchemaPlan {
        try SchemaDiff(snapshot: snapshot, journal: journal, dialect: TestDialect()).plan(for: definitions)
    }

    /// A database in which everything is as it should be.
    private func snapshot(hasRows: Bool = false) -> SchemaTables {
        let dialect = TestDialect()
        let tables = definitions.map { definition in
            var table = DatabaseSchema.Table(
                name: definition.name,
                columns: definition.columns.map {
                    .init(name: $0.name, typeName: dialect.storedTypeName($0.type), isNullable: $0.isNullable)
                },
                primaryKey: definition.primaryKey)
            table.indexes = definition.indexes.map { index in
                .init(name: index.name, terms: index.columns.map { .init(column: $0) }, isUnique: index.isUnique)
            }
            table.foreignKeys = definition.foreignKeys.map {
                .init(
                    name: "key", columns: $0.columns, table: $0.table, targetColumns: $0.targetColumns,
                    onDelete: $0.onDelete)
            }
            table.hasRows = hasRows
            return table
        }
        return SchemaTables(tables)
    }

    @Test func `an empty database gets every table, then its indexes`() throws {
        let plan = try plan(SchemaTables())
        #expect(
            plan.steps.map { $0.sql.prefix { $0 != "(" } }
                == [
                    #"CREATE TABLE "sample" "#, #"CREATE UNIQUE INDEX "sample_code_key" ON "sample" "#,
                    #"CREATE INDEX "sample_start_idx" ON "sample" "#,
                    #"CREATE INDEX "sample_name_start_idx" ON "sample" "#,
                    #"CREATE UNIQUE INDEX "sample_code_part_key" ON "sample" "#,
                    #"CREATE TABLE "sample_tags" "#, #"CREATE TABLE "sample_aliases" "#,
                ])
        #expect(plan.description.contains(#"("name", "start" NULLS FIRST)"#))
    }

    @Test func `a database that is as it should be gets nothing`() throws {
        #expect(try plan(snapshot()).isEmpty)
        #expect(try plan(snapshot(hasRows: true)).isEmpty)
    }

    @Test func `a missing column is added, with its default`() throws {
        var snapshot = snapshot(hasRows: true)
        snapshot.tables["sample"]?.columns.removeAll { $0.name == "part" || $0.name == "code" }
        #expect(
            try plan(snapshot).steps.map(\.sql) == [
                #"ALTER TABLE "sample" ADD COLUMN "code" TEXT"#,
                #"ALTER TABLE "sample" ADD COLUMN "part" INT64 NOT NULL DEFAULT 1"#,
            ])
    }

    @Test func `a column that rows would have no value for is refused by name`() throws {
        var snapshot = snapshot(hasRows: true)
        snapshot.tables["sample"]?.columns.removeAll { $0.name == "name" }
        let error = #expect(throws: DatabaseError.self) { try plan(snapshot) }
        #expect(error?.code == .conflict)
        #expect(error?.properties == ["name"])
    }

    @Test func `a column of another type is refused`() throws {
        var snapshot = snapshot()
        snapshot.tables["sample"]?.columns[1].typeName = "INT64"
        let error = #expect(throws: DatabaseError.self) { try plan(snapshot) }
        #expect(error?.code == .conflict)
        #expect(error?.properties == ["name"])
    }

    @Test func `a column that the journal knows for another type is refused`() throws {
        let entry = JournalEntry(table: "sample", column: "part", contents: .init(type: "timestamp", storage: 0))
        let error = #expect(throws: DatabaseError.self) { try plan(snapshot(), SchemaJournal([entry])) }
        #expect(error?.code == .conflict)
        #expect(error?.properties == ["part"])
    }

    @Test func `an index of the same columns under another name is enough`() throws {
        var snapshot = snapshot()
        let indexes = try #require(snapshot.tables["sample"]?.indexes)
        snapshot.tables["sample"]?.indexes = indexes.map {
            .init(name: "other_\($0.name)", terms: $0.terms, isUnique: $0.isUnique)
        }
        #expect(try plan(snapshot).isEmpty)
    }

    @Test func `indexes have terms in both directions, expressions and conditions`() {
        let sql = SchemaSQL(dialect: TestDialect())
        func text(_ index: IndexDefinition) -> String {
            sql.createIndex(index, on: "t", nullable: ["b"], isConcurrent: false)
        }
        let index = IndexDefinition(
            on: "t",
            [
                .init(text: "a"), .init(text: "b", isDescending: true), .init(text: "lower(c)", isExpression: true),
            ], isUnique: true, where: "d > 1")
        #expect(
            text(index)
                == #"CREATE UNIQUE INDEX "\#(index.name)" ON "t" ("a", "b" DESC NULLS LAST, (lower(c))) WHERE d > 1"#)
        #expect(index.name.hasPrefix("t_a_b_") && index.name.hasSuffix("_key") && index.name.count == 18)
        let other = IndexDefinition(on: "t", index.terms, isUnique: true, where: "d > 2")
        #expect(other.name != index.name)
        let renamed = Naming.rename(index: index.name, of: "t", ["a", "b"], to: "u", ["a", "x"], isUnique: true)
        #expect(renamed?.hasPrefix("u_a_x_") == true && renamed?.suffix(12) == index.name.suffix(12))
        #expect(Naming.rename(index: "by_hand", of: "t", ["a"], to: "u", ["a"], isUnique: false) == nil)
    }

    @Test func `a partial index is not enough`() throws {
        var snapshot = snapshot()
        snapshot.tables["sample"]?.indexes[0] = .init(
            name: "other", terms: [.init(column: "code")], isUnique: true, condition: "code > 'a'")
        #expect(try plan(snapshot).steps.count == 1)
    }

    @Test func `a UNIQUE constraint of the columns is enough for a unique index`() throws {
        var snapshot = snapshot()
        let indexes = try #require(snapshot.tables["sample"]?.indexes)
        snapshot.tables["sample"]?.indexes = indexes.filter { !$0.isUnique }
        snapshot.tables["sample"]?.uniqueConstraints = indexes.filter(\.isUnique).map {
            .init(columns: $0.columns ?? [])
        }
        #expect(try plan(snapshot).isEmpty)
    }
}
