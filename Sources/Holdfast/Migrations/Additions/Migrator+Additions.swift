// What is planned for the additions of a schema, without a lock.

extension Migrator {
    /// What the database has of the additions.
    func additionStates() async throws -> [SchemaAdditions.State] {
        let additions = try SchemaAdditions(additions, core.dialect)
        var states: [SchemaAdditions.State] = []
        for addition in additions.missing(where: { _ in true }) {
            do {
                states += try await access.perform(.read, purpose: "migrate") {
                    session, _ in
                    try await additions.states(session) { $0.isSame(as: addition.addition) }
                }
            } catch let error as DatabaseError where error.code == .notMigrated {
                // A query of the program's is about a table that is not there yet.
                states.append(addition)
            }
        }
        return states
    }

    /// What the database has of the additions by now, in the transaction of a migration.
    func additionStates(in transaction: Transaction) async throws -> [SchemaAdditions.State] {
        let additions = try SchemaAdditions(additions, core.dialect)
        var states: [SchemaAdditions.State] = []
        for addition in additions.missing(where: { _ in true }) {
            do {
                // In a savepoint, which an error of a query of the program's ends.
                states += try await transaction.transaction { nested in
                    try await additions.states(nested.scope.session) { $0.isSame(as: addition.addition) }
                }
            } catch let error as DatabaseError where error.code == .notMigrated {
                states.append(addition)
            }
        }
        return states
    }
}
