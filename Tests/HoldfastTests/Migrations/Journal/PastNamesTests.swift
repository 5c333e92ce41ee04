import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct PastNamesTests {
    private func names(_ changes: SchemaChange...) -> PastNames {
        var names = PastNames()
        changes.forEach { names.follow($0) }
        return names
    }

    @Test func `a name leads to what the table is called at last`() {
        let names = names(.renameTable("a", to: "b"), .renameTable("b", to: "c"))
        #expect(names.name(of: "a") == "c")
        #expect(names.name(of: "b") == "c")
        #expect(names.name(of: "c") == nil)
    }

    @Test func `a table that gets its first name again has not lost it`() {
        let names = names(.renameTable("a", to: "b"), .renameTable("b", to: "a"))
        #expect(names.name(of: "a") == nil)
        #expect(names.name(of: "b") == "a")
    }

    @Test func `columns are known under the table's present name`() {
        let names = names(
            .renameColumn("x", table: "a", to: "y"), .renameTable("a", to: "b"), .renameColumn("y", table: "b", to: "z")
        )
        #expect(names.name(of: "b", "x") == "z")
        #expect(names.name(of: "b", "y") == "z")
        #expect(!names.contains("a", "x"))
    }

    @Test func `what was renamed and then dropped leads nowhere, and was there`() {
        let names = names(
            .renameTable("a", to: "b"), .dropTable("b"), .renameColumn("x", table: "c", to: "y"),
            .dropColumn("y", table: "c"))
        #expect(names.name(of: "a") == nil)
        #expect(names.name(of: "c", "x") == nil)
        for table in ["a", "b"] { #expect(names.contains(table)) }
        for column in ["x", "y"] { #expect(names.contains("c", column)) }
    }

    @Test func `a table that takes the name of one that is gone has none of its past`() {
        let names = names(
            .renameColumn("x", table: "b", to: "y"), .dropTable("b"), .renameTable("a", to: "b"))
        #expect(!names.contains("b"))
        #expect(!names.contains("b", "x"))
        #expect(names.name(of: "a") == "b")
    }

    @Test func `records make the same names`() {
        let names = names(
            .renameTable("a", to: "b"), .renameColumn("x", table: "b", to: "y"), .dropTable("c"))
        #expect(PastNames(names.records) == names)
        #expect(names.records.count == 3)
    }
}
