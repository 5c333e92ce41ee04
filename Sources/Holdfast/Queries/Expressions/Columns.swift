/// The properties of a model in conditions and orders of a query.
///
/// ```swift
/// db.query(Project.self).where { $0.budget > 1_000 && $0.lead.lastName.hasPrefix("Sm") }
/// ```
///
/// A value is a ``QueryExpression``, a related object the columns of its own type, and an array a ``ValueArrayColumn``
/// or an ``ObjectArrayColumn``.
@dynamicMemberLookup
public struct Columns<Model: TableObject>: Sendable {
    let path: QueryPath
    /// The error in the path, if there is one.
    let failure: DatabaseError?

    /// Creates the columns of the queried object, for conditions outside a closure.
    ///
    /// ```swift
    /// let project = Columns<Project>()
    /// let isRich = project.budget > 1_000
    /// let rich = try await db.query(Project.self).where(isRich).fetch()
    /// ```
    public init() { self.init(QueryPath(scope: .root)) }

    init(_ path: QueryPath, failure: DatabaseError? = nil) {
        self.path = path
        self.failure = failure
    }

    var node: QueryNode { failure.map { .failure($0) } ?? .path(path) }

    /// A property with a value.
    ///
    /// ```swift
    /// $0.budget > 1_000    // t0."budget" > $1
    /// ```
    public subscript<Value: Storable>(dynamicMember keyPath: KeyPath<Model, Value>) -> QueryExpression<Value> {
        expression(keyPath)
    }

    /// A property that is stored as JSON, which can only be compared with nil.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> QueryExpression<Value> {
        expression(keyPath)
    }

    /// A property that is kept as JSON, whose type has ``JSONObject()``.
    ///
    /// ```swift
    /// $0.profile.address.city == "Bonn"
    /// ```
    public subscript<Value: JSONObjectType>(dynamicMember keyPath: KeyPath<Model, Value>) -> JSONColumns<Value> {
        let expression: QueryExpression<Value> = expression(keyPath)
        return JSONColumns(place: JSONPlace(document: expression.node))
    }

    /// An optional property that is kept as JSON, whose type has ``JSONObject()``.
    public subscript<Value: JSONObjectType>(dynamicMember keyPath: KeyPath<Model, Value?>) -> JSONColumns<Value> {
        let expression: QueryExpression<Value> = expression(keyPath)
        return JSONColumns(place: JSONPlace(document: expression.node))
    }

    /// The target of a relation.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, Target>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The target of an optional relation; if the relation is nil, so are the properties behind it.
    ///
    /// ```swift
    /// $0.lead.lastName == "Smith"    // LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id" …
    /// ```
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, Target?>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The target of a lazy reference.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, Reference<Target>>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The target of an optional lazy reference.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, Reference<Target>?>) -> Columns<Target> {
        columns(keyPath)
    }

    /// An array of values.
    ///
    /// ```swift
    /// $0.tags.contains("moon")    // t0."id" IN (SELECT … FROM "project_tags" …)
    /// ```
    public subscript<Element: Storable>(dynamicMember keyPath: KeyPath<Model, [Element]>) -> ValueArrayColumn<Element> {
        array(keyPath)
    }

    /// An optional array of values.
    public subscript<Element: Storable>(dynamicMember keyPath: KeyPath<Model, [Element]?>) -> ValueArrayColumn<Element>
    {
        array(keyPath)
    }

    /// An array of objects.
    ///
    /// ```swift
    /// $0.meetings.contains { $0.minutes > 60 }    // t0."id" IN (SELECT … FROM "project_meetings" …)
    /// ```
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, [Target]>) -> ObjectArrayColumn<Target>
    {
        relation(keyPath)
    }

    /// An optional array of objects.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, [Target]?>) -> ObjectArrayColumn<Target>
    {
        relation(keyPath)
    }

    /// An array of lazy references.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, [Reference<Target>]>) -> ObjectArrayColumn<Target> {
        relation(keyPath)
    }

    /// An optional array of lazy references.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, [Reference<Target>]?>) -> ObjectArrayColumn<Target> {
        relation(keyPath)
    }
}

extension Columns {
    private func expression<Value>(_ keyPath: AnyKeyPath) -> QueryExpression<Value> {
        let (path, failure, storage) = step(keyPath)
        return QueryExpression(failure.map { .failure($0) } ?? .path(path), storage: storage)
    }

    private func columns<Target>(_ keyPath: AnyKeyPath) -> Columns<Target> {
        let (path, failure, _) = step(keyPath)
        return Columns<Target>(path, failure: failure)
    }

    private func array<Element>(_ keyPath: AnyKeyPath) -> ValueArrayColumn<Element> {
        let (path, failure, storage) = step(keyPath)
        return ValueArrayColumn(path: path, failure: failure, storage: storage)
    }

    private func relation<Target>(_ keyPath: AnyKeyPath) -> ObjectArrayColumn<Target> {
        let (path, failure, _) = step(keyPath)
        return ObjectArrayColumn(path: path, failure: failure)
    }

    /// Returns the path to a property of this object, or the error if there is none.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func step(_ keyPath: AnyKeyPath) -> (QueryPath, DatabaseError?, ValueStorage) {
        let description = Model.ownDescription
        guard let index = description.index(ofKeyPath: keyPath) else {
            let error = DatabaseError(
                .invalidValue,
                "A query names a property of \(description.type) that is not kept in its table. Name one that is.",
                table: description.table)
            return (path, failure ?? error, .native)
        }
        let property = description.properties[index]
        return (path.appending(property.name), failure, property.queryStorage)
    }
}

// MARK: - Objects

extension Columns {
    /// Whether the relation has this target; compares keys.
    ///
    /// ```swift
    /// .where { $0.lead == ann }    // WHERE t0."lead_id" = $1
    /// ```
    public static func == (columns: Columns, object: Model) -> Condition {
        columns.compared(.equal, object)
    }

    /// Whether the relation has another target, or is nil.
    public static func != (columns: Columns, object: Model) -> Condition {
        columns.compared(.notEqual, object)
    }

    /// Whether both relations have the same target, or both are nil.
    ///
    /// ```swift
    /// .where { $0.lead == $0.deputy }
    /// ```
    public static func == (left: Columns, right: Columns) -> Condition {
        Condition(.comparison(.equal, left.node, right.node))
    }

    /// Whether the relations have different targets.
    public static func != (left: Columns, right: Columns) -> Condition {
        Condition(.comparison(.notEqual, left.node, right.node))
    }

    /// Whether the relation is nil.
    ///
    /// ```swift
    /// .where { $0.lead == nil }    // WHERE t0."lead_id" IS NULL
    /// ```
    public static func == (columns: Columns, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.equal, columns.node, .null))
    }

    /// Whether the relation has a target.
    public static func != (columns: Columns, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.notEqual, columns.node, .null))
    }

    /// Whether the relation has one of these targets.
    ///
    /// ```swift
    /// .where { $0.lead.in([ann, bob]) }
    /// ```
    public func `in`(_ objects: some Collection<Model>) -> Condition {
        Condition(.isIn(node, objects.map { keyNode(of: $0) }))
    }

    /// Whether the object has one of the keys.
    ///
    /// ```swift
    /// .where { $0.lead.in(keys: [3, 5]) }
    /// ```
    public func `in`(keys: some Collection<some KeyConvertible>) -> Condition {
        Condition(.isIn(node, keys.map { .key(Model.ownDescription.canonical($0._key)) }))
    }

    /// Whether the object has the key.
    ///
    /// ```swift
    /// .where { $0.lead.hasKey(3) }
    /// ```
    public func hasKey(_ key: some KeyConvertible) -> Condition {
        Condition(.comparison(.equal, node, .key(Model.ownDescription.canonical(key._key))))
    }

    private func compared(_ comparison: ComparisonOperator, _ object: Model) -> Condition {
        Condition(.comparison(comparison, node, keyNode(of: object)))
    }

    private func keyNode(of object: Model) -> QueryNode { QueryNode.key(of: object) }
}

extension QueryNode {
    /// Returns the key of an object as a value to compare with.
    static func key<Model: TableObject>(of object: Model) -> QueryNode {
        do {
            if let key = try Model.ownMapping.key(of: object) { return .key(key) }
            let description = Model.ownDescription
            return .failure(
                DatabaseError(
                    .invalidValue,
                    "A query compares with a new \(description.type), which has no key yet. Save it first.",
                    table: description.table))
        } catch {
            return .failure(
                error as? DatabaseError
                    ?? DatabaseError(.invalidValue, "The key of an object in a query can't be stored."))
        }
    }
}
