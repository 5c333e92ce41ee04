/// An index over several properties, or over a part of the rows.
///
/// ```swift
/// @Table(indexes: [
///     .index("lastName", "firstName"),
///     .unique("tenant", "email"),
///     .index("tenant", .descending("createdAt")),
///     .unique("email", where: "deleted_at IS NULL"),
///     .index(.expression("lower(last_name)")),
///     .index(.json("profile", "address.city", as: String.self)),
/// ])
/// ```
///
/// `migrate` finds an index with a condition, an expression or a descending property by its name, which ends in a hash
/// of these: if you change one, it makes another index and leaves the former one.
public struct TableIndex: Hashable, Sendable {
    /// One term of an index: a property, or an expression.
    public struct Term: Hashable, Sendable, ExpressibleByStringLiteral {
        enum Source: Hashable, Sendable {
            case property(String)
            case expression(String)
            case json(String, path: String, JSONScalarType?)
        }

        let source: Source
        let isDescending: Bool

        /// Creates a term of a property, in ascending order.
        public init(stringLiteral property: String) { self.init(property) }

        /// Creates a term of a property that is known only at run time, in ascending order.
        ///
        /// ```swift
        /// TableIndex.index(TableIndex.Term(name))
        /// ```
        public init(_ property: String) { (source, isDescending) = (.property(property), false) }

        init(_ source: Source, isDescending: Bool) { (self.source, self.isDescending) = (source, isDescending) }

        /// Creates a term of a property, in descending order, for queries that order so.
        ///
        /// ```sql
        /// CREATE INDEX … ON "order" ("tenant", "created_at" DESC)
        /// ```
        public static func descending(_ property: String) -> Term {
            Term(.property(property), isDescending: true)
        }

        /// Creates a term of an expression in SQL, which names columns, not properties, and has to suit each engine
        /// that you use.
        ///
        /// ```sql
        /// CREATE INDEX … ON "person" ((lower(last_name)))
        /// ```
        public static func expression(_ sql: String) -> Term { Term(.expression(sql), isDescending: false) }
    }

    /// The terms, in the order of the index.
    public let terms: [Term]
    /// Whether the combination of values is unique.
    public let isUnique: Bool
    /// The condition in SQL that rows of the index meet; nil if it has all rows.
    public let condition: String?

    /// The names of the properties, in the order of the index, without expressions.
    public var properties: [String] {
        terms.compactMap { if case .property(let name) = $0.source { name } else { nil } }
    }

    /// Whether it is over all rows and over properties alone.
    var isPlain: Bool { condition == nil && properties.count == terms.count }

    /// Creates an index over properties, given by their names, and over expressions.
    ///
    /// ```swift
    /// @Table(indexes: [.index("status", .descending("createdAt"), where: "status <> 'done'")])
    /// ```
    ///
    /// - Parameters:
    ///   - terms: The names of properties; `.descending` and `.expression` for others.
    ///   - condition: A condition in SQL, which names columns, for an index of some of the rows.
    public static func index(_ terms: Term..., where condition: String? = nil) -> TableIndex {
        TableIndex(terms: terms, isUnique: false, condition: condition)
    }

    /// Creates a unique key over properties, given by their names, and over expressions.
    ///
    /// ```swift
    /// @Table(indexes: [.unique("email", where: "deleted_at IS NULL")])
    /// ```
    ///
    /// An `upsert` goes by unique keys without a condition and without expressions only.
    ///
    /// - Parameters:
    ///   - terms: The names of properties; `.descending` and `.expression` for others.
    ///   - condition: A condition in SQL, which names columns, for a key of some of the rows.
    public static func unique(_ terms: Term..., where condition: String? = nil) -> TableIndex {
        TableIndex(terms: terms, isUnique: true, condition: condition)
    }
}
