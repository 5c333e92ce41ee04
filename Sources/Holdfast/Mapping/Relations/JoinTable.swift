/// The table that keeps the elements of an array property, in order: values, or the keys of objects.
struct JoinTable: Hashable, Sendable {
    /// A column that holds an element, or a part of its key.
    struct Column: Hashable, Sendable {
        let name: String
        let type: ColumnType
        let isNullable: Bool
    }

    /// The column of the positions, unless another is declared, or none.
    static let positionColumn = "position"
    static let valueColumn = "value"
    /// How far apart the positions of new elements are, so that others fit between them without moving any.
    static let stride: Int64 = 1024

    let name: TableName
    /// The columns that hold the owner's key, in its order: `project_id`.
    let ownerColumns: [String]
    /// The columns that hold an element: `value`, or the key of an object, in its order.
    let elementColumns: [Column]
    /// The table of the objects, and the columns of its key; nil of values.
    let target: Target?
    /// The column that holds the position of an element; nil if the elements have no order, and each is there once.
    let position: String?
    /// Whether the database makes the positions, as the key of the table.
    var isPositionGenerated = false
    /// The type whose objects are the rows; nil of a table that an array keeps for itself.
    var linkType: LinkType? = nil

    /// A type each of whose objects links two others, as a membership does.
    struct LinkType: Hashable, Sendable {
        let target: RelationTarget
        /// The reference that leads to the owner of the relation.
        let near: Int
        /// The reference that leads to an object that the relation holds.
        let far: Int
    }

    /// The table whose objects are the elements.
    struct Target: Hashable, Sendable {
        let table: TableName
        let keyColumns: [String]
    }

    /// The columns that a row of an element takes, in their order; one that owner and element share comes once.
    var insertedColumns: [String] {
        ownerColumns + (givesPositions ? position.map { [$0] } ?? [] : [])
            + zip(elementColumns, sharedParts).filter { $0.1 == nil }.map(\.0.name)
    }

    /// Whether a new row is given its position.
    var givesPositions: Bool { position != nil && !isPositionGenerated }

    /// The columns by which the row of an element is found.
    var conditionColumns: [String] { ownerColumns + (position.map { [$0] } ?? elementColumns.map(\.name)) }

    /// For each part of an element the part of the owner's key that has the same column; nil for one of its own.
    var sharedParts: [Int?] { elementColumns.map { element in ownerColumns.firstIndex(of: element.name) } }

    /// Whether owner and element have a column in common.
    var sharesColumns: Bool { elementColumns.contains { ownerColumns.contains($0.name) } }
}
