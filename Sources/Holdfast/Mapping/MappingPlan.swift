import Synchronization

/// What a database keeps for each mapping: its statements in the dialect, rendered once.
final class MappingPlan<Model: TableObject>: Sendable {
    /// The statements that depend on more than the mapping.
    enum Variant: Hashable, Sendable {
        case insert(PropertyMask, returningKey: Bool)
        case upsert(PropertyMask, keepingCreated: String?)
        case update(PropertyMask)
        case select(keyCount: Int)
        case elements(property: Int, keyCount: Int?)
        case insertElement(property: Int)
        case deleteElements(property: Int)
    }

    let mapping: TableMapping<Model>
    let description: TableDescription
    let hooks: HookSet<Model>?
    let joinTables: [Int: JoinTable]
    let selectOne: Statement
    let selectAll: Statement
    let delete: Statement
    let lock: Statement
    let exists: Statement
    let count: Statement
    let deleteAll: Statement
    let advanceGeneratedKey: Statement?

    private let sql: TableSQL
    private let variants = Mutex<[Variant: Statement]>([:])

    init(dialect: any Dialect) throws {
        mapping = Model.tableMapping
        description = mapping.description
        try description.validate()
        hooks = HookSet.ofModel()
        let sql = TableSQL(description: description, dialect: dialect)
        self.sql = sql
        joinTables = Dictionary(
            uniqueKeysWithValues: description.arrayIndices.compactMap { [description] index in
                description.joinTable(ofArray: index).map { (index, $0) }
            })
        selectOne = Statement(sql.selectOne(), isBrief: true)
        selectAll = Statement(sql.selectAll())
        delete = Statement(sql.delete(), isBrief: true)
        lock = Statement(sql.lock(), isBrief: true)
        exists = Statement(sql.exists(), isBrief: true)
        count = Statement(sql.count())
        deleteAll = Statement(dialect.deleteAll(table: description.table))
        advanceGeneratedKey =
            description.hasGeneratedKey
            ? description.keyColumns.first
                .flatMap { [description] in dialect.advanceGeneratedKey(table: description.table, column: $0) }
                .map { Statement($0) }
            : nil
    }

    func statement(_ variant: Variant) throws -> Statement {
        try variants.withLock { variants in
            if let statement = variants[variant] { return statement }
            let statement = try render(variant)
            variants[variant] = statement
            return statement
        }
    }

    private func render(_ variant: Variant) throws -> Statement {
        switch variant {
        case .insert(let mask, let returningKey):
            Statement(sql.insert(mask, returningKey: returningKey), isBrief: true)
        case .upsert(let mask, let created):
            Statement(sql.upsert(mask, keepingCreated: created), isBrief: true)
        case .update(let mask): Statement(sql.update(mask), isBrief: true)
        case .select(let keyCount): Statement(sql.select(keyCount: keyCount))
        case .elements(let property, let keyCount):
            Statement(sql.selectElements(try joinTable(property), keyCount: keyCount), isBrief: keyCount == 1)
        case .insertElement(let property): Statement(sql.insertElement(try joinTable(property)))
        case .deleteElements(let property):
            Statement(sql.deleteElements(try joinTable(property)), isBrief: true)
        }
    }

    private func joinTable(_ property: Int) throws -> JoinTable {
        guard let table = joinTables[property] else {
            throw DatabaseError(.conflict, "The mapping of \(description.type) has no array at position \(property).")
        }
        return table
    }
}
