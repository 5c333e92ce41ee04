/// Rows outside of a scope with a value, such as another tenant's, of which a deletion knows nothing.
extension DeleteGraph {
    /// Forgets what was given and is outside: nothing goes with that, and no object is marked.
    func keepInside(through session: Session) async throws {
        for objects in deletedObjects where objects.table.description.takesScopeValues && objects.table.keyCount > 0 {
            let inside = try await objects.table.lockInside(session)
            if inside.count < objects.table.keyCount { objects.keep(inside) }
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
