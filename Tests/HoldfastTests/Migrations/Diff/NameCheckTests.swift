import Testing

@testable import Holdfast

@Suite struct NameCheckTests {
    private func table(_ name: String, columns: [String] = ["id"]) -> TableDefinition {
        TableDefinition(
            name: name,
            columns: columns.map {
                ColumnDefinition(name: $0, type: .int64, isNullable: false, storage: .native, property: $0)
            },
            primaryKey: ["id"], hasGeneratedKey: false, indexes: [], foreignKeys: [])
    }

    private func check(_ definitions: [TableDefinition]) throws {
        var problems = SchemaProblems()
        NameCheck.check(definitions, nil, &problems)
        try problems.check()
    }

    @Test(arguments: ["sqlite_x", "pg_class", "holdfast_y", "SQLITE_Z", ""])
    func `names that an engine or this library keeps are refused`(name: String) {
        let error = #expect(throws: DatabaseError.self) { try check([table(name)]) }
        #expect(error?.code == .conflict)
    }

    @Test(arguments: ["rowid", "ctid", "XMIN"])
    func `columns that every table has are refused`(name: String) {
        #expect(throws: DatabaseError.self) { try check([table("a", columns: ["id", name])]) }
    }

    @Test func `tables and columns that differ only in case are refused`() throws {
        #expect(throws: DatabaseError.self) { try check([table("a"), table("A")]) }
        #expect(throws: DatabaseError.self) { try check([table("a", columns: ["id", "x", "X"])]) }
        try check([table("a"), table("b", columns: ["id", "order", "select"])])
    }
}
