import Holdfast

/// A connection of a database that a read transaction holds until it is released, at the latest with this object.
final class HeldConnection: Sendable {
    private let enough: Signal
    private let holder: Task<Void, any Error>

    /// Takes the connection.
    init(of db: Database) async {
        let (held, enough) = (Signal(), Signal())
        self.enough = enough
        holder = Task {
            defer { held.give() }
            try await db.read { _ in
                held.give()
                await enough.wait()
            }
        }
        await held.wait()
    }

    deinit { enough.give() }

    /// Gives the connection back, and returns when its transaction has ended.
    func release() async throws {
        enough.give()
        try await holder.value
    }
}
