import Synchronization

/// The tables of a database whose columns can hold values of any type, where the engine has such: other programs made
/// them.
///
/// Queries guard what they compare there. They are looked up when the first query of a type runs.
final class LooseTables: Sendable {
    private struct State {
        var dialect: any Dialect
        var tables: Set<String> = []
        var types: Set<ObjectIdentifier> = []
    }

    private let query: Statement?
    private let state: Mutex<State>

    init(_ dialect: any Dialect) {
        query = dialect.looseTablesQuery.map { Statement($0) }
        state = Mutex(State(dialect: dialect))
    }

    /// Whether the engine has such tables.
    var canExist: Bool { query != nil }

    /// The dialect that guards what queries compare in them.
    var dialect: any Dialect { state.withLock { $0.dialect } }

    /// Whether a table is one of them, as far as they were looked up.
    func hasTable(_ name: String) -> Bool { state.withLock { $0.tables.contains(name.lowercased()) } }

    /// Looks the tables up, unless that was done since a query of the type ran first.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func learn<Model: TableObject>(for type: Model.Type, by access: DatabaseAccess) async throws {
        guard let query, !state.withLock({ $0.types.contains(ObjectIdentifier(type)) }) else { return }
        let names = try await access.perform(.read, purpose: "query") { session, _ in
            try await session.run(query) { rows in
                var names: Set<String> = []
                while let cells = try rows.next() { names.insert(String(decoding: cells[0].bytes, as: UTF8.self)) }
                return names
            }
        }
        state.withLock { state in
            state.dialect = state.dialect.distrusting(names)
            state.tables = Set(names.map { $0.lowercased() })
            state.types.insert(ObjectIdentifier(type))
        }
    }
}
