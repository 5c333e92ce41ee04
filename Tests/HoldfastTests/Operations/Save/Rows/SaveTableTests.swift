import Testing

@_spi(Driver) @testable import Holdfast

/// Keys, versions and upserts of a table in a save, without objects and without a database.
@Suite struct SaveTableTests {
    private func table(_ description: TableDescription, keys: [[TestValue]]) -> SaveTable {
        let statements = TableStatements(description, dialect: TestDialect())
        let table = SaveTable(tableIndex: 0, statements, givesSeveral: true)
        table.keys = ParameterBuffer(width: description.keyIndices.count, keys)
        table.positions = keys.indices.map { Int32($0) }
        table.batchOfObject = [Int32](repeating: 0, count: keys.count)
        return table
    }

    private func batch(
        _ action: SaveBatch.Action, _ mask: PropertyMask, _ description: TableDescription, rows: [[TestValue]],
        generatesKeys: Bool = false
    ) -> SaveBatch {
        let group = SaveBatch.Group(action: action, mask: mask, generatesKeys: generatesKeys)
        let batch = SaveBatch(group: group, objectIndices: rows.indices.map { Int32($0) }, description: description)
        batch.encodedRows = ParameterBuffer(width: batch.encodedRows.width, rows)
        batch.entries = rows.indices.map { SaveBatch.Entry(index: $0) }
        return batch
    }

    // MARK: Versions

    private let counted = Counted.tableMapping.description

    /// The error about rows that were sent, all with the version 4 in place of 3.
    private func versionError(stored: [[TestValue]]) -> DatabaseError {
        let table = table(counted, keys: [[1], [2]])
        let batch = batch(.update, PropertyMask([1, 2]), counted, rows: [["a", 4], ["b", 4]])
        return table.versionError(
            batch, [0, 1], table.keys, ParameterBuffer(width: 3, stored))
    }

    @Test func `the first row that another has changed is named`() {
        let error = versionError(stored: [[2, "y", 9], [1, "x", 3]])
        #expect(error.code == .staleVersion && error.objectIndex == 1)
        let both = versionError(stored: [[2, "y", 9], [1, "x", 9]])
        #expect(both.code == .staleVersion && both.objectIndex == 0)
    }

    @Test func `a row that is gone is not found`() {
        let error = versionError(stored: [[1, "x", 3]])
        #expect(error.code == .notFound && error.objectIndex == 1)
    }

    @Test func `rows that have the known versions and were not written are a conflict`() {
        #expect(versionError(stored: [[1, "x", 3], [2, "y", 3]]).code == .conflict)
    }

    // MARK: Keys

    @Test func `keys that the engine makes are set in the order of the rows`() {
        let table = table(Sample.tableMapping.description, keys: [[nil], [5], [nil]])
        table.setGeneratedKeys(ParameterBuffer(width: 1, [[11], [12]]), of: [2, 0])
        #expect(table.keys.words == ["12", "5", "11"])
    }

    @Test func `rows that came back were inserted, the others were ignored`() throws {
        let line = Line.tableMapping.description
        let table = table(line, keys: [["a", 1], ["a", 2], ["b", 1]])
        let rows: [[TestValue]] = [["a", 1, "x", 1], ["a", 2, "y", 1], ["b", 1, "z", 1]]
        let batch = batch(.insertOrIgnore, line.fullMask, line, rows: rows)
        // Their number among those sent, and their key.
        let returned = ParameterBuffer(width: 3, [[2, "b", 1], [0, "a", 1]])
        #expect(try table.setReturnedKeys(returned, of: [0, 1, 2], in: batch) == [1])
        #expect(throws: DatabaseError.self) {
            try table.setReturnedKeys(ParameterBuffer(width: 3, [[3, "c", 1]]), of: [0, 1, 2], in: batch)
        }
    }

    @Test func `of values of one row the first is written`() {
        let line = Line.tableMapping.description
        let table = table(line, keys: [["a", 1], ["b", 1], ["a", 1]])
        let batch = batch(.insert, line.keyMask, line, rows: [["a", 1], ["b", 1], ["a", 1]])
        let (entries, rows) = batch.distinctKeys(of: [0, 1, 2], in: table.keys)
        #expect(entries == [0, 1] && rows == [0, 1, 0])
    }

    // MARK: Upserts

    /// Gives two new samples the rows that an upsert by their codes found.
    private func claim(_ found: [[TestValue]]) throws -> SaveTable {
        let sample = Sample.tableMapping.description
        let table = table(sample, keys: found.map { _ in [nil] })
        let (key, all) = (PropertyMask([2]), sample.columns.mask)
        let upsert = Upsert(key: key, updated: PropertyMask([1]), returned: all, isExplicit: true)
        let row: [TestValue] = ["n", "c", 1, nil, nil, nil]
        let sent = all.subtracting(sample.keyMask)
        let batch = batch(.upsert(upsert), sent, sample, rows: found.map { _ in row }, generatesKeys: true)
        table.batches = [batch]
        batch.store(ParameterBuffer(width: found[0].count, found), of: Array(found.indices))
        try table.claimRows(batch, Array(found.indices))
        return table
    }

    @Test func `objects get the keys of the rows that were found`() throws {
        let rows: [[TestValue]] = [[21, "n", "c", 1, nil, nil, nil], [22, "n", "d", 1, nil, nil, nil]]
        #expect(try claim(rows).keys.words == ["21", "22"])
    }

    @Test func `two objects can't become one row`() {
        let row: [TestValue] = [21, "n", "c", 1, nil, nil, nil]
        let error = #expect(throws: DatabaseError.self) { try claim([row, row]) }
        #expect(error?.code == .conflict && error?.objectIndex == 1)
    }
}
