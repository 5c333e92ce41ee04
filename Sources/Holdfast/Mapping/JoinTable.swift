/// The table that keeps the elements of an array property, in order.
struct JoinTable: Hashable, Sendable {
    static let positionColumn = "position"
    static let valueColumn = "value"

    let name: String
    /// The columns that hold the owner's key, in its order: `project_id`.
    let ownerColumns: [String]
    let element: ColumnType
    let elementIsNullable: Bool
}

extension TableDescription {
    /// The join table of the array property at `index`; nil if it is no array.
    func joinTable(ofArray index: Int) -> JoinTable? {
        let property = properties[index]
        guard case .array(let element, let elementIsNullable, _) = property.shape, let name = property.joinTable else {
            return nil
        }
        return JoinTable(
            name: name, ownerColumns: keyColumns.map { Naming.shortened("\(table)_\($0)") },
            element: element, elementIsNullable: elementIsNullable)
    }
}
