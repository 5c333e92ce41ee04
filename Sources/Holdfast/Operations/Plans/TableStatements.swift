import Synchronization

/// The statements about one table, rendered once for the dialect of a database.
final class TableStatements: Sendable {
    /// The statements that depend on more than the mapping.
    enum Variant: Hashable, Sendable {
        case insert(PropertyMask, returningKey: Bool)
        case upsert(PropertyMask, Upsert)
        case insertOrIgnore(PropertyMask)
        case update(PropertyMask)
        case elements(property: Int, ofAll: Bool, withPositions: Bool)
        case insertElement(property: Int)
        case deleteElement(property: Int)
        case related(property: Int, ofAll: Bool)
        case links(property: Int, ofAll: Bool)
        case linked(property: Int)
        case holders(property: Int)
        case chain(property: Int)
        case link(property: Int)
        case unlink(property: Int)
        case mark
        case restore
        case lockKeys
        case lockMarked
    }

    /// The number of variants that are kept: there can be one for each set of properties, and so any number of them.
    static let variantCapacity = 512

    let description: TableDescription
    let columns: TableColumns
    let selectOne: Statement
    let selectAll: Statement
    let selectMany: Statement
    let selectKeys: Statement
    let selectExisting: Statement
    let lockExisting: Statement
    let deleteMany: Statement
    let delete: Statement
    let lock: Statement
    let lockMany: Statement
    let exists: Statement
    let count: Statement
    let deleteAll: Statement
    let advanceGeneratedKey: Statement?
    /// Inserts a row whose key the engine makes: what most saves of new objects do; nil where it makes none.
    private let insertNew: Statement?

    let sql: TableSQL
    /// The statements about all rows of a type some of whose rows are hidden.
    private let includingHidden: TableStatements?
    private let variants = Mutex(RecentlyUsed<Variant, Statement>(capacity: variantCapacity))

    /// Creates the statements about the rows that are there, or about all.
    init(_ description: TableDescription, dialect: any Dialect, includesHidden: Bool = false) {
        self.description = description
        columns = description.columns
        let sql = TableSQL(description: description, dialect: dialect, includesHidden: includesHidden)
        includingHidden =
            includesHidden || !description.hidesRows
            ? nil : TableStatements(description, dialect: dialect, includesHidden: true)
        let table = description.table
        self.sql = sql
        let key = description.keyIndices.count
        func statement(
            _ parameters: Int, isBrief: Bool = false, deletion: Statement.Deletion? = nil,
            _ write: (TableSQL) -> String
        ) -> Statement {
            Statement(sql.text(after: parameters, write), isBrief: isBrief, table: table, deletion: deletion)
        }
        selectOne = statement(key, isBrief: true) { $0.selectOne() }
        selectAll = statement(0) { $0.selectAll() }
        selectMany = statement(key) { $0.selectMany() }
        selectKeys = statement(0) { $0.selectKeys() }
        selectExisting = statement(key) { $0.selectExisting() }
        lockExisting = statement(key) { $0.selectExisting() + dialect.rowLock }
        deleteMany = statement(key, deletion: .objects) { $0.deleteMany() }
        delete = statement(key, isBrief: true, deletion: .objects) { $0.delete() }
        lock = statement(key, isBrief: true) { $0.lock() }
        lockMany = statement(key) { $0.lockMany() }
        exists = statement(key, isBrief: true) { $0.exists() }
        count = statement(0) { $0.count() }
        deleteAll = statement(0) { $0.deleteAll() }
        insertNew =
            description.hasGeneratedKey
            ? Self.insert(description.nonKeyMask, returningKey: true, description, sql) : nil
        advanceGeneratedKey =
            description.hasGeneratedKey && description.hasCountedKey
            ? description.keyColumns.first
                .flatMap { [description] in dialect.advanceGeneratedKey(table: description.tableName, column: $0) }
                .map { Statement($0, table: table) }
            : nil
    }

    /// The statements about all rows, also those that have expired or are marked as deleted.
    var ofAllRows: TableStatements { includingHidden ?? self }

    /// The statements about the rows that a permanent deletion means: also those that are marked as deleted.
    var ofMarkedRows: TableStatements { description.deletion == nil ? self : ofAllRows }

    /// The statement of a variant, rendered at its first use.
    func rendered(_ variant: Variant) throws -> Statement {
        if case .insert(let mask, true) = variant, let insertNew, mask == description.nonKeyMask { return insertNew }
        return try variants.withLock { variants in
            if let statement = variants.value(for: variant) { return statement }
            let statement = try render(variant)
            _ = variants.removeOldest()
            variants.insert(statement, for: variant)
            return statement
        }
    }

    /// How many statements are kept beyond those that every mapping has.
    var variantCount: Int { variants.withLock { $0.count } }

    /// The statement that inserts rows of some properties.
    static func insert(
        _ mask: PropertyMask, returningKey: Bool, _ description: TableDescription, _ sql: TableSQL
    ) -> Statement {
        let (table, columns) = (description.table, description.columnNames(mask))
        // How the database makes a key is its own affair: no driver takes keys from a sequence beforehand.
        let isTold = returningKey && description.keySource != nil
        return Statement(
            sql.insert(mask, returningKey: returningKey), isBrief: true, table: table,
            rowChange: isTold
                ? .upsert(table: description.tableName, columns: columns, returnsRows: true)
                : .insert(
                    table: description.tableName, columns: columns,
                    generatedKey: returningKey ? description.keyColumns.first : nil),
            columnTypes: description.columnTypes(mask))
    }
}

/// What is rendered at its first use.
extension TableStatements {
    func render(_ variant: Variant) throws -> Statement {
        let table = description.table
        return switch variant {
        case .insert(let mask, let returningKey):
            Self.insert(mask, returningKey: returningKey, description, sql)
        case .upsert(let mask, let upsert): try self.upsert(mask, upsert)
        case .insertOrIgnore(let mask):
            Statement(
                sql.insertOrIgnore(mask), isBrief: true, table: table,
                rowChange: .upsert(
                    table: description.tableName, columns: description.columnNames(mask), returnsRows: true),
                columnTypes: description.columnTypes(mask))
        case .update(let mask):
            Statement(
                sql.text(after: description.columnCount(mask) + description.conditionColumns(mask).count) {
                    $0.update(mask)
                },
                isBrief: true, table: table, rowChange: update(mask), columnTypes: description.columnTypes(mask),
                isTold: true)
        case .elements(let property, let ofAll, let withPositions):
            try onElements(property) { sql.selectElements($0, ofAll: ofAll, withPositions: withPositions) }
        case .insertElement(let property):
            insertElement(try joinTable(property))
        case .deleteElement(let property): try onElements(property, deletion: .elements) { sql.deleteElement($0) }
        case .related(let property, let ofAll):
            try related(property) { [key = ofAll ? 0 : description.keyIndices.count] relation, table, isReversed in
                let terms = try sql.orderTerms(of: relation, named: "t")
                return sql.text(after: key) {
                    $0.selectRelated(
                        table, target: relation.target.description, isReversed: isReversed, ofAll: ofAll,
                        orderedBy: terms)
                }
            }
        case .links(let property, let ofAll):
            try related(property) { _, table, isReversed in
                TimedSQL(sql: sql.selectLinks(table, isReversed: isReversed, ofAll: ofAll))
            }
        case .linked(let property):
            try related(property) { [dialect = sql.dialect] relation, table, isReversed in
                TableSQL(description: relation.target.description, dialect: dialect)
                    .text(after: 0) { $0.selectLinked(table, isReversed: isReversed) }
            }
        case .holders(let property): try holders(property)
        case .chain(let property):
            chain(description.columns.columnNames(of: property))
        case .link(let property): try onElements(property) { sql.link($0) }
        case .unlink(let property): try onElements(property, deletion: .elements) { sql.unlink($0) }
        case .mark: try marking(after: 1, value: 0) { $0.mark($1) }
        case .restore: try marking(after: 0, value: nil) { $0.restore($1) }
        case .lockKeys:
            Statement(sql.text(after: description.keyIndices.count) { $0.lockKeys() }, table: table)
        case .lockMarked:
            Statement(sql.text(after: description.keyIndices.count) { $0.lockMarked() }, table: table)
        }
    }

    private func upsert(_ mask: PropertyMask, _ upsert: Upsert) throws -> Statement {
        let columns = description.columnNames(mask)
        let computed = try upsert.changes?.sets(after: columns.count, description, sql.dialect) ?? [:]
        let text = sql.text(after: columns.count + (upsert.changes?.parameters.width ?? 0)) {
            $0.upsert(mask, upsert, computed: computed)
        }
        // The time is a parameter of a row: a driver that makes one statement of many has no place for it.
        let onConflict = upsert.returned.isEmpty && !text.takesTime ? sql.onConflict(upsert) : nil
        return Statement(
            text, isBrief: true, table: description.table,
            rowChange: .upsert(
                table: description.tableName, columns: columns, returnsRows: !upsert.returned.isEmpty,
                onConflict: onConflict),
            columnTypes: description.columnTypes(mask))
    }

    /// Its parameters are lists of keys, after what the mark is set to.
    private func marking(
        after count: Int, value: Int?, _ write: (TableSQL, DeletionDate) -> String
    ) throws -> Statement {
        let deletion = try description.requiredDeletion()
        let version = description.versionColumn.map { [$0] } ?? []
        return Statement(
            sql.text(after: count + description.keyIndices.count) { write($0, deletion) }, table: description.table,
            rowChange: .set(
                table: description.tableName, columns: [deletion.column] + version,
                parameters: [value] + version.map { _ in nil }),
            isTold: true)
    }

    /// Its parameters are lists of keys, and the number of steps.
    private func chain(_ columns: [String]) -> Statement {
        Statement(sql.text(after: columns.count + 1) { $0.selectChain(columns) }, table: description.table)
    }

    /// What an update does to rows.
    ///
    /// Whether one is gone is a condition beyond its key, of which drivers that update many at once know nothing.
    private func update(_ mask: PropertyMask) -> Statement.RowChange {
        let (table, columns) = (description.tableName, description.columnNames(mask))
        return !description.hidesRows
            ? .update(table: table, columns: columns, keyColumns: description.conditionColumns(mask))
            : .set(table: table, columns: columns, parameters: columns.indices.map(\.self))
    }

    private func related(
        _ property: Int, _ render: (Relation, JoinTable, Bool) throws -> TimedSQL
    ) throws -> Statement {
        guard let relation = description.columns.relation(property) else { throw noArray(property) }
        switch relation.storage {
        case .joinTable(let table):
            return Statement(try render(relation, table, false), table: table.name.description)
        case .inverseJoinTable(_, let table):
            return Statement(try render(relation, table, true), table: table.name.description)
        case .reference, .inverseReference: throw noArray(property)
        }
    }

    private func holders(_ property: Int) throws -> Statement {
        guard let relation = description.columns.relation(property),
            case .inverseReference(_, let columns) = relation.storage
        else { throw noArray(property) }
        let other = TableSQL(description: relation.target.description, dialect: sql.dialect)
        let terms = try other.orderTerms(of: relation, named: other.sourceName)
        let text = other.text(after: description.keyIndices.count) {
            $0.selectReferring(columns, to: description, orderedBy: terms)
        }
        return Statement(text, table: relation.target.description.table)
    }

    private func onElements(
        _ property: Int, deletion: Statement.Deletion? = nil, _ render: (JoinTable) -> String
    ) throws -> Statement {
        let table = try joinTable(property)
        return Statement(render(table), table: table.name.description, deletion: deletion)
    }

    private func insertElement(_ table: JoinTable) -> Statement {
        let elements = zip(table.elementColumns, table.sharedParts).filter { $0.1 == nil }
        return Statement(
            sql.insertElement(table), table: table.name.description,
            rowChange: .insert(table: table.name, columns: table.insertedColumns, generatedKey: nil),
            columnTypes: description.keyIndices.map { description.properties[$0].columnType }
                + (table.givesPositions ? [.int64] : []) + elements.map(\.0.type))
    }

    private func joinTable(_ property: Int) throws -> JoinTable {
        guard let table = description.columns.joinTables[property] else { throw noArray(property) }
        return table
    }

    private func noArray(_ property: Int) -> DatabaseError {
        DatabaseError(.conflict, "The mapping of \(description.type) has no array at position \(property).")
    }
}

/// Rows that are written by one statement each, and need nothing else.
extension TableStatements {
    /// Inserts rows of a group.
    ///
    /// - Returns: The keys that the engine made, one for each row; none if it does not make them.
    func insert(
        _ rows: ParameterBuffer, rowCount: Int, _ group: SaveBatch.Group, through session: Session
    ) async throws -> ParameterBuffer {
        let statement = try rendered(.insert(group.mask, returningKey: group.generatesKeys))
        var generated = ParameterBuffer(width: 1)
        guard group.generatesKeys else {
            if try await session.execute(statement, rows) < rowCount {
                try await requireStored(rows, group.mask, through: session)
            }
            return generated
        }
        // A table of nothing but its key takes no parameters, so that one run inserts one row.
        for _ in 0..<(rows.width == 0 ? rowCount : 1) {
            generated.appendAll(try await session.collect(statement, rows))
        }
        guard generated.cells.count == rowCount else { throw description.passedOver }
        for key in generated.cells where description.keySource != nil || !key.isNull {
            try description.requireMade(key)
        }
        return generated
    }

    /// Updates the rows of some owners; with no columns to be written, it locks them.
    ///
    /// - Parameter owners: The keys of the rows.
    /// - Throws: ``DatabaseError/Code/notFound``, with the position among the owners, if a row is gone.
    func update(
        _ rows: ParameterBuffer, of owners: ParameterBuffer, _ group: SaveBatch.Group, through session: Session
    ) async throws {
        let found: Int
        if rows.width > 0 {
            found = try await session.execute(rendered(.update(group.mask)), rows.joined(with: owners))
        } else {
            // Only arrays changed: the owner is locked, so that two savers of one array end with one of the two, whole.
            found = try await session.run(lock, owners) { rows in
                var count = 0
                while try rows.next() != nil { count += 1 }
                return count
            }
        }
        try await requireUpdated(rows, group.mask, of: owners, count: found, through: session)
    }
}
