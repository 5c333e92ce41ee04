import Synchronization

/// The table of a mapping, independent of the Swift type: names, properties, key, indexes.
///
/// Immutable, and shared by all copies of a ``TableMapping``.
public final class TableDescription: Sendable {
    /// The name of the Swift type.
    public let type: String
    /// The name of the table, for people: with its schema if it has one.
    public let table: String
    /// The name of the table, for SQL.
    public let tableName: TableName
    /// The names that the table may have had before, the latest first.
    let formerTables: [String]
    /// The properties, by position.
    public let properties: [PropertyMapping]
    /// The positions of the properties that make up the primary key, in its order.
    public let keyIndices: [Int]
    /// Whether the engine makes the primary key.
    public let hasGeneratedKey: Bool
    /// The source of the primary key, if it is declared.
    let keySource: KeySource?
    /// Indexes and unique keys over several properties.
    public let indexes: [TableIndex]
    /// The conditions that rows meet.
    let checks: [TableCheck]
    /// The names of the properties of a full text search; empty for none.
    public let search: [String]
    /// Whether objects are only read: no operation writes them, and no migration makes their tables.
    public let isReadOnly: Bool
    /// What the change log keeps of the table.
    let log: TableLog
    /// The number of the latest deletion of rows (`Deletions`).
    let latestDeletion = LatestDeletion()
    /// The errors in the mapping: every operation throws the first of them.
    let problems: [DatabaseError]

    /// Whether the Swift type is a class, so that its instances have an identity.
    let isClass: Bool
    /// Whether objects remember which of their properties changed.
    let isTracked: Bool
    /// The properties by what they are.
    let masks: PropertyMasks
    /// Whether a part of the key is not in its column as it is in a ``Key``: a UUID that is a text, or an instant.
    let hasConvertedKey: Bool
    /// The property that counts the updates of a row.
    let versionIndex: Int?
    /// The instant from which an object is gone; nil for a type whose objects don't expire.
    let expiry: Expiry?
    /// The time of the deletion of an object whose row stays; nil for a type whose rows are deleted.
    let deletion: DeletionDate?
    /// Whether there can be rows that no read sees: they have expired, are marked as deleted, or are outside of a
    /// scope.
    let hidesRows: Bool
    /// Whether no save of an object that was read sees some rows either.
    let hidesHeldRows: Bool
    /// The conditions of what reads see.
    let scopes: [TableScope]
    /// The conditions of the scopes, once they were read; a `ScopeConditions`.
    let resolvedScopes = OnceReference<any AnyObject & Sendable>()
    /// The types with scopes to which relations lead, once they were found; a `ScopedTypes`.
    let resolvedScopedTypes = OnceReference<any AnyObject & Sendable>()
    private let resolved = OnceReference<TableColumns>()
    /// What queries add to have an object left out; a `Presence`.
    let resolvedPresence = OnceReference<any AnyObject & Sendable>()

    init(
        type: String, table: TableName, formerTables: [String], isClass: Bool, isTracked: Bool,
        properties: [PropertyMapping],
        hasGeneratedKey: Bool,
        keySource: KeySource? = nil,
        isReadOnly: Bool = false, log: TableLog = .none,
        indexes: [TableIndex], checks: [TableCheck] = [], search: [String] = [], scopes: [TableScope] = [],
        problems: [DatabaseError]
    ) {
        self.type = type
        self.table = table.description
        tableName = table
        self.formerTables = formerTables
        self.isClass = isClass
        self.isTracked = isTracked
        self.properties = properties
        self.hasGeneratedKey = hasGeneratedKey
        self.keySource = keySource
        self.isReadOnly = isReadOnly
        self.log = log
        self.indexes = indexes
        self.checks = checks
        self.search = search
        self.problems = problems
        masks = PropertyMasks(properties)
        keyIndices = masks.key.indices
        hasConvertedKey = keyIndices.contains { properties[$0].storage.isText || properties[$0].keyUnit != nil }
        versionIndex = masks.version.indices.first
        expiry = properties.firstIndex(where: \.expires).flatMap { index in
            properties[index].columnName.map {
                Expiry(
                    property: index, column: $0, storage: properties[index].storage,
                    isNullable: properties[index].isNullable)
            }
        }
        deletion = masks.deletion.indices.first { _ in true }.flatMap { index in
            properties[index].columnName.map {
                DeletionDate(property: index, column: $0, storage: properties[index].storage)
            }
        }
        self.scopes = scopes
        hidesHeldRows = expiry != nil || deletion != nil || scopes.contains(where: \.takesValue)
        hidesRows = hidesHeldRows || !scopes.isEmpty
    }

    /// Whether a program has to give a value to see rows.
    var takesScopeValues: Bool { scopes.contains(where: \.takesValue) }

    /// Whether an object remembers what was left out of it, so that no save loses that.
    var remembersLeftOut: Bool { isClass && isTracked }

    /// The positions of the times of creation and of modification.
    var timestampIndices: [Int] { masks.timestamps.indices }

    /// The columns and relations, laid out at the first use: the mappings that relations lead to exist by then.
    var columns: TableColumns { resolved.value ?? resolved.set(TableColumns(self)) }

    var fullLayout: RowLayout { columns.fullLayout }

    /// The slots of a row that holds the columns of `mask`, in order.
    func slots(_ mask: PropertyMask) -> [Int32] { TableColumns.slots(columns.ranges, mask: mask) }

    /// The layout of a row that holds the columns of `mask`, in order.
    func layout(_ mask: PropertyMask) -> RowLayout {
        mask == fullMask
            ? fullLayout
            : RowLayout(table: table, propertyNames: properties.map(\.name), slots: slots(mask))
    }

    /// The names of the columns of `mask`, in order.
    func columnNames(_ mask: PropertyMask) -> [String] {
        columns.all.compactMap { mask.contains($0.property) ? $0.name : nil }
    }

    /// The number of the columns of `mask`.
    func columnCount(_ mask: PropertyMask) -> Int {
        let ranges = columns.ranges
        var count = 0
        for index in ranges.indices where mask.contains(index) { count += ranges[index].count }
        return count
    }

    /// The types of the columns of properties; nil for those that the library sets the time in.
    func columnTypes(_ mask: PropertyMask) -> [ColumnType?] {
        columns.all.filter { mask.contains($0.property) }
            .map { masks.timestamps.contains($0.property) ? nil : $0.type }
    }

    var keyColumns: [String] { keyIndices.compactMap { properties[$0].columnName } }

    /// Where the columns of the table are in a result.
    func positions(ofColumns names: [String]) throws -> [Int] {
        if let index = columns.alternateMask.indices.first(where: { _ in true }) {
            throw DatabaseError(
                .unsupported,
                "A statement of your own returns no key for \"\(properties[index].name)\" of \(type), which holds a property in place of it. Fetch the objects by a query.",
                table: table, properties: [properties[index].name])
        }
        return try columns.all.map { column in
            guard let position = names.firstIndex(of: column.name) else {
                throw DatabaseError(
                    .decoding,
                    "The statement returns no column \"\(column.name)\", which \(type) needs. Select it too.",
                    table: table, properties: [properties[column.property].name])
            }
            return position
        }
    }

    /// The properties without which no object can be made, besides some.
    func needed(besides mask: PropertyMask) -> [PropertyMapping] {
        fullMask.subtracting(mask).indices.map { properties[$0] }.filter { !$0.canBeLeftOut }
    }

    /// Throws the first thing that is wrong with the mapping.
    func validate() throws {
        if let problem = problems.first ?? columns.problems.first { throw problem }
    }

    /// Throws if objects are only read.
    func requireWritable() throws { if isReadOnly { throw onlyRead } }

    /// The error about an operation that would write what is only read.
    var onlyRead: DatabaseError {
        DatabaseError(
            .readOnly,
            "\(type) is only read: its table is declared as `readOnly`. Nothing was written. Write to the tables behind it.",
            table: table)
    }

    /// Throws if some properties are computed by the database.
    func requireComputedByNone(_ mask: PropertyMask) throws {
        let computed = mask.intersection(generatedMask)
        if computed.isEmpty { return }
        let names = computed.indices.map { properties[$0].name }
        throw DatabaseError(
            .readOnly,
            "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) of \(type) was to be written, and the database computes it. Nothing was written. Set what it is computed from.",
            table: table, properties: names)
    }

    /// The property with the name, or nil.
    func index(ofProperty name: String) -> Int? { properties.firstIndex { $0.name == name } }

    /// The property that a key path leads to, or nil.
    func index(ofKeyPath keyPath: AnyKeyPath) -> Int? { properties.firstIndex { $0.keyPath as AnyKeyPath == keyPath } }

    /// The property that a key path leads to.
    ///
    /// - Throws: ``DatabaseError/Code/syntax`` if it leads to none that is kept.
    func requiredIndex(of keyPath: AnyKeyPath) throws -> Int {
        if let index = index(ofKeyPath: keyPath) { return index }
        throw DatabaseError(.syntax, "A key path leads to a property that \(type) does not keep.", table: table)
    }

    /// The property whose column has the name, or nil.
    func index(ofColumn name: String) -> Int? { columns.all.first { $0.name == name }?.property }
}
