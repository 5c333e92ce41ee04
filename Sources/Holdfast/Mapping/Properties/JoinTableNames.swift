/// The names of a join table that exists, or the declaration that one keeps no order.
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
