import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct ColumnComparisonTests {
    @Test(arguments: [
        (#""a" IN ('x', 'it''s', 'b\c')"#, ["x", "it's", #"b\c"#]),
        (#"(a1 = ANY (ARRAY['x'::text, E'b\\c''d'::text, '(1)'::text]))"#, ["x", #"b\c'd"#, "(1)"]),
        (#"(a = 'x'::text)"#, ["x"]), (#"("E'x'" = ''::text)"#, [""]),
    ])
    func `the texts of an expression are found`(expression: String, texts: [String]) {
        #expect(SQLConstants(expression).texts == texts)
    }

    @Test(arguments: [
        (#""a9" IN (-1, 0, 20)"#, [-1, 0, 20]), ("(a9 = ANY (ARRAY['-1'::integer, 0, 20]))", [-1, 0, 20]),
        ("(a = (- 7))", [-7]), ("(a = '9223372036854775807'::bigint)", [Int64.max]),
    ])
    func `the integers of an expression are found`(expression: String, integers: [Int64]) {
        #expect(SQLConstants(expression).integers == integers)
    }

    @Test func `constants are told from what is computed`() {
        for text in [
            "1", "-1", "1.5e-7", "'x'", "'it''s ::'::text", "E'a\\\\b'::text", "TRUE", "false", "X'00ff'", "(1)",
        ] {
            #expect(DefaultExpression.isConstant(text), "\(text)")
        }
        for text in ["now()", "('x'::text || 'y'::text)", "nextval('s'::regclass)", "CURRENT_TIMESTAMP", "1 + 1"] {
            #expect(!DefaultExpression.isConstant(text), "\(text)")
        }
        #expect(DefaultExpression(#"'a\b'"#, type: .text).isSame(as: #"E'a\\b'::text"#))
    }

    @Test func `only columns that migrations have made are compared`() throws {
        let definitions = Counted.tableMapping.description.definitions
        func plan(_ storage: Int) throws -> [String] {
            let names = definitions[0].columns.map(\.name)
            var table = DatabaseSchema.Table(name: "counted", primaryKey: ["id"])
            table.hasRows = true
            table.columns = definitions[0].columns.map { column in
                var known = DatabaseSchema.Column(
                    name: column.name, typeName: column.type.rawValue.uppercased(), defaultExpression: "7")
                if column.name == "text" { known.collation = "other" }
                return known
            }
            let journal = SchemaJournal(
                zip(names, definitions[0].columns).map { name, column in
                    JournalEntry(
                        table: "counted", column: name, contents: .init(type: column.type.rawValue, storage: storage))
                })
            return try SchemaDiff(
                snapshot: SchemaTables([table]), journal: journal, dialect: TestDialect()
            ).plan(for: definitions).steps.map(\.sql)
        }
        #expect(
            try plan(0) == [
                #"ALTER TABLE "counted" ALTER COLUMN "text" TYPE TEXT"#,
                #"ALTER TABLE "counted" ALTER COLUMN "text" DROP DEFAULT"#,
                #"ALTER TABLE "counted" ALTER COLUMN "version" SET DEFAULT 0"#,
            ])
        #expect(try plan(JournalEntry.foundMark).isEmpty)
    }
}
