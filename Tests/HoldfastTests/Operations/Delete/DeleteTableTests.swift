import Testing

@_spi(Driver) @testable import Holdfast

/// Keys and versions of a table in a deletion, without objects and without a database.
@Suite struct DeleteTableTests {
    private let table = DeleteTable(
        TableStatements(Counted.tableMapping.description, dialect: TestDialect()))

    /// Adds keys with the versions that objects know, in the order of the objects.
    private func give(_ objects: [(key: Int64, version: Int64)]) throws {
        for (position, object) in objects.enumerated() {
            table.require(object.version, of: try table.add(Key(object.key)).index, position: position)
        }
    }

    @Test func `a key is added once`() throws {
        #expect(try table.add(Key(7)) == (0, true))
        #expect(try table.add(Key(8)) == (1, true))
        #expect(try table.add(Key(7)) == (0, false))
        table.add(StoredRows([[8], [9], [9]], width: 1))
        #expect(table.keyCount == 3 && table.keyRows.rowCount == 3)
    }

    @Test func `rows of the versions that objects know are not outdated, nor are rows that are gone`() throws {
        try give([(1, 4), (2, 5), (3, 6)])
        #expect(table.outdated(in: StoredRows([[2, nil, 5], [1, nil, 4]], width: 3)) == nil)
    }

    @Test func `the first object whose row has another version is named, whatever the order of rows`() throws {
        try give([(1, 4), (2, 5), (3, 6)])
        let found = try #require(table.outdated(in: StoredRows([[3, nil, 9], [2, nil, 9], [1, nil, 4]], width: 3)))
        #expect(found.position == 1 && found.error.code == .staleVersion)
    }

    @Test func `of two objects with one key, the one that knows another version is named`() throws {
        try give([(1, 4), (1, 3)])
        #expect(table.outdated(in: StoredRows([[1, nil, 4]], width: 3))?.position == 1)
        #expect(table.outdated(in: StoredRows([[1, nil, 3]], width: 3))?.position == 0)
    }
}
