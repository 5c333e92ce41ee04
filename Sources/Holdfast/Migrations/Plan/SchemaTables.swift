/// Tables and views of a database by their exact names, as plans look them up.
struct SchemaTables: Hashable, Sendable {
    var tables: [String: DatabaseSchema.Table] = [:]

    init(_ tables: [DatabaseSchema.Table] = []) {
        for table in tables { self.tables[table.name] = table }
    }

    /// The tables of a schema, and its views as tables of which nothing but the columns is known.
    init(_ schema: DatabaseSchema) {
        self.init(schema.tables)
        for view in schema.views {
            tables[view.name] = DatabaseSchema.Table(name: view.name, columns: view.columns)
        }
    }

    /// The tables to which a column refers, or all of a table.
    func targets(of column: String?, in table: String) -> [String] {
        (tables[table]?.foreignKeys ?? []).filter { key in column.map(key.columns.contains) ?? true }.map(\.table)
    }
}

extension DriverConnection {
    /// Reads those of the named tables and views that exist, with what plans need to know of them.
    func tables(_ names: some Collection<String>) async throws -> SchemaTables {
        names.isEmpty ? SchemaTables() : SchemaTables(try await schema(.tables(names.sorted()), timeout: nil))
    }
}

extension DatabaseSchema.Table {
    /// The columns of the primary key, in its order.
    var keyColumns: [String] { primaryKey?.columns ?? [] }

    /// The indexes, with those that UNIQUE constraints have made.
    var allIndexes: [DatabaseSchema.Index] {
        indexes
            + uniqueConstraints.map { constraint in
                DatabaseSchema.Index(
                    name: constraint.name ?? "", terms: constraint.columns.map { .init(column: $0) }, isUnique: true)
            }
    }

    /// Whether an index of it can be built concurrently, if the engine does that at all: those of a partitioned table
    /// are made of its partitions'.
    var allowsConcurrentIndexes: Bool { kind != .partitioned }

    /// Whether statements may change its rows and name another table: one of its partitions, or the table of which it
    /// is one.
    var sharesRows: Bool { kind == .partitioned || partitionOf != nil }

    /// The triggers of the library but for those of searches, which name nothing but their own table, as the engine
    /// follows it, and are dropped with their search alone.
    var ruleTriggers: [String] { ownTriggers.filter { SearchIndex.parts(ofTrigger: $0) == nil } }

    /// Follows the dropping of all triggers of the library, but for those of searches.
    mutating func dropOwnTriggers() {
        let names = ruleTriggers
        dependents.removeAll { names.contains($0.name) }
        triggers.removeAll(where: names.contains)
        triggerColumns = triggerColumns.filter { !names.contains($0.key) }
        idleTriggers.subtract(names)
    }
}
