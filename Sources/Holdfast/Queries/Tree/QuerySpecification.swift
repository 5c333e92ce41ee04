/// The parts of a query, collected before it is written as SQL.
struct QuerySpecification: Sendable {
    var conditions: [QueryNode] = []
    var orders: [Ordering] = []
    /// The order of the type, where objects are asked for in none.
    var defaultOrders: [Ordering] = []
    var limit: Int?
    var offset = 0
    /// Of the objects that are the same in these, as many as `ofEach` are given: the first by `choice`, and else by
    /// key.
    var distinct: [QueryNode] = []
    var choice: [Ordering] = []
    var ofEach = 1
    /// The place in the order behind which a page begins: what has to be true of its objects, and is not asked when
    /// those are chosen that are the same.
    var place: QueryNode?
    /// The expressions by which values are grouped.
    var groups: [QueryNode] = []
    var groupConditions: [QueryNode] = []
    /// The rows of its own table that are found.
    var seen = SeenRows()
    /// How rows that are read are locked; nil if they are not.
    var lock: RowLock?
    var scope = LoadScope()
    /// The other table of pairs.
    var join: QueryJoin?
    /// The scopes of its closures.
    var scopes = QueryScopes()
    /// The levels of its deepest condition.
    var levels = 0
    /// The paths into a property kept as JSON that may be asked for; nil for any.
    var declared: DeclaredPaths?
    /// The first error that was made while the query was built.
    var failure: DatabaseError?

    /// What is found of the objects that are marked as deleted.
    var deleted: DeletedRows {
        get { seen.deleted }
        set { seen.deleted = newValue }
    }
    var condition: QueryNode? { conditions.count > 1 ? .and(conditions) : conditions.first }
    /// The order of objects.
    var objectOrders: [Ordering] { orders.isEmpty ? defaultOrders : orders }
    /// The ranks among the objects that are the same of those that are given.
    var countOfEach: String { ofEach == 1 ? "= 1" : "<= \(ofEach)" }
    /// Whether all objects of the type are asked for.
    var isAll: Bool { conditions.isEmpty && limit == nil && offset == 0 && distinct.isEmpty }

    /// Whether some of the rows are given, by their order.
    var isCut: Bool { limit != nil || offset > 0 }

    /// All that it asks of rows; the parts of relations that are loaded with objects are not among them.
    var nodes: [QueryNode] {
        conditions + (orders + defaultOrders + choice).map(\.node) + distinct + groups + groupConditions
            + (join.map { [$0.condition] } ?? [])
    }

    /// Whether SQL of the caller's is part of it: a function that it calls may write.
    var hasCallersSQL: Bool { nodes.contains(where: \.hasCallersSQL) }

    /// - Parameter allowsGroups: Whether values are asked for, which groups can have.
    func validate(allowsGroups: Bool = false) throws {
        if let failure { throw failure }
        if !allowsGroups, !groups.isEmpty || !groupConditions.isEmpty {
            throw DatabaseError(
                .unsupported, "A query asks for groups, which are no objects. Ask for their values, by `select`.")
        }
        if conditions.contains(where: \.hasAggregate) || join?.condition.hasAggregate == true {
            throw DatabaseError(
                .invalidValue, "A query asks each object for an aggregate of all. Group, and ask groups by `having`.")
        }
        if let limit, limit < 0 {
            throw DatabaseError(.invalidValue, "The limit of a query is 0 or more.")
        }
        if offset < 0 { throw DatabaseError(.invalidValue, "The offset of a query is 0 or more.") }
    }

    func limited(to count: Int) -> QuerySpecification {
        var specification = self
        specification.limit = min(limit ?? count, count)
        return specification
    }

    static func locksInside(_ description: TableDescription) -> DatabaseError {
        DatabaseError(
            .unsupported, "A query inside of a query locks rows. Lock those of the query around it, or apart.",
            table: description.table)
    }
}
