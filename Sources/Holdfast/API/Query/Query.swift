/// A query for objects of one type: conditions, order, limits, and the parts to load.
///
/// A query is a value: each method returns a new one. Only `async` methods access the database.
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
/// A mistake in a query (an unknown property, a value that does not fit) throws when it runs, before anything is sent.
public struct Query<Model: TableObject>: Sendable {
    /// The database or transaction of the query; nil for a query by itself.
    private let givenAccess: DatabaseAccess?
    private var sharedSpecification: CopyOnWrite<QuerySpecification>

    var specification: QuerySpecification {
        get { sharedSpecification.value }
        _modify { yield &sharedSpecification.value }
    }

    /// Creates a query without a database, which you can print, or run with ``on(_:fileID:line:)``.
    ///
    /// ```swift
    /// let rich = Query(Project.self).where { $0.budget > 1_000 }
    /// print(try rich.sql(for: .sqlite))
    /// let projects = try await rich.on(db).fetch()
    /// ```
    public init(_ type: Model.Type = Model.self) {
        givenAccess = nil
        sharedSpecification = CopyOnWrite(QuerySpecification(defaultOrders: Model.defaultOrder))
    }

    init(access: DatabaseAccess, specification: QuerySpecification? = nil) {
        givenAccess = access
        sharedSpecification = CopyOnWrite(
            specification ?? QuerySpecification(defaultOrders: Model.defaultOrder))
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

    // MARK: Conditions

    /// Keeps only objects that meet a condition, in addition to earlier ones.
    ///
    /// ```swift
    /// .where { $0.budget > 1_000 && $0.lead.lastName.hasPrefix("Sm") }
    /// // WHERE t0."budget" > $1 AND …
    /// ```
    public func `where`(_ condition: (Columns<Model>) -> some ConditionConvertible) -> Query {
        `where`(condition(Columns()).condition)
    }

    /// Keeps only objects that meet a condition that is text, or built at run time.
    ///
    /// ```swift
    /// .where("budget > \(1_000) AND lead.lastName LIKE \("Sm%")")
    /// .where(.compare("budget", .greater, 1_000))
    /// ```
    public func `where`(_ condition: Condition) -> Query {
        switch condition.node {
        case .constant(true): self
        case .and(let nodes) where nodes.isEmpty: self
        default: changed { $0.conditions.append(condition.node) }
        }
    }

    /// Keeps only objects that no object holds in any of some relations, such as those at the top of a tree.
    ///
    /// ```swift
    /// let top = try await db.query(Folder.self).unreferenced(by: \Folder.children, \Project.folder).fetch()
    /// // WHERE NOT EXISTS (SELECT 1 FROM "folder_children" AS t1 WHERE t1."folder_id" = t0."id")
    /// // AND NOT EXISTS (SELECT 1 FROM "project" AS t2 WHERE t2."folder_id" = t0."id")
    /// ```
    ///
    /// The relations can be of any types: references, arrays and their other sides. Their columns are indexed. A class
    /// and its subclasses have a table each, so name the relation of each. An object that holds itself is held.
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` for a property that is no relation to this
    /// type.
    ///
    /// - Parameters:
    ///   - relation: A relation that leads to the queried type.
    ///   - others: Further ones.
    public func unreferenced(by relation: AnyKeyPath, _ others: AnyKeyPath...) -> Query {
        changed { specification in
            for relation in [relation] + others {
                specification.conditions.append(.not(QueryNode.isHeld(by: relation)))
            }
        }
    }

    /// Keeps one object of those that are equal in every column but keys, timestamps and versions: the one with the
    /// lowest key that meets the conditions.
    ///
    /// ```swift
    /// let cities = try await db.query(City.self).distinct().fetch()
    /// ```
    ///
    /// References are compared by their keys; arrays, which have no columns, are not compared. A `Codable` property,
    /// kept as JSON, can't be compared: name the properties to compare.
    public func distinct() -> Query {
        changed { specification in
            specification.distinct = Model.ownDescription.ownContents.map {
                .path(QueryPath(scope: .root, [$0.name]))
            }
            specification.choice = []
        }
    }

    /// Keeps one object of each group with equal values of some properties: the one with the lowest key that meets the
    /// conditions.
    ///
    /// ```swift
    /// let oldest = try await db.query(Person.self)
    ///     .distinct { $0.city } keeping: { [$0.born.ascending] }
    ///     .fetch()
    /// ```
    ///
    /// - Parameters:
    ///   - properties: The properties.
    ///   - choice: The order whose first object is kept; by default that of the keys.
    public func distinct<First, each Value>(
        by properties: (Columns<Model>) -> (QueryExpression<First>, repeat QueryExpression<each Value>),
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        distinct(byAll: properties, keeping: choice)
    }

    /// Keeps one object of each group with an equal value of a property: the one with the lowest key that meets the
    /// conditions.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - choice: The order whose first object is kept; by default that of the keys.
    public func distinct<Value>(
        by property: (Columns<Model>) -> QueryExpression<Value>,
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query { distinct(by: [property(Columns()).node], keeping: choice) }

    private func distinct<each Value>(
        byAll properties: (Columns<Model>) -> (repeat QueryExpression<each Value>),
        keeping choice: (Columns<Model>) -> [Ordering]
    ) -> Query {
        let expressions = properties(Columns())
        var nodes: [QueryNode] = []
        for expression in repeat each expressions { nodes.append(expression.node) }
        return distinct(by: nodes, keeping: choice)
    }

    /// Keeps one object of each group with the same target of a relation: the one with the lowest key that meets the
    /// conditions.
    ///
    /// ```swift
    /// let first = try await db.query(Ticket.self).distinct { $0.assignee }.fetch()
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, which is compared by its key.
    ///   - choice: The order whose first object is kept; by default that of the keys.
    public func distinct<Target>(
        by relation: (Columns<Model>) -> Columns<Target>,
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query { distinct(by: [relation(Columns()).node], keeping: choice) }

    private func distinct(by nodes: [QueryNode], keeping choice: (Columns<Model>) -> [Ordering]) -> Query {
        changed { specification in
            specification.distinct = nodes
            specification.choice = choice(Columns())
        }
    }

    /// Keeps one object of each group with equal values of properties given by their names.
    ///
    /// ```swift
    /// .distinct(by: ["city"], keeping: [.ascending("born")])
    /// ```
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

    // MARK: Order

    /// Sorts the objects, replacing an earlier order.
    ///
    /// ```swift
    /// .order { [$0.name.ascending, $0.budget.descending] }
    /// // ORDER BY t0."name" COLLATE "C", t0."budget" DESC, t0."id"
    /// ```
    public func order(_ orders: (Columns<Model>) -> [Ordering]) -> Query { order(by: orders(Columns())) }

    /// Sorts the objects by one property.
    ///
    /// ```swift
    /// .order { $0.lead.lastName.ascending.ignoringCase }
    /// ```
    public func order(_ order: (Columns<Model>) -> Ordering) -> Query { self.order(by: [order(Columns())]) }

    /// Sorts the objects by one property, given as a key path.
    ///
    /// ```swift
    /// db.query(Project.self).order(\.name)
    /// db.query(Project.self).order(\.lead.lastName, .descending)
    /// ```
    ///
    /// - Parameters:
    ///   - property: The key path of the property, or a closure that computes a value from properties.
    ///   - direction: The direction; ascending by default.
    public func order<Value>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, _ direction: Ordering.Direction = .ascending
    ) -> Query {
        order(by: [Ordering(property(Columns()).node, isDescending: direction == .descending)])
    }

    /// Sorts the objects by properties given by their names.
    ///
    /// ```swift
    /// .order(by: [.descending("budget"), .ascending("lead.lastName")])
    /// ```
    public func order(by orders: [Ordering]) -> Query { changed { $0.orders = orders } }

    /// Limits the number of objects.
    ///
    /// ```swift
    /// .order(\.name).limit(20)    // ORDER BY … LIMIT 20
    /// ```
    public func limit(_ count: Int) -> Query { changed { $0.limit = count } }

    /// Skips a number of objects at the beginning; ``page(size:after:)`` does so reliably.
    ///
    /// ```swift
    /// .order(\.name).offset(40).limit(20)    // LIMIT 20 OFFSET 40
    /// ```
    public func offset(_ count: Int) -> Query { changed { $0.offset = count } }

    // MARK: Parts to load

    /// Loads only some properties, besides the key and the timestamps.
    ///
    /// ```swift
    /// let projects = try await db.query(Project.self).properties(\.name, \.lead).fetch()
    /// ```
    ///
    /// The other properties have the values of a new object; `isLoaded` returns false for them. Setting one of them and
    /// saving throws, a save never overwrites them, and `reload` loads them all. Objects of the same type that are
    /// reached through relations load the same properties. A relation is followed if it is among the properties, or
    /// named by ``including(_:)``.
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` if you leave out a property that is neither
    /// optional nor has a default, and ``DatabaseError/Code/unsupported`` for a struct, which can't remember missing
    /// properties.
    public func properties(_ properties: PartialKeyPath<Model>...) -> Query {
        let description = Model.ownDescription
        do {
            return self.properties(
                try properties.map { description.properties[try description.requiredIndex(of: $0)].name })
        } catch {
            return changed { $0.failure = error as? DatabaseError }
        }
    }

    /// Loads only the properties with these names, besides the key and the timestamps.
    ///
    /// ```swift
    /// .properties(["name", "lead"])    // SELECT t0."id", t0."name", t0."lead_id" …
    /// ```
    public func properties(_ names: [String]) -> Query { changed { $0.scope.properties = names } }

    /// Loads only the key, the timestamps, and properties without which no object can be created.
    ///
    /// ```swift
    /// let keys = try await db.query(Project.self).sparse().fetch().map(\.id)
    /// ```
    public func sparse() -> Query {
        let description = Model.ownDescription
        return properties(description.properties.filter { !$0.canBeLeftOut }.map(\.name))
    }

    /// Loads relations that would not be loaded otherwise, given by their paths.
    ///
    /// ```swift
    /// .including(["related.lead"])
    /// ```
    public func including(_ paths: RelationPaths) -> Query { changed { $0.scope.including = paths } }

    /// Loads relations that would not be loaded otherwise, given by their properties.
    ///
    /// ```swift
    /// .including(\.related, \.lead)
    /// ```
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` for a property that is not a relation.
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

    /// Leaves out objects with a stored value that does not fit its property, which would be an error otherwise.
    ///
    /// ```swift
    /// let readable = try await db.query(Project.self).omittingUnreadable().fetch()
    /// // warning: Objects were left out, … table=project count=2
    /// ```
    ///
    /// As with ``OmitIfMissing()``, an object that references an omitted object is left out too, and arrays leave out
    /// omitted elements; saving their owners loses nothing. The number for each table is logged as a `warning`, without
    /// values. ``count()``, ``exists()`` and ``keys()`` don't read the values, and count these objects.
    public func omittingUnreadable() -> Query { changed { $0.scope.omitsUnreadable = true } }

    /// Limits the number of levels of relations that are followed; nil for all.
    ///
    /// ```swift
    /// .depth(1)    // projects with their leads, but not the leads' own relations
    /// ```
    public func depth(_ depth: Int?) -> Query { changed { $0.scope.depth = depth } }

    /// Sets the handling of keys without a target row, in a database whose foreign keys were not enforced.
    ///
    /// ```swift
    /// .missingTarget(.nil)    // the property is nil; an error otherwise
    /// ```
    public func missingTarget(_ missingTarget: MissingTarget) -> Query {
        changed { $0.scope.missingTarget = missingTarget }
    }
}

extension DatabaseContext {
    /// Starts a query for all objects of a type, to be narrowed by its methods.
    ///
    /// ```swift
    /// let rich = try await db.query(Project.self).where { $0.budget > 1_000 }.fetch()
    /// ```
    public func query<Model: TableObject>(
        _ type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Query<Model> { Query(access: access(fileID, line)) }
}
