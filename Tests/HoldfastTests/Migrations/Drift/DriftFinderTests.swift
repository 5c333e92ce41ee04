import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct DriftFinderTests {
    private static let definitions = Sample.tableMapping.description.definitions

    /// A database in which everything is as it should be.
    private static var schema: DatabaseSchema {
        let dialect = TestDialect()
        var schema = DatabaseSchema(name: "main")
        schema.tables = definitions.map { definition in
            var table = DatabaseSchema.Table(name: definition.name)
            table.columns = definition.columns.map { column in
                var described = DatabaseSchema.Column(
                    name: column.name, typeName: dialect.storedTypeName(column.type).lowercased())
                described.isNullable = column.isNullable
                described.defaultExpression = column.defaultValue?.literal(dialect, column.type)
                if definition.hasGeneratedKey, definition.primaryKey == [column.name] {
                    described.identity = .byDefault
                }
                return described
            }
            table.primaryKey = .init(columns: definition.primaryKey)
            table.indexes = definition.indexes.map { index in
                var described = DatabaseSchema.Index(name: index.name)
                described.terms = index.columns.map { .init(column: $0) }
                described.isUnique = index.isUnique
                return described
            }
            table.foreignKeys = definition.foreignKeys.map { key in
                var described = DatabaseSchema.ForeignKey(table: key.table)
                (described.columns, described.targetColumns) = (key.columns, key.targetColumns)
                described.onDelete = key.onDelete
                return described
            }
            table.checks = definition.columns.compactMap { column in
                dialect.check(column.type, column: column.name).map { .init(expression: $0) }
            }
            return table
        }
        return schema
    }

    /// What is found once `change` was made by hand.
    private func drift(_ change: (inout DatabaseSchema.Table) -> Void) -> [String] {
        var schema = Self.schema
        change(&schema.tables[0])
        return DriftFinder(schema: schema, dialect: TestDialect()).drift(from: Self.definitions).map(\.description)
    }

    @Test func `tables that are as they should be do not differ`() {
        #expect(drift { _ in } == [])
    }

    @Test func `a missing table is one difference`() {
        var schema = Self.schema
        schema.tables.removeFirst()
        let drift = DriftFinder(schema: schema, dialect: TestDialect()).drift(from: Self.definitions)
        #expect(drift == [SchemaDrift(table: "sample", element: .table, difference: .missing(""))])
        #expect(drift.first?.description == "The table \"sample\" is missing.")
    }

    @Test func `columns are compared by type, NULL, default, collation and origin`() {
        func column(_ change: (inout DatabaseSchema.Column) -> Void) -> [String] {
            drift { table in
                for index in table.columns.indices where table.columns[index].name == "name" {
                    change(&table.columns[index])
                }
            }
        }
        let subject = "The column \"name\" of \"sample\" is"
        #expect(
            column { $0.typeName = "varchar(20)" } == ["\(subject) varchar(20) NOT NULL; it should be TEXT NOT NULL."])
        #expect(column { $0.isNullable = true } == ["\(subject) text; it should be text NOT NULL."])
        #expect(
            column { $0.defaultExpression = "'x'" } == [
                "\(subject) text NOT NULL DEFAULT 'x'; it should be text NOT NULL."
            ])
        #expect(
            column { $0.collation = "nocase" } == [
                "\(subject) text COLLATE nocase NOT NULL; it should be text NOT NULL."
            ])
        #expect(
            column { $0.generated = .init(expression: "1", isStored: true) } == [
                "\(subject) text NOT NULL GENERATED ALWAYS AS (1); it should be text NOT NULL."
            ])
        // Columns that are added to an empty table have the default of their type.
        #expect(column { $0.defaultExpression = "''" } == [])
        #expect(
            drift { $0.columns[0].identity = nil } == [
                "The column \"id\" of \"sample\" is int64 NOT NULL; it should be int64 NOT NULL, made by the database."
            ])
    }

    @Test func `defaults are compared by their meaning`() {
        func isSame(_ left: String, _ right: String, _ type: ColumnType) -> Bool {
            DefaultExpression(left, type: type).isSame(as: right)
        }
        #expect(isSame("-1", "'-1'::integer", .int32) && isSame("-1", "(-1)", .int64))
        #expect(!isSame("1", "2", .int16) && !isSame("TRUE", "false", .boolean) && isSame("TRUE", "true", .boolean))
        #expect(isSame("'it''s: x'", "'it''s: x'::text", .text) && !isSame("'a'", "'b'::text", .text))
        #expect(isSame("1.50", "'1.5'::numeric", .decimal) && isSame("1.0", "'1'::double precision", .double))
        #expect(!isSame("1.0", "2", .double))
    }

    @Test func `keys, indexes and foreign keys are compared`() {
        #expect(drift { $0.primaryKey = nil } == ["The primary key of \"sample\" is missing: (id)."])
        #expect(
            drift { $0.primaryKey?.columns = ["name"] } == [
                "The primary key of \"sample\" is (name); it should be (id)."
            ])
        #expect(
            drift { $0.indexes.removeFirst() } == [
                "The index \"sample_code_key\" of \"sample\" is missing: UNIQUE (code)."
            ])
        #expect(
            drift { $0.indexes[0].isValid = false } == [
                "The index \"sample_code_key\" of \"sample\" is invalid UNIQUE (code); it should be UNIQUE (code)."
            ])
        #expect(drift { $0.indexes[0].name = "other" } == [], "An index that does the same has another name.")
        #expect(
            drift { $0.indexes[1].condition = "start > 1" } == [
                "The index \"sample_start_idx\" of \"sample\" is (start) WHERE start > 1; it should be (start)."
            ])
        #expect(
            drift { $0.foreignKeys.append(.init(table: "other")) } == [
                "The foreign key () of \"sample\" is in no model: REFERENCES other () ON DELETE NO ACTION."
            ])

        var schema = Self.schema
        schema.tables[1].foreignKeys[0].onDelete = .restrict
        schema.tables[2].foreignKeys.removeAll()
        let drift = DriftFinder(schema: schema, dialect: TestDialect()).drift(from: Self.definitions)
        #expect(
            drift.map(\.description) == [
                "The foreign key (sample_id) of \"sample_tags\" is REFERENCES sample (id) ON DELETE RESTRICT; "
                    + "it should be REFERENCES sample (id) ON DELETE CASCADE.",
                "The foreign key (sample_id) of \"sample_aliases\" is missing: REFERENCES sample (id) ON DELETE CASCADE.",
            ])
    }

    @Test func `constraints and triggers are compared`() {
        #expect(
            drift { $0.uniqueConstraints = [.init(columns: ["name"])] } == [
                "The UNIQUE constraint (name) of \"sample\" is in no model."
            ])
        #expect(
            drift {
                $0.indexes.removeFirst()
                $0.uniqueConstraints = [.init(columns: ["code"])]
            } == [], "A constraint does what the index would.")
        #expect(
            drift { $0.checks.append(.init(expression: "id > 0")) } == [
                "The CHECK constraint (id > 0) of \"sample\" is in no model."
            ])
        #expect(drift { $0.triggers = ["audit"] } == ["The trigger \"audit\" of \"sample\" is in no model."])
    }
}
