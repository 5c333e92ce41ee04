import Holdfast

extension PostgresOptions {
    /// Takes the password that the caller gives for each new connection, if one is to be asked for.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect`` if there is none, or it takes too long.
    mutating func askForPassword(within limit: Duration) async throws(DatabaseError) {
        guard let password else { return }
        let given: String?
        do {
            given = try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask { try await password() }
                group.addTask {
                    try await Task.sleep(for: limit)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch {
            // Of what was thrown only the type is named: its text may have the secret in it.
            throw DatabaseError(
                .cannotConnect, "The closure that gives the password threw a \(type(of: error)); see there.")
        }
        guard let given else {
            throw DatabaseError(.cannotConnect, "The closure that gives the password took longer than \(limit).")
        }
        guard !given.utf8.contains(0) else {
            throw DatabaseError(.cannotConnect, "The closure that gives the password gave one with a NUL character.")
        }
        keywords.append(("password", given))
    }
}
