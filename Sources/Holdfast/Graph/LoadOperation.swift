/// Reads objects of one type, with the elements of their arrays.
///
/// Without arrays, rows are decoded where the driver has them. With arrays, rows are kept until one statement for each
/// array property has read the elements of all of them, in the same snapshot.
struct LoadOperation<Model: TableObject> {
    let access: DatabaseAccess
    let plan: MappingPlan<Model>
    private var description: TableDescription { plan.description }

    init(_ access: DatabaseAccess) throws {
        self.access = access
        plan = try access.core.plan(for: Model.self)
    }

    private var need: DatabaseAccess.Need { description.arrayIndices.isEmpty ? .read : .snapshot }

    /// All objects, ordered by key.
    func all() async throws -> [Model] {
        if description.arrayIndices.isEmpty {
            return try await explaining {
                try await access.perform(.read, purpose: "fetch") { session, _ in
                    try finished(await decoded(session, plan.selectAll, .none))
                }
            }
        }
        let loaded = try await explaining {
            try await access.perform(.snapshot, purpose: "fetch") { session, _ in
                try await withArrays(session, copiedRows(session, plan.selectAll, .none), owners: nil)
            }
        }
        return try finished(models(loaded))
    }

    /// The object with the key, or nil.
    func one(_ key: Key) async throws -> Model? {
        let parameters = try description.parameters(of: key)
        if description.arrayIndices.isEmpty {
            return try await explaining {
                try await access.perform(.read, purpose: "find") { session, _ in
                    try finished(await decoded(session, plan.selectOne, parameters)).first
                }
            }
        }
        return try await many([key]).first
    }

    /// The objects with the keys, in the order of the keys; keys without an object are passed over.
    func many(_ keys: [Key]) async throws -> [Model] {
        let loaded = try await load(keys)
        let models = try finished(models(loaded))
        let positions = positions(loaded.rows)
        return keys.compactMap { positions[$0].map { models[$0] } }
    }

    /// The objects in the rows of a statement of the caller's, by the names of its columns.
    func rows(of statement: Statement, _ parameters: ParameterBuffer) async throws -> [Model] {
        let description = description
        let loaded = try await explaining {
            try await access.perform(
                description.arrayIndices.isEmpty ? .statement : .snapshot, purpose: "sql"
            ) { session, _ in
                let rows = try await session.run(statement, parameters) { source in
                    let positions = try description.positions(ofColumns: source.columnNames)
                    var rows = ParameterBuffer(width: positions.count)
                    while let cells = try source.next() {
                        for position in positions { rows.append(copying: cells[position]) }
                    }
                    return rows
                }
                return try await withArrays(session, rows, owners: chunks(rows.rowIndices.map { key(ofRow: $0, rows) }))
            }
        }
        return try finished(models(loaded))
    }

    /// Sets all properties of the objects to what their rows hold.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if one of the rows is gone; then no object has changed.
    func reload(_ models: inout [Model]) async throws {
        let keys = try models.map { try plan.key(of: $0) }
        let loaded = try await load(keys)
        let positions = positions(loaded.rows)
        for (index, key) in keys.enumerated() where positions[key] == nil { throw gone(index, models.count) }
        // A row that does not fit must leave every object as it is: decode all of them first.
        _ = try self.models(loaded)
        for (index, key) in keys.enumerated() {
            guard let row = positions[key] else { continue }
            try loaded.rows.withRow(row) { cells in
                guard let base = cells.baseAddress else { return }
                let source = Row(cells: base, layout: description.fullLayout, arrays: loaded.arrays, position: row)
                try plan.mapping.assign(&models[index], source)
            }
            plan.markLoaded(models[index])
            try plan.hooks?.didFetch(&models[index])
        }
    }

    private func gone(_ index: Int, _ count: Int) -> DatabaseError {
        var error = DatabaseError(
            .notFound, "A row of \"\(description.table)\" to be reloaded is gone.", table: description.table)
        if count > 1 { error.objectIndex = index }
        return error
    }

    private func load(_ keys: [Key]) async throws -> LoadedRows {
        let chunks = try chunks(keys)
        guard !chunks.all.isEmpty else { return LoadedRows(rows: ParameterBuffer(width: columnCount)) }
        return try await explaining {
            try await access.perform(chunks.all.count > 1 ? .snapshot : need, purpose: "fetch") { session, _ in
                var rows = ParameterBuffer(width: columnCount)
                for chunk in chunks.all {
                    let statement =
                        try chunk.count == 1 ? plan.selectOne : plan.statement(.select(keyCount: chunk.count))
                    rows.appendAll(try await copiedRows(session, statement, chunk.parameters))
                }
                return try await withArrays(session, rows, owners: chunks)
            }
        }
    }

    /// Different keys, in portions that a statement can take.
    private func chunks(_ keys: [Key]) throws -> KeyChunks {
        var distinct: [ParameterBuffer] = []
        var seen = Set<Key>()
        for key in keys where seen.insert(key).inserted { distinct.append(try description.parameters(of: key)) }
        return KeyChunks(
            distinct, width: description.keyIndices.count, limit: access.core.capabilities.maximumParameters)
    }

    private var columnCount: Int { description.columns(description.fullMask).count }
}

// MARK: Rows to objects

extension LoadOperation {
    /// Runs a statement and decodes its rows where they are.
    private func decoded(
        _ session: Session, _ statement: Statement, _ parameters: ParameterBuffer
    ) async throws -> [Model] {
        let plan = plan
        let showsValues = access.core.configuration.showsValues
        return try await session.run(statement, parameters) { source in
            var models: [Model] = []
            while let cells = try source.next() {
                do {
                    models.append(try plan.mapping.decode(Row(cells: cells, layout: plan.description.fullLayout)))
                } catch {
                    throw plan.description.located(error, inRow: cells, showsValues: showsValues)
                }
            }
            return Transfer(value: models)
        }.value
    }

    /// Runs a statement and keeps a copy of its rows.
    private func copiedRows(
        _ session: Session, _ statement: Statement, _ parameters: ParameterBuffer
    ) async throws -> ParameterBuffer {
        let width = columnCount
        return try await session.run(statement, parameters) { source in
            var rows = ParameterBuffer(width: width)
            while let cells = try source.next() {
                for column in 0..<width { rows.append(copying: cells[column]) }
            }
            return rows
        }
    }

    private func models(_ loaded: LoadedRows) throws -> [Model] {
        try loaded.rows.rowIndices.map { row in
            try loaded.rows.withRow(row) { cells in
                guard let base = cells.baseAddress else { throw RowFault.notLoaded }
                do {
                    return try plan.mapping.decode(
                        Row(
                            cells: base, layout: description.fullLayout, arrays: loaded.arrays,
                            position: loaded.elementRows?[row] ?? row))
                } catch {
                    throw description.located(
                        error, inRow: base, showsValues: access.core.configuration.showsValues)
                }
            }
        }
    }

    /// Marks fetched objects as such, and runs their hooks.
    private func finished(_ models: [Model]) throws -> [Model] {
        guard plan.mapping.changes != nil || plan.hooks != nil else { return models }
        var models = models
        for index in models.indices {
            plan.markLoaded(models[index])
            try plan.hooks?.didFetch(&models[index])
        }
        return models
    }

    private func explaining<Output>(
        _ body: nonisolated(nonsending) () async throws -> Output
    ) async throws -> Output {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw description.explained(error)
        }
    }
}

// MARK: Arrays

extension LoadOperation {
    private func key(ofRow row: Int, _ rows: ParameterBuffer) -> Key {
        rows.withRow(row) { cells in cells.baseAddress.map(description.key(inRow:)) ?? Key() }
    }

    /// The rows' positions by their keys.
    private func positions(_ rows: ParameterBuffer) -> [Key: Int] {
        var positions: [Key: Int] = [:]
        for row in rows.rowIndices { positions[key(ofRow: row, rows)] = row }
        return positions
    }

    /// The rows with the elements of their arrays: one statement for each array property (and portion of owners).
    ///
    /// - Parameter owners: The keys of the rows; nil where they are all that the table has.
    private func withArrays(_ session: Session, _ rows: ParameterBuffer, owners: KeyChunks?) async throws -> LoadedRows
    {
        guard !description.arrayIndices.isEmpty else { return LoadedRows(rows: rows) }
        let positions = positions(rows)
        var columns: [Int: ArrayValues.Column] = [:]
        for property in description.arrayIndices {
            var collector = ElementCollector(rowCount: rows.rowIndices.count)
            let portions = owners?.all.map { (Optional($0.count), $0.parameters) } ?? [(nil, .none)]
            for (keyCount, parameters) in portions {
                let statement = try plan.statement(.elements(property: property, keyCount: keyCount))
                collector.add(
                    try await elements(session, statement, parameters, positions, rowCount: rows.rowIndices.count))
            }
            columns[property] = collector.column
        }
        // A statement of the caller's can return a row twice; its elements were found once.
        let hasRepeats = positions.count < rows.rowIndices.count
        let elementRows = hasRepeats ? rows.rowIndices.map { positions[key(ofRow: $0, rows)] ?? $0 } : nil
        return LoadedRows(rows: rows, arrays: ArrayValues(columns: columns), elementRows: elementRows)
    }

    private func elements(
        _ session: Session, _ statement: Statement, _ parameters: ParameterBuffer, _ positions: [Key: Int],
        rowCount: Int
    ) async throws -> ElementCollector {
        let width = description.keyIndices.count
        return try await session.run(statement, parameters) { source in
            var collector = ElementCollector(rowCount: rowCount)
            while let cells = try source.next() {
                // An owner that is not among the rows was excluded by its key, or is none of ours: not part of this fetch.
                guard let row = positions[Key(cells: cells, count: width)] else { continue }
                collector.append(cells[width], row: row)
            }
            return collector
        }
    }
}

/// Rows of all columns, and the elements of their arrays.
private struct LoadedRows: Sendable {
    var rows: ParameterBuffer
    var arrays: ArrayValues?
    /// For each row, the row under which the elements of its arrays are; nil if each has its own.
    var elementRows: [Int]?
}

/// Elements in the order of the join table, to be arranged by row.
private struct ElementCollector: Sendable {
    let rowCount: Int
    private var elements = ParameterBuffer(width: 1)
    private var rows: [Int] = []

    init(rowCount: Int) { self.rowCount = rowCount }

    mutating func append(_ cell: Cell, row: Int) {
        elements.append(copying: cell)
        rows.append(row)
    }

    mutating func add(_ other: ElementCollector) {
        elements.appendAll(other.elements)
        rows += other.rows
    }

    /// The elements, those of one row after those of the row before.
    var column: ArrayValues.Column {
        var starts = [Int](repeating: 0, count: rowCount + 1)
        for row in rows { starts[row + 1] += 1 }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        var next = starts
        var cells = [Cell](repeating: .null, count: rows.count)
        for (position, row) in rows.enumerated() {
            cells[next[row]] = elements.cells[position]
            next[row] += 1
        }
        var arranged = ParameterBuffer(width: 1)
        arranged.cells = cells
        arranged.bytes = elements.bytes
        return .init(elements: arranged, starts: starts)
    }
}
