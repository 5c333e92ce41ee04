/// What a mapping says of its table, whatever the Swift type: names, properties, key, indexes.
///
/// Immutable, and shared by all copies of a ``TableMapping``.
public final class TableDescription: Sendable {
    /// The name of the Swift type.
    public let type: String
    /// The name of the table.
    public let table: String
    /// The properties, by position.
    public let properties: [PropertyMapping]
    /// The positions of the properties that make up the primary key, in its order.
    public let keyIndices: [Int]
    /// Whether the engine makes the primary key.
    public let hasGeneratedKey: Bool
    /// Indexes and unique keys over several properties.
    public let indexes: [TableIndex]
    /// What is wrong with the mapping: every operation throws the first of them.
    let problems: [DatabaseError]

    let keyMask: PropertyMask
    let arrayIndices: [Int]
    let timestampIndices: [Int]
    /// All properties that have a column, and all that there are.
    let columnMask: PropertyMask
    let fullMask: PropertyMask
    /// The layout of a row of all columns, in order.
    let fullLayout: RowLayout

    init(
        type: String, table: String, properties: [PropertyMapping], hasGeneratedKey: Bool, indexes: [TableIndex],
        problems: [DatabaseError]
    ) {
        self.type = type
        self.table = table
        self.properties = properties
        self.hasGeneratedKey = hasGeneratedKey
        self.indexes = indexes
        self.problems = problems
        keyIndices = properties.indices.filter { properties[$0].isKey }
        keyMask = PropertyMask(keyIndices)
        arrayIndices = properties.indices.filter { properties[$0].shape.isArray }
        timestampIndices = properties.indices.filter { properties[$0].timestamp != nil }
        columnMask = PropertyMask(properties.indices.filter { properties[$0].columnName != nil })
        fullMask = PropertyMask(count: properties.count)
        fullLayout = RowLayout(
            table: table, propertyNames: properties.map(\.name), slots: Self.slots(properties, mask: fullMask))
    }

    /// The slots of a row that holds the columns of `mask`, in order.
    func slots(_ mask: PropertyMask) -> [Int32] { Self.slots(properties, mask: mask) }

    private static func slots(_ properties: [PropertyMapping], mask: PropertyMask) -> [Int32] {
        var next: Int32 = 0
        return properties.indices.map { index in
            guard mask.contains(index) else { return RowLayout.absent }
            guard properties[index].columnName != nil else { return RowLayout.withoutCell }
            defer { next += 1 }
            return next
        }
    }

    /// The layout of a row that holds the columns of `mask`, in order.
    func layout(_ mask: PropertyMask) -> RowLayout {
        mask == fullMask
            ? fullLayout
            : RowLayout(table: table, propertyNames: properties.map(\.name), slots: slots(mask))
    }

    /// The names of the columns of `mask`, in order.
    func columns(_ mask: PropertyMask) -> [String] {
        properties.indices.compactMap { mask.contains($0) ? properties[$0].columnName : nil }
    }

    var keyColumns: [String] { keyIndices.compactMap { properties[$0].columnName } }

    /// Where the columns of the table are in a result.
    func positions(ofColumns names: [String]) throws -> [Int] {
        try properties.compactMap { property in
            guard let column = property.columnName else { return nil }
            guard let position = names.firstIndex(of: column) else {
                throw DatabaseError(
                    .decoding, "The statement returns no column \"\(column)\", which \(type) needs. Select it too.",
                    table: table, properties: [property.name])
            }
            return position
        }
    }

    /// Throws the first thing that is wrong with the mapping.
    func validate() throws {
        if let problem = problems.first { throw problem }
    }

    /// The property with the name, or nil.
    func index(ofProperty name: String) -> Int? { properties.firstIndex { $0.name == name } }

    /// The property whose column has the name, or nil.
    func index(ofColumn name: String) -> Int? { properties.firstIndex { $0.columnName == name } }
}
