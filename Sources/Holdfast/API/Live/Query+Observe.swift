extension Query {
    /// Returns the results of the query, now and after each commit that changes them.
    ///
    /// ```swift
    /// for try await results in db.query(Project.self).where({ $0.isOpen == true }).observe() {
    ///     print(results.objects.count, results.difference.inserted)
    /// }
    /// ```
    ///
    /// - The query runs at first, and again after commits that may have changed a table which it reads: that of its
    ///   type, and those that relations lead to from there. A deletion may reach any table by foreign keys and
    ///   triggers, and raw SQL any table, so after these the query runs as well. A result is returned only if it
    ///   differs, also in what related objects hold.
    /// - It runs as well when an object of one of these types expires (``Expires()``), at that instant and not only
    ///   when its row is deleted.
    /// - Observing begins with the first result: no later commit is missed. A commit whose outcome is unknown counts.
    /// - Other processes are noticed if the tables are logged (<doc:ChangeLog>). Otherwise their changes show when the
    ///   query next runs, which `interval` can ensure. So do those of functions that write, called by SELECT, and of
    ///   triggers that you made and that insert or update rows of other tables than their own.
    /// - Commits that come within `delay` lead to one result. While you use a result, further commits wait, and lead to
    ///   one more: nothing is queued up.
    /// - A lost connection does not end the sequence. It asks again until the server is back, and what changed
    ///   meanwhile is in the next result. Other errors end it.
    /// - It ends when its task is cancelled, and throws ``DatabaseError/Code/closed`` when the database is closed.
    ///   Leave the loop, and nothing is observed any more.
    ///
    /// - Parameters:
    ///   - delay: How long further commits are waited for after one, before the query runs again.
    ///   - interval: How long after a result the query runs again even if this process has committed nothing, so that
    ///     commits of other processes are noticed; nil, the default, for never.
    ///   - keepingInstances: Whether a result has the instances of the one before, for objects that have not changed
    ///     and lead to nothing that has. Others are new instances, also where a kept one leads to the same object. What
    ///     you change in a kept instance stays as it is. Of structs there is nothing to keep.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: While iterating, the errors of ``fetch(fileID:line:)``, and ``DatabaseError/Code/unsupported`` in a
    ///   transaction.
    public func observe(
        delay: Duration = .milliseconds(20), interval: Duration? = nil, keepingInstances: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> QueryObservation<Model> {
        QueryObservation(
            query: at(fileID, line), pace: ObservationPace(delay: delay, interval: interval),
            keepsInstances: keepingInstances)
    }

    /// Returns what a closure reads by the query, now and after each commit of this process that changes it.
    ///
    /// ```swift
    /// for try await count in db.query(Project.self).observe({ try await $0.count() }) { print(count) }
    /// for try await names in db.query(Project.self).observe({ try await $0.select(\.name).fetch() }) { print(names) }
    /// ```
    ///
    /// It does for counts, selections, groups and pages what ``observe(delay:interval:keepingInstances:fileID:line:)``
    /// does for objects, by the same rules: what the closure asks of types to which none of the query's relations
    /// leads, as by a query inside of its `select`, is not watched.
    ///
    /// - Parameters:
    ///   - delay: How long further commits are waited for after one, before the closure runs again.
    ///   - interval: How long after a value the closure runs again even if this process has committed nothing.
    ///   - read: Reads the value; runs on the isolation of whoever iterates, and may run when nothing has changed.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    public func observe<Value: Equatable>(
        delay: Duration = .milliseconds(20), interval: Duration? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ read: @escaping (Query<Model>) async throws -> Value
    ) -> ValueObservation<Value> {
        let pace = ObservationPace(delay: delay, interval: interval)
        return ValueObservation {
            (try observationLoop(pace, rows: observedRows(readsValues: true)), { try await read(self) })
        }
    }

    func observationLoop(_ pace: ObservationPace, rows: ObservedRows?) throws -> ObservationLoop {
        let access = try access
        return try ObservationLoop(
            access, tables: observedTables, rows: rows, pace, watchesLog: try readsLoggedTables(),
            statements: rows == nil ? nil : access.core.plan(for: Model.self).statements.ofObservedRows,
            nextExpiry: NextExpiry(of: readTypes, access.core.dialect))
    }

    /// The rows of its own table that matter to the query; nil if that is not known.
    ///
    /// - Parameter readsValues: Whether it is asked for other things than its objects.
    func observedRows(readsValues: Bool = false) -> ObservedRows? {
        // The keys of objects that are left out after they were read are not known, nor are those that an offset skips.
        guard !canLeaveOut, Model.ownDescription.presence.conditions.isEmpty, specification.offset == 0 else {
            return nil
        }
        // Of queries inside, other rows of the table may matter.
        if askingNodes.contains(where: \.hasQueryInside) { return nil }
        return ObservedRows(specification, of: Model.ownDescription, readsValues: readsValues)
    }

    private func readsLoggedTables() throws -> Bool {
        guard case .database(let core) = try access.kind else { return false }
        return readTypes.contains(where: core.logWatcher.isLogged)
    }

    /// The names of the tables that the query reads; nil if they may be any.
    private var observedTables: Set<String>? {
        // A condition that asks who holds an object reads tables from which nothing leads.
        // And so may SQL of the caller's.
        let parts = specification.scope.including.parts(from: Model.ownDescription).flatMap(\.part.nodes)
        if (askingNodes + parts).contains(where: \.asksOtherTables) { return nil }
        return Set(
            readTypes.flatMap(\.definitions)
                .map { TableName(schema: $0.schema, $0.name).description })
    }

    /// The types that the query reads, and those of queries inside of it.
    private var readTypes: [TableDescription] {
        var (types, met): ([TableDescription], Set<ObjectIdentifier>) = ([], [])
        for type in [Model.ownDescription] + askingNodes.flatMap(\.innerTypes) {
            for reached in type.reachable where met.insert(ObjectIdentifier(reached)).inserted { types.append(reached) }
        }
        return types
    }

    private var askingNodes: [QueryNode] {
        specification.conditions + specification.distinct
            + (specification.objectOrders + specification.choice).map(\.node)
    }

    /// Fetches the objects, with a fingerprint of all that was loaded.
    func fetchWithFingerprint(keepsRelated: Bool) async throws -> ([Model], ResultFingerprint) {
        let operation = try LoadOperation<Model>(try access, specification.scope)
        let (statement, parameters) = try await written { try $0.select() }
        return try await operation.allWithFingerprint(
            statement, parameters, selectsAll: selectsAll, keepsRelated: keepsRelated)
    }
}

extension QueryNode {
    /// Whether it may read tables to which no relation leads.
    fileprivate var asksOtherTables: Bool {
        switch self {
        case .isHeld, .sql: true
        case .text(let text):
            hasCallersSQL
                || text.pieces.contains { if case .condition(let node) = $0 { node.asksOtherTables } else { false } }
        default: children.contains(where: \.asksOtherTables)
        }
    }

    /// The types of queries inside of it.
    fileprivate var innerTypes: [TableDescription] {
        let own: [TableDescription] =
            switch self {
            case .subquery(let query), .exists(let query), .isInQuery(_, let query):
                [query.description] + (query.specification.join.map { [$0.description] } ?? [])
            default: []
            }
        let conditions: [QueryNode] =
            if case .text(let text) = self {
                text.pieces.compactMap { if case .condition(let node) = $0 { node } else { nil } }
            } else { [] }
        return own + (children + conditions).flatMap(\.innerTypes)
    }

    /// Whether a query inside of it looks at further rows.
    fileprivate var hasQueryInside: Bool {
        switch self {
        case .subquery, .exists, .isInQuery, .isInTree, .treeLevel, .searchRank: true
        case .text(let text):
            text.pieces.contains { if case .condition(let node) = $0 { node.hasQueryInside } else { false } }
        default: children.contains(where: \.hasQueryInside)
        }
    }
}
