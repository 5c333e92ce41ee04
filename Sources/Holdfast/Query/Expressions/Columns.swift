/// The properties of a model, as the conditions and orders of a query name them.
///
/// ```swift
/// db.query(Project.self).where { $0.budget > 1_000 && $0.lead.lastName.hasPrefix("Sm") }
/// ```
///
/// Each property is what can be asked of it: a value is a ``QueryExpression``, an object the columns of its own type,
/// an array a ``ValueArrayColumn`` or an ``ObjectArrayColumn``.
@dynamicMemberLookup
public struct Columns<Model: TableObject>: Sendable {
    let path: QueryPath
    /// The error in the path, if there is one.
    let failure: DatabaseError?

    /// The columns of the object that a query is about: for conditions that are written apart from it.
    public init() { self.init(QueryPath(scope: .root)) }

    init(_ path: QueryPath, failure: DatabaseError? = nil) {
        self.path = path
        self.failure = failure
    }

    var node: QueryNode { failure.map { .failure($0) } ?? .path(path) }

    /// A property with a value of its own.
    public subscript<Value: Storable>(dynamicMember keyPath: KeyPath<Model, Value>) -> QueryExpression<Value> {
        expression(keyPath)
    }

    /// A property that is kept as JSON, of which can be asked whether it is nil.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> QueryExpression<Value> {
        expression(keyPath)
    }

    /// The object that a relation leads to.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, Target>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The object that a relation leads to, if it does: where it leads nowhere, all that comes after it is nil.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, Target?>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The object that a lazy reference leads to.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, Reference<Target>>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The object that a lazy reference leads to, if it does.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, Reference<Target>?>) -> Columns<Target> {
        columns(keyPath)
    }

    /// An array of values.
    public subscript<Element: Storable>(dynamicMember keyPath: KeyPath<Model, [Element]>) -> ValueArrayColumn<Element> {
        array(keyPath)
    }

    /// An array of values that can be nil.
    public subscript<Element: Storable>(dynamicMember keyPath: KeyPath<Model, [Element]?>) -> ValueArrayColumn<Element>
    {
        array(keyPath)
    }

    /// An array of objects.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, [Target]>) -> ObjectArrayColumn<Target>
    {
        relation(keyPath)
    }

    /// An array of objects that can be nil.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, [Target]?>) -> ObjectArrayColumn<Target>
    {
        relation(keyPath)
    }

    /// An array of lazy references.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, [Reference<Target>]>) -> ObjectArrayColumn<Target> {
        relation(keyPath)
    }

    /// An array of lazy references that can be nil.
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

    /// The path to a property of this object, or why there is none.
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
        return (path.appending(property.name), failure, property.storage)
    }
}

// MARK: - Objects

extension Columns {
    /// Whether the relation leads to `object`: compares keys.
    public static func == (columns: Columns, object: Model) -> Condition {
        columns.compared(.equal, object)
    }

    /// Whether the relation leads elsewhere, or nowhere.
    public static func != (columns: Columns, object: Model) -> Condition {
        columns.compared(.notEqual, object)
    }

    /// Whether both relations lead to the same object, or both nowhere.
    public static func == (left: Columns, right: Columns) -> Condition {
        Condition(.comparison(.equal, left.node, right.node))
    }

    /// Whether the relations lead to different objects.
    public static func != (left: Columns, right: Columns) -> Condition {
        Condition(.comparison(.notEqual, left.node, right.node))
    }

    /// Whether the relation leads nowhere.
    public static func == (columns: Columns, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.equal, columns.node, .null))
    }

    /// Whether the relation leads to an object.
    public static func != (columns: Columns, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.notEqual, columns.node, .null))
    }

    /// Whether the relation leads to one of the objects.
    public func `in`(_ objects: some Collection<Model>) -> Condition {
        Condition(.isIn(node, objects.map { keyNode(of: $0) }))
    }

    /// Whether the object has one of the keys.
    public func `in`(keys: some Collection<some KeyConvertible>) -> Condition {
        Condition(.isIn(node, keys.map { .key($0._key) }))
    }

    /// Whether the object has the key.
    public func hasKey(_ key: some KeyConvertible) -> Condition {
        Condition(.comparison(.equal, node, .key(key._key)))
    }

    private func compared(_ comparison: ComparisonOperator, _ object: Model) -> Condition {
        Condition(.comparison(comparison, node, keyNode(of: object)))
    }

    private func keyNode(of object: Model) -> QueryNode { QueryNode.key(of: object) }
}

extension QueryNode {
    /// The key of an object, to be compared with.
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
