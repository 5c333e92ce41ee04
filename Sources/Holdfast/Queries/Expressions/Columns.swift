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
    ///
    /// They are no part of a query inside a query, where they don't say whose they are: use those that its closures
    /// get.
    public init() { self.init(QueryPath(scope: .given)) }

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
}

extension Columns {
    func expression<Value>(_ keyPath: AnyKeyPath) -> QueryExpression<Value> {
        let (path, failure, storage) = step(keyPath)
        return QueryExpression(failure.map { .failure($0) } ?? .path(path), storage: storage)
    }

    /// Returns the path to a property of this object, or the error if there is none.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func step(_ keyPath: AnyKeyPath) -> (QueryPath, DatabaseError?, ValueStorage) {
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
