import Holdfast

extension PostgresOptions {
    /// Takes the password that the caller gives for each new connection, if one is to be asked for.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect`` if there is none, or it takes too long.
    mutating func askForPassword(within limit: Duration) async throws(DatabaseError) {
        guard let password else { return }
        // Not a group, which would wait for a closure that goes on in a cancelled task.
        let (answers, answer) = AsyncStream<Result<String?, any Error>>.makeStream()
        let asking = Task {
            do {
                answer.yield(.success(try await password()))
            } catch {
                answer.yield(.failure(error))
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            answer.yield(.success(nil))
        }
        defer {
            asking.cancel()
            timer.cancel()
        }
        var iterator = answers.makeAsyncIterator()
        guard let first = await iterator.next() else {
            throw DatabaseError(.cancelled, "The task was cancelled while a connection was being opened.")
        }
        let given: String?
        do {
            given = try first.get()
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
