/// Gives one instance for each row, however often and by whatever way a transaction loads it.
///
/// By itself, each fetch makes instances of its own. With an identity map, objects that were loaded apart from each
/// other fit together:
///
/// ```swift
/// try await db.transaction { tx in
///     let objects = IdentityMap(tx)
///     let ticket = try await objects.find(Ticket.self, key: 7)       // with its assignee, Ada
///     let ada = try await objects.first(tx.query(Agent.self).where { $0.name == "Ada" })
///     ada?.openTickets += 1                                          // the ticket's assignee is this instance
///     if let ticket { try await tx.save(ticket) }
/// }
/// ```
///
/// Each call runs its statements as a fetch of the transaction does; the map saves none. An object that is there
/// already keeps its values and its unsaved changes, and gets what it lacks: relations that were not loaded, and
/// properties that a query left out. So it doesn't show what SQL of your own has changed meanwhile; `reload` does.
/// Structs are values, and come as always.
///
/// Create the map in the closure of the transaction, so that each attempt has its own. It is not `Sendable`, like the
/// objects in it. See *Identity Map* in M. Fowler, *Patterns of Enterprise Application Architecture*, 2002.
public final class IdentityMap {
    private let transaction: Transaction
    private let known = KnownObjects()

    /// Creates an empty map for the loads of a transaction.
    public init(_ transaction: Transaction) { self.transaction = transaction }

    /// Finds the object with a primary key; nil if there is none.
    ///
    /// ```swift
    /// let ticket = try await objects.find(Ticket.self, key: 7)
    /// // SELECT "id", "title", … FROM "ticket" WHERE "id" = $1
    /// ```
    ///
    /// - Throws: The errors of ``DatabaseContext/find(_:key:including:depth:missingTarget:fileID:line:)``.
    public func find<Model: TableObject>(
        _ type: Model.Type, key: some KeyConvertible, including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        try await fetch(
            type, keys: [key], including: paths, depth: depth, missingTarget: missingTarget, fileID: fileID, line: line
        ).first
    }

    /// Fetches the objects with primary keys, in the order of the keys.
    ///
    /// ```swift
    /// let tickets = try await objects.fetch(Ticket.self, keys: [3, 1, 2])
    /// ```
    public func fetch<Model: TableObject>(
        _ type: Model.Type, keys: [some KeyConvertible], including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        let operation = try LoadOperation<Model>(
            transaction.access(fileID, line),
            LoadScope(including: paths, depth: depth, missingTarget: missingTarget))
        return try await operation.many(keys.map { operation.canonical($0._key) }, known: known)
    }

    /// Fetches the objects that meet a query.
    ///
    /// ```swift
    /// let open = try await objects.fetch(tx.query(Ticket.self).where { $0.status == .open })
    /// ```
    public func fetch<Model: TableObject>(
        _ query: Query<Model>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        try await query.on(transaction).at(fileID, line).fetch(known: known)
    }

    /// Fetches the first object that meets a query; nil if there is none.
    ///
    /// ```swift
    /// let ada = try await objects.first(tx.query(Agent.self).where { $0.name == "Ada" })
    /// ```
    public func first<Model: TableObject>(
        _ query: Query<Model>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        try await query.on(transaction).at(fileID, line).first(known: known)
    }

    /// Lets an object that the transaction has saved stand for its row.
    ///
    /// ```swift
    /// let ticket = Ticket("Slow", of: customer)
    /// try await tx.save(ticket)
    /// try objects.add(ticket)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` for an object without a key; ``DatabaseError/Code/conflict`` if
    ///   another instance stands for the row.
    public func add<Model: TableObject & AnyObject>(_ object: Model) throws {
        let plan = try transaction.scope.session.core.plan(for: Model.self)
        let key = try plan.key(of: object)
        if let other = known.object(of: Model.self, withKey: key), other !== object {
            throw DatabaseError(
                .conflict, "Another instance stands for the row of this \(plan.description.type). Use that one.",
                table: plan.description.table)
        }
        known.add(object, of: Model.self, withKey: key)
    }
}
