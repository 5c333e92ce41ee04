/// A question about the objects of one type: which of them, in what order, and how much of them.
///
/// It is a value: each method gives a new one, and nothing is asked of the database before a method that is `async`.
///
/// ```swift
/// let projects = try await db.query(Project.self)
///     .where { $0.budget > 1_000 && $0.lead.lastName.hasPrefix("Sm") }
///     .order { [$0.name.ascending, $0.budget.descending] }
///     .limit(20)
///     .fetch()
/// // SELECT t0."id", … FROM "project" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id"
/// // WHERE t0."budget" > $1 AND … ORDER BY t0."name" COLLATE "C", t0."budget" DESC, t0."id" LIMIT 20
/// ```
///
/// What a query says wrongly (an unknown property, a value that does not fit) is thrown when it runs, before anything
/// is sent.
public struct Query<Model: TableObject>: Sendable {
    /// Where it is asked; nil of a query by itself.
    private let givenAccess: DatabaseAccess?
    var specification: QuerySpecification

    /// A query for objects of a type, which belongs to no database yet: it can be printed, and asked by
    /// ``on(_:fileID:line:)``.
    public init(_ type: Model.Type = Model.self) {
        givenAccess = nil
        specification = QuerySpecification(defaultOrders: Model.defaultOrder)
    }

    init(access: DatabaseAccess, specification: QuerySpecification? = nil) {
        givenAccess = access
        self.specification = specification ?? QuerySpecification(defaultOrders: Model.defaultOrder)
    }

    /// Returns the query bound to a database or a transaction.
    public func on(_ context: some DatabaseContext, fileID: StaticString = #fileID, line: UInt = #line) -> Query {
        Query(access: context.access(fileID, line), specification: specification)
    }

    var access: DatabaseAccess {
        get throws {
            guard let givenAccess else {
                throw DatabaseError(.conflict, "A query by itself has no database to ask. Say which, by `on`.")
            }
            return givenAccess
        }
    }

    private func changed(_ change: (inout QuerySpecification) -> Void) -> Query {
        var query = self
        change(&query.specification)
        return query
    }

    // MARK: Which

    /// Only objects that meet a condition, besides those of before.
    public func `where`(_ condition: (Columns<Model>) -> some ConditionConvertible) -> Query {
        `where`(condition(Columns()).condition)
    }

    /// Only objects that meet a condition: text, or made at run time.
    public func `where`(_ condition: Condition) -> Query {
        switch condition.node {
        case .constant(true): self
        case .and(let nodes) where nodes.isEmpty: self
        default: changed { $0.conditions.append(condition.node) }
        }
    }

    /// Of the objects that are the same in some properties only one: the one with the lowest key, among those that meet
    /// the conditions.
    ///
    /// - Parameters:
    ///   - properties: The properties; of a relation its key counts.
    ///   - choice: Which of them, if not the one with the lowest key: the first in this order.
    public func distinct<each Value>(
        by properties: (Columns<Model>) -> (repeat QueryExpression<each Value>),
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        let expressions = properties(Columns())
        var nodes: [QueryNode] = []
        for expression in repeat each expressions { nodes.append(expression.node) }
        return changed { specification in
            specification.distinct = nodes
            specification.choice = choice(Columns())
        }
    }

    /// The same, by names of properties.
    public func distinct(by properties: [String], keeping choice: [Ordering] = []) -> Query {
        changed { specification in
            if properties.isEmpty {
                specification.failure = DatabaseError(
                    .invalidValue, "A query asks for objects that differ in nothing. Name the properties.")
            }
            specification.distinct = properties.map { .path(QueryPath(named: $0)) }
            specification.choice = choice
        }
    }

    // MARK: In what order

    /// In an order, in place of the one of before.
    public func order(_ orders: (Columns<Model>) -> [Ordering]) -> Query { order(by: orders(Columns())) }

    /// In the order of one property.
    public func order(_ order: (Columns<Model>) -> Ordering) -> Query { self.order(by: [order(Columns())]) }

    /// In the order of one property.
    ///
    /// ```swift
    /// db.query(Project.self).order(\.name)
    /// db.query(Project.self).order(\.lead.lastName, .descending)
    /// ```
    ///
    /// - Parameters:
    ///   - property: The property, by its key path; or what is computed of properties, by a closure.
    ///   - direction: Whether the least comes first, or the greatest.
    public func order<Value>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, _ direction: Ordering.Direction = .ascending
    ) -> Query {
        order(by: [Ordering(property(Columns()).node, isDescending: direction == .descending)])
    }

    /// In an order that names properties.
    public func order(by orders: [Ordering]) -> Query { changed { $0.orders = orders } }

    /// At most so many objects.
    public func limit(_ count: Int) -> Query { changed { $0.limit = count } }

    /// Without the first so many.
    public func offset(_ count: Int) -> Query { changed { $0.offset = count } }

    // MARK: How much of them

    /// With some properties only, besides the key and the timestamps.
    ///
    /// ```swift
    /// let projects = try await db.query(Project.self).properties(\.name, \.lead).fetch()
    /// ```
    ///
    /// The others hold what a new object has in them, and `isLoaded` tells. To set one of them and save is refused, and
    /// no save overwrites what was left out; `reload` gets all. Objects of the same type that are reached by relations
    /// get no more. A relation is followed if it is among the properties, or named by ``including(_:)``.
    ///
    /// While it runs, the query throws ``DatabaseError/Code/invalidValue`` if a property is left out that is neither
    /// optional nor has a default, and ``DatabaseError/Code/unsupported`` for a struct, which can't remember what it
    /// lacks.
    public func properties(_ properties: PartialKeyPath<Model>...) -> Query {
        let description = Model.ownDescription
        do {
            return self.properties(
                try properties.map { description.properties[try description.requiredIndex(of: $0)].name })
        } catch {
            return changed { $0.failure = error as? DatabaseError }
        }
    }

    /// The same, by names of properties.
    public func properties(_ names: [String]) -> Query { changed { $0.scope.properties = names } }

    /// With the key and the timestamps only, and whatever no object can be made without.
    public func sparse() -> Query {
        let description = Model.ownDescription
        return properties(description.properties.filter { !$0.canBeLeftOut }.map(\.name))
    }

    /// With relations that would be left out, such as `["related.lead"]`.
    public func including(_ paths: RelationPaths) -> Query { changed { $0.scope.including = paths } }

    /// With relations that would be left out, by their properties: `including(\.related, \.lead)`.
    ///
    /// While it runs, the query throws ``DatabaseError/Code/invalidValue`` for what is no relation.
    public func including(_ relation: PartialKeyPath<Model>, _ others: PartialKeyPath<Model>...) -> Query {
        let description = Model.ownDescription
        do {
            let names = try ([relation] + others).map {
                description.properties[try description.requiredIndex(of: $0)].name
            }
            return including(RelationPaths(names))
        } catch {
            return changed { $0.failure = error as? DatabaseError }
        }
    }

    /// With so many levels of relations; nil for all.
    public func depth(_ depth: Int?) -> Query { changed { $0.scope.depth = depth } }

    /// With what becomes of a key that leads to no row.
    public func missingTarget(_ missingTarget: MissingTarget) -> Query {
        changed { $0.scope.missingTarget = missingTarget }
    }
}

extension DatabaseContext {
    /// A query for objects of a type: all of them, until it says otherwise.
    public func query<Model: TableObject>(
        _ type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Query<Model> { Query(access: access(fileID, line)) }
}
