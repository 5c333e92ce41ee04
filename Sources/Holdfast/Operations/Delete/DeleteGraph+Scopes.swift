/// Rows outside of a scope with a value, such as another tenant's, of which a deletion knows nothing.
extension DeleteGraph {
    /// Forgets what was given and is outside: nothing goes with that, and no object is marked.
    func keepInside(through session: Session) async throws {
        for objects in deletedObjects where objects.table.description.takesScopeValues && objects.table.keyCount > 0 {
            let inside = try await objects.table.lockInside(session)
            if inside.count < objects.table.keyCount { objects.keep(inside) }
        }
    }

    /// Throws if something was reached that is outside: what was given is inside, and may lead to another tenant's.
    func requireInside(through session: Session) async throws {
        for table in tables where table.description.takesScopeValues && table.keyCount > 0 {
            let count = try await table.keyCount - table.lockInside(session).count
            guard count > 0 else { continue }
            let description = table.description
            throw DatabaseError(
                .unsupported,
                "The deletion would take along \(count) rows of \"\(description.table)\" that are outside of a scope with a value. Keep them, or delete by a database that ignores the scope.",
                table: description.table)
        }
    }

    /// Forgets, of rows that were to be deleted by their keys, those that are there as before.
    func keepGone(of table: DeleteTable, through session: Session) async throws {
        guard table.description.takesScopeValues else { return }
        let outside = Set(try await table.existing(session))
        if !outside.isEmpty {
            deletedObjects(in: table)?.keep((0..<table.keyCount).filter { !outside.contains($0) })
        }
    }
}
