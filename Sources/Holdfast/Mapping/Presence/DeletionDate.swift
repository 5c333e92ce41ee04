/// The column with the time of the deletion of an object whose row stays.
struct DeletionDate: Sendable {
    /// The position of the property.
    let property: Int
    let column: String
    let storage: ValueStorage

    /// The condition that a row is among those that are asked for; nil if all are.
    ///
    /// `"note"."deleted_at" IS NULL`
    ///
    /// - Parameter prefix: What the table is called, if columns have to be told apart.
    func condition(_ deleted: DeletedRows, _ prefix: String?, _ dialect: any Dialect) -> String? {
        let column = "\(prefix.map { $0 + "." } ?? "")\(dialect.quoted(column))"
        return switch deleted {
        case .leftOut: "\(column) IS NULL"
        case .included: nil
        case .only: "\(column) IS NOT NULL"
        }
    }
}

/// What is read of the rows that are marked as deleted.
enum DeletedRows: Sendable {
    /// The other rows.
    case leftOut
    /// These rows and the others.
    case included
    /// These rows.
    case only
}
