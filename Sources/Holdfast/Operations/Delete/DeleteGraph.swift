import Foundation

/// The objects that one deletion reaches: keys by table, in the order of the levels in which they were found.
final class DeleteGraph {
    let core: DatabaseCore
    let choice: DeleteChoice
    private(set) var deletedObjects: [any AnyDeletedObjects] = []
    /// The tables of the objects.
    private(set) var tables: [DeleteTable] = []
    private var tableIndices: [ObjectIdentifier: Int] = [:]
    /// When rows were marked, once they were.
    var markTime: Date?

    init(core: DatabaseCore, choice: DeleteChoice = DeleteChoice()) {
        self.core = core
        self.choice = choice
    }

    /// The objects of a type, with a table that is made at the first of them.
    func deletedObjects<Model: TableObject>(of type: Model.Type) throws -> DeletedObjects<Model> {
        if let index = tableIndices[ObjectIdentifier(type)], let known = deletedObjects[index] as? DeletedObjects<Model>
        {
            return known
        }
        let plan = try core.plan(for: type)
        try plan.description.requireWritable()
        let new = DeletedObjects<Model>(plan: plan)
        tableIndices[ObjectIdentifier(type)] = tables.count
        deletedObjects.append(new)
        tables.append(new.table)
        return new
    }

    /// Deletes rows that have expired, with what goes with them, as a sweep would.
    func delete<Model: TableObject>(
        _ expired: [StoredRows], of type: Model.Type, through session: Session
    ) async throws {
        let table = try deletedObjects(of: type).table
        for rows in expired { table.add(rows) }
        defer { noteDeletions() }
        _ = try await delete(through: session, nil)
    }

    /// Deletes objects that an owner let go, with what goes with them.
    ///
    /// - Parameter scope: The transaction of the hooks; nil if there are none.
    func delete(
        _ rows: StoredRows, of target: RelationTarget, through session: Session, in scope: TransactionScope?
    ) async throws {
        try table(of: target).add(rows)
        defer { noteDeletions() }
        _ = try await delete(through: session, scope)
    }

    /// Prepares for the deletion of objects of a type.
    func prepare(for target: RelationTarget) throws { _ = try table(of: target) }

    func table(of target: RelationTarget) throws -> DeleteTable {
        if let index = tableIndices[ObjectIdentifier(target.type)] { return tables[index] }
        return try target.type.deleteTable(in: self)
    }

    /// Adds an object to be deleted, to the table of its own class.
    func give<Model: TableObject>(_ object: Model, checkingVersionAt position: Int?) throws {
        if type(of: object as Any) != Model.self, let type = type(of: object as Any) as? any TableObject.Type {
            return try type.give(object, to: self, checkingVersionAt: position)
        }
        try deletedObjects(of: Model.self).give(object, checkingVersionAt: position)
    }

    /// Notes that the rows are deleted, and what goes with them.
    func noteDeletions() { for table in tables { Deletions.note(table.description) } }

    var isEmpty: Bool { keyCount == 0 }
    var keyCount: Int { tables.reduce(0) { $0 + $1.keyCount } }

    /// Whether nothing goes with what was given, and nobody wants to hear of it.
    var isSimple: Bool {
        get throws {
            let isPermanent = try !marksRows
            return try choice.isEmpty && !hasHooks
                && !tables.contains { $0.description.deletesMore(permanently: isPermanent) }
        }
    }

    /// The statements that delete rows of a table: also those that are marked, if the deletion is permanent.
    private func deletions(in table: DeleteTable) -> TableStatements {
        choice.isPermanent ? table.statements.ofMarkedRows : table.statements
    }

    /// Whether rows are looked at before they are deleted, for the versions that objects know of them.
    var knowsVersions: Bool { tables.contains(where: \.knowsVersions) }

    /// Locks the rows of objects with versions.
    ///
    /// - Parameter givenCount: How many objects were given.
    /// - Throws: ``DatabaseError/Code/staleVersion`` about the first object whose row has another version than it
    ///   knows.
    func checkVersions(givenCount: Int, through session: Session) async throws {
        var first: (error: DatabaseError, position: Int)?
        for table in tables {
            guard let outdated = try await table.outdated(through: session) else { continue }
            if outdated.position < first?.position ?? .max { first = outdated }
        }
        guard var first else { return }
        if givenCount > 1 { first.error.objectIndex = first.position }
        throw first.error
    }

    /// Whether an object that a deletion can reach has hooks.
    var hasHooks: Bool {
        get throws {
            if tables.contains(where: \.hasHooks) { return true }
            let included = try tables.flatMap { try choice.included(from: $0.description) }
            for relation in included where try table(of: relation.relation.target).hasHooks { return true }
            var pending = tables.map(\.description)
            var seen = Set(pending.map { ObjectIdentifier($0) })
            while let next = pending.popLast() {
                for relation in next.columns.relations where relation.deleteRule == .cascade {
                    let target = try table(of: relation.target)
                    if target.hasHooks { return true }
                    if seen.insert(ObjectIdentifier(target.description)).inserted { pending.append(target.description) }
                }
            }
            return false
        }
    }

    /// Deletes what was given, with nothing else to be seen to.
    func deleteGiven(through session: Session) async throws -> Int {
        if try marksRows {
            try await keepInside(through: session)
            return try await markGiven(through: session)
        }
        var count = 0
        for table in tables where table.keyCount > 0 {
            let isOne = table.keyCount == 1
            let statements = deletions(in: table)
            let deleted = try await session.execute(
                isOne ? statements.delete : statements.deleteMany, isOne ? table.keyRows : table.keyRows.asLists)
            if deleted < table.keyCount {
                try await table.requireGone(0..<table.keyCount, statements, through: session)
                try await keepGone(of: table, through: session)
            }
            count += deleted
        }
        session.note(changes)
        return count
    }

    /// What was deleted, for those who observe.
    private func changes() -> [TableChanges] {
        tables.filter { $0.keyCount > 0 }.map { table in
            let (keys, objects) = (table.keys.sorted { $0.value < $1.value }, deletedObjects(in: table))
            return TableChanges(
                table: table.description.table,
                changes: keys.map {
                    ObjectChange(kind: .deleted, key: $0.key, instance: objects?.instance($0.value))
                })
        }
    }

    /// Deletes what was given and what is reached from there, the last level first.
    ///
    /// The rows of each level are locked before it is read where they lead, and with what they hold the rows that say
    /// so: others who move something elsewhere have then committed, and it is not reached, or they wait.
    ///
    /// - Returns: How many of the rows given existed.
    func delete(through session: Session, _ scope: TransactionScope?) async throws -> Int {
        try await keepInside(through: session)
        if try marksRows { return try await mark(through: session, scope) }
        let (reached, existing) = try await reach(through: session)
        if let scope {
            try await scope.lendToHooks { transaction in
                for (table, keys) in reached {
                    try await deletedObjects(in: table)?.runWillDelete(Array(keys), in: transaction)
                }
            }
        }
        try await release(reached, through: session)
        for (table, keys) in inDeletionOrder(reached) { try await delete(keys, of: table, through: session) }
        session.note(changes)
        if let scope {
            try await scope.lendToHooks { transaction in
                for (table, keys) in reached {
                    try await deletedObjects(in: table)?.runDidDelete(Array(keys), in: transaction)
                }
            }
            for objects in deletedObjects { objects.registerAfterCommit(with: scope) }
        }
        return existing
    }

    /// Locks what was given and what is reached from there, level by level.
    ///
    /// - Returns: The rows, and how many of those given existed.
    @inline(never)  // decision 0069
    private func reach(through session: Session) async throws -> (reached: Reached, existing: Int) {
        var levels: [Reached] = [
            tables.filter { $0.keyCount > 0 }.map { ($0, 0..<$0.keyCount) }
        ]
        var existing = 0
        for (table, keys) in levels[0] {
            let count = try await table.lock(Array(keys), through: session)
            existing += choice.isPermanent ? try await table.countAll(Array(keys), count, through: session) : count
        }
        for (table, keys) in levels[0] { try await detachKept(from: table, Array(keys), session) }
        var followed = levels[0].map { (table: $0.table, keys: Array($0.keys), node: choice.including.root) }
        while let level = levels.last, !level.isEmpty || !followed.isEmpty {
            var starts = tables.map(\.keyCount)
            if levels.count > 1 {
                for (table, keys, _) in followed { _ = try await table.lock(keys, through: session) }
            }
            followed = try await follow(followed, &starts, session)
            for (table, keys) in level {
                if levels.count > 1, table.description.cascades {
                    _ = try await table.lock(Array(keys), through: session)
                }
                for relation in cascades(of: table.description, fromGiven: levels.count == 1) {
                    let target = try self.table(of: relation.target)
                    while starts.count < tables.count { starts.append(0) }
                    target.add(try await related(relation, of: table, Array(keys), session))
                }
            }
            levels.append(rows(since: starts))
        }
        if levels.count > 2 { try await requireInside(through: session) }
        return (levels.flatMap { $0 }, existing)
    }

    /// Deletes rows of a table that nothing leads to any more.
    @inline(never)  // decision 0069
    private func delete(_ keys: Range<Int>, of table: DeleteTable, through session: Session) async throws {
        let lists = table.keyRows.selecting(Array(keys)).asLists
        do {
            // A join table that another program made may have no foreign keys that do it.
            for (joinTable, near) in table.description.namedLinks {
                let sql = TableSQL(description: table.description, dialect: session.dialect)
                try await session.execute(
                    core.statementTexts.statement(
                        sql.deleteLinks(joinTable, near: near), table: joinTable.name.description), lists)
            }
            let statements = table.statements.ofAllRows
            let deleted = try await session.execute(statements.deleteMany, lists)
            if deleted < keys.count { try await table.requireGone(keys, statements, through: session) }
        } catch let error as DatabaseError {
            throw core.explained(error, of: table.description)
        }
    }

    /// Rows of tables, by the indices of their keys, level by level.
    private typealias Reached = [(table: DeleteTable, keys: Range<Int>)]

    /// The rows that were reached since each table had so many.
    @inline(never)  // decision 0069
    private func rows(since starts: [Int]) -> Reached {
        tables.enumerated().compactMap { index, table in
            let start = index < starts.count ? starts[index] : 0
            return start < table.keyCount ? (table, start..<table.keyCount) : nil
        }
    }

    /// The relations along which a deletion goes on.
    ///
    /// - Parameter fromGiven: Whether it goes on from rows that were given, some of whose relations the caller keeps.
    @inline(never)  // decision 0069
    private func cascades(of description: TableDescription, fromGiven: Bool) -> [Relation] {
        description.columns.relations.filter { relation in
            guard relation.deleteRule == .cascade else { return false }
            if fromGiven, choice.keeping.contains(relation.name) { return false }
            // Where rows must refer to each other, none can go by itself: the database's rule takes it along.
            guard case .reference = relation.storage else { return true }
            return description.releasedColumns(of: relation.property) != nil || !description.isInCircle(relation)
        }
    }

    /// Orders rows: the last level first, but what holds others that can't go before it comes before those.
    private func inDeletionOrder(_ reached: Reached) -> Reached {
        let reversed = Array(reached.reversed())
        var holders: [ObjectIdentifier: [DeleteTable]] = [:]
        for table in tables {
            for relation in table.description.holdingRelations where !table.description.isInCircle(relation) {
                guard let held = tables.first(where: { $0.description === relation.target.description }) else {
                    continue
                }
                holders[ObjectIdentifier(held), default: []].append(table)
            }
        }
        guard !holders.isEmpty else { return reversed }
        var remaining = Dictionary(grouping: reversed, by: { ObjectIdentifier($0.table) }).mapValues { $0[...] }
        var ordered: Reached = []
        // The recursion is no deeper than the number of tables, as no tables hold each other in a circle.
        func takeHolders(of table: DeleteTable) {
            for holder in holders.removeValue(forKey: ObjectIdentifier(table)) ?? [] {
                takeHolders(of: holder)
                ordered += remaining.removeValue(forKey: ObjectIdentifier(holder)) ?? []
            }
        }
        for entry in reversed where remaining[ObjectIdentifier(entry.table)] != nil {
            takeHolders(of: entry.table)
            remaining[ObjectIdentifier(entry.table)]?.removeFirst()
            ordered.append(entry)
        }
        return ordered
    }

    /// Sets references that lead back to their own table to NULL in rows that are about to be deleted: otherwise, none
    /// of the rows could be deleted first.
    private func release(_ reached: Reached, through session: Session) async throws {
        for table in tables {
            let sql = self.sql(of: table.description, session)
            for (_, columns) in table.description.circularReleases {
                let statement = core.statementTexts.statement(
                    sql.text(after: table.keyRows.width) { $0.detach(columns, from: table.description, by: nil) })
                for (other, keys) in reached where other === table {
                    try await session.execute(statement, table.keyRows.selecting(Array(keys)).asLists)
                }
            }
        }
    }

    /// Rows, by the indices of their keys, and the paths by which others go with them.
    private typealias Followed = [(table: DeleteTable, keys: [Int], node: RelationPaths.Node)]

    /// Adds what the paths of the choice lead to from rows, which are locked.
    ///
    /// - Parameter starts: For each table the number of keys before this level.
    /// - Returns: The rows that they lead to from there.
    private func follow(_ rows: Followed, _ starts: inout [Int], _ session: Session) async throws -> Followed {
        var result: Followed = []
        for (table, keys, node) in rows where !keys.isEmpty {
            for (name, child) in node.children.inOrder({ $0.key < $1.key }) {
                let relation = try choice.relation(name, of: table.description)
                let target = try self.table(of: relation.target)
                while starts.count < tables.count { starts.append(0) }
                let found = try await related(relation, of: table, keys, session)
                target.add(found)
                let indices = Set(
                    (0..<found.rowCount).compactMap { target.keys[found.key(ofRow: $0, count: found.width)] })
                if !indices.isEmpty { result.append((target, indices.sorted(), child)) }
            }
        }
        return result
    }

    /// Detaches objects that the caller keeps although a delete rule would delete them: sets foreign keys to NULL, or
    /// deletes rows of the join table.
    ///
    /// The rows of their owners are locked.
    private func detachKept(from table: DeleteTable, _ keys: [Int], _ session: Session) async throws {
        let owner = table.description
        for relation in owner.columns.relations
        where relation.deleteRule == .cascade && choice.keeping.contains(relation.name) {
            let target = relation.target.description
            let text: TimedSQL
            let width = table.keyRows.width
            switch relation.storage {
            case .reference:
                let released = try released(relation.property, of: owner)
                text = sql(of: owner, session).text(after: width) { $0.detach(released, from: owner, by: nil) }
            case .inverseReference(let property, let columns):
                let released = try released(property, of: target)
                text = sql(of: target, session).text(after: width) { $0.detach(released, from: owner, by: columns) }
            case .joinTable(let joinTable):
                text = sql(of: owner, session).text(after: width) {
                    $0.deleteLinks(joinTable, near: joinTable.ownerColumns)
                }
            case .inverseJoinTable(_, let joinTable):
                text = sql(of: owner, session).text(after: width) {
                    $0.deleteLinks(joinTable, near: joinTable.elementColumns.map(\.name))
                }
            }
            try await session.execute(core.statementTexts.statement(text), table.keyRows.selecting(keys).asLists)
            // A trigger may have passed it over: the rule would then delete what is to stay.
            guard try await related(relation, of: table, keys, session).rowCount == 0 else { throw owner.passedOver }
        }
    }

    /// The statements about a table, whose rows go also where they have expired.
    private func sql(of table: TableDescription, _ session: Session) -> TableSQL {
        TableSQL(description: table, dialect: session.dialect, seen: nil)
    }

    /// The columns of a reference that become NULL when it is let go.
    private func released(_ index: Int, of description: TableDescription) throws -> [String] {
        if let columns = description.releasedColumns(of: index) { return columns }
        let property = description.properties[index]
        throw DatabaseError(
            .unsupported,
            "\"\(property.name)\" of \(description.type) can't be nil, so neither can go without the other. Make it optional, or let them go together.",
            table: description.table, properties: [property.name])
    }

    func deletedObjects(in table: DeleteTable) -> (any AnyDeletedObjects)? {
        deletedObjects.first { $0.table === table }
    }

    /// The keys of the objects that rows lead to by a relation.
    ///
    /// The rows are locked; this also locks rows of other tables that hold the relation.
    func related(
        _ relation: Relation, of table: DeleteTable, _ keys: [Int], _ session: Session
    ) async throws -> StoredRows {
        let owner = table.description
        let sql = self.sql(of: owner, session)
        let target = relation.target.description
        let width = target.keyIndices.count
        let text: TimedSQL
        let (count, lock) = (table.keyRows.width, session.dialect.rowLock)
        var skipped = owner.keyIndices.count
        switch relation.storage {
        case .reference(let columns):
            text = sql.text(after: count) { $0.selectReferred(columns) }
            skipped = 0
        case .joinTable(let joinTable):
            text = sql.text(after: count) { $0.selectLinks(joinTable, isReversed: false, ofAll: false) + lock }
        case .inverseJoinTable(_, let joinTable):
            text = sql.text(after: count) { $0.selectLinks(joinTable, isReversed: true, ofAll: false) + lock }
        case .inverseReference(_, let columns):
            text = self.sql(of: target, session).text(after: count) {
                $0.selectReferringKeys(columns, to: owner) + lock
            }
            skipped = 0
        }
        let first = skipped
        return try await session.run(
            core.statementTexts.statement(text), table.keyRows.selecting(keys).asLists
        ) { rows in
            let result = StoredRows(width: width)
            while let cells = try rows.next() {
                if (first..<first + width).contains(where: { cells[$0].isNull }) { continue }
                result.append(copying: cells + first)
            }
            return result
        }
    }

    /// Marks objects whose rows are gone, so that saving one by itself inserts it again: those given, and those that
    /// they hold and that went with them.
    func markDeleted(undoingIn scope: TransactionScope?) {
        let walk = DeletionWalk(graph: self)
        for objects in deletedObjects { objects.meetGiven(walk) }
        walk.run()
        scope?.register(undoing: walk.marked)
    }
}

extension TableObject {
    fileprivate static func deleteTable(in graph: DeleteGraph) throws -> DeleteTable {
        try graph.deletedObjects(of: Self.self).table
    }

    fileprivate static func give(_ object: Any, to graph: DeleteGraph, checkingVersionAt position: Int?) throws {
        if let object = object as? Self { try graph.give(object, checkingVersionAt: position) }
    }
}
