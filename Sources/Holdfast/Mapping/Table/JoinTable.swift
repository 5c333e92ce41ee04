/// The table that keeps the elements of an array property, in order: values, or the keys of objects.
struct JoinTable: Hashable, Sendable {
    /// A column that holds an element, or a part of its key.
    struct Column: Hashable, Sendable {
        let name: String
        let type: ColumnType
        let isNullable: Bool
    }

    static let positionColumn = "position"
    static let valueColumn = "value"
    /// How far apart the positions of new elements are, so that others fit between them without moving any.
    static let stride: Int64 = 1024

    let name: String
    /// The columns that hold the owner's key, in its order: `project_id`.
    let ownerColumns: [String]
    /// The columns that hold an element: `value`, or the key of an object, in its order.
    let elementColumns: [Column]
    /// The table of the objects, and the columns of its key; nil of values.
    let target: Target?

    /// The table whose objects are the elements.
    struct Target: Hashable, Sendable {
        let table: String
        let keyColumns: [String]
    }
}
