/// The names of a join table that exists, or the declaration of how one keeps an order, or that it keeps none.
///
/// ```swift
/// @Relation(joinTable: .named("playlist_track", owner: "PlaylistId", element: "TrackId", position: nil))
/// var tracks: [Track] = []
/// @Relation(joinTable: .unordered) var labels: [Label] = []
/// ```
public struct JoinTableNames: Hashable, Sendable {
    /// The name of the table; nil for the one that is derived from the names of type and property.
    public var table: String?
    /// The columns that hold the owner's key, in its order; none for those that are derived.
    public var owner: ColumnNames
    /// The columns that hold an element's key, in its order; none for those that are derived.
    public var element: ColumnNames
    /// The column of the integers by which the elements are ordered; nil if the table has none.
    public var position: String?
    /// Whether the database makes these integers, as the key of the table.
    public var isPositionGenerated = false

    /// A join table without positions, with derived names.
    ///
    /// The array is a set: an object is in it once, and loads in the order of its key.
    public static let unordered = JoinTableNames(table: nil, owner: [], element: [], position: nil)

    /// Names a join table and its columns.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - owner: The columns that hold the owner's key, in its order.
    ///   - element: The columns that hold an element's key, in its order.
    ///   - position: The column of the integers by which the elements are ordered; nil if the table has none, and the
    ///     array is a set.
    public static func named(
        _ table: String, owner: ColumnNames = [], element: ColumnNames = [], position: String? = "position"
    ) -> JoinTableNames {
        JoinTableNames(table: table, owner: owner, element: element, position: position)
    }

    /// Names a join table whose rows have a key of their own, which the database makes and by which the elements are
    /// ordered.
    ///
    /// ```swift
    /// @Relation(joinTable: .named("Company_employees", owner: "Company_ID", element: "employees", generatedKey: "id"))
    /// var employees: [Person] = []
    /// // SELECT … FROM "Company_employees" WHERE "Company_ID" = $1 ORDER BY "Company_ID", "id"
    /// ```
    ///
    /// The array keeps order and duplicates. What is appended is inserted. What is put elsewhere is inserted, too, with
    /// what comes after it, since the database only makes larger keys; the rows before it stay. So it is for tables
    /// that exist: the positions of ``named(_:owner:element:position:)`` have room between them.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - owner: The columns that hold the owner's key, in its order.
    ///   - element: The columns that hold an element's key, in its order.
    ///   - key: The primary key of the table: an integer that the database makes, each larger than those before.
    public static func named(
        _ table: String, owner: ColumnNames = [], element: ColumnNames = [], generatedKey key: String
    ) -> JoinTableNames {
        JoinTableNames(table: table, owner: owner, element: element, position: key, isPositionGenerated: true)
    }
}

/// The names of the columns of a key, in its order: one literal, or an array of them.
public struct ColumnNames: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The names.
    public var names: [String]

    /// Creates a list of names.
    public init(_ names: [String]) { self.names = names }

    public init(stringLiteral name: String) { self.init([name]) }

    public init(arrayLiteral names: String...) { self.init(names) }
}
