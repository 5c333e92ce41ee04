import Foundation

/// The additions of a schema that the databases of one engine need.
struct SchemaAdditions: Sendable {
    /// One addition, and what the database has of it.
    struct State {
        let addition: SchemaAddition
        let sql: AdditionSQL?
        var isThere: Bool
        /// The hash of the statements that made it; nil if it is not known.
        var made: String?

        var isOther: Bool { isThere && made != nil && made != addition.checksum }
        var isDone: Bool { isThere && made == addition.checksum }
    }

    let dialect: any Dialect
    let all: [SchemaAddition]

    /// - Throws: ``DatabaseError/Code/conflict`` for two of one name; ``DatabaseError/Code/unsupported`` for a kind
    ///   that the engine does not have.
    init(_ additions: [SchemaAddition], _ dialect: any Dialect) throws {
        self.dialect = dialect
        all = additions.filter { $0.engine.map { type(of: $0.dialect) == type(of: dialect) } ?? true }
        var names = Set<[String]>()
        for addition in all {
            let what = "\(addition.kind.noun) \"\(addition.name)\""
            try SchemaJournal.refuse(addition.name)
            if !names.insert([addition.kind.noun, addition.name]).inserted {
                throw DatabaseError(
                    .conflict, "The schema adds the \(what) twice. Name one otherwise. Nothing was changed.")
            }
            if sql(addition) == nil, addition.check == nil, addition.kind != .rows {
                throw DatabaseError(
                    .unsupported,
                    "The schema adds the \(what), and the engine has none. Add it with `engine:`. Nothing was changed.")
            }
        }
    }

    private func sql(_ addition: SchemaAddition) -> AdditionSQL? {
        dialect.addition(addition.kind, named: addition.name)
    }

    /// What the database has of some of them.
    func states(
        _ session: Session, where isMeant: (SchemaAddition) -> Bool = { _ in true }
    ) async throws -> [State] {
        var states = missing(where: isMeant)
        if states.isEmpty { return [] }
        let snapshot = try await session.lease.connection.tables([MadeAddition.tableMapping.description.table])
        let records = try await session.records(MadeAddition.self, snapshot)
        for (index, state) in states.enumerated() {
            let addition = state.addition
            let made = records.first { $0.kind == addition.kind.noun && $0.name == addition.name }?.checksum
            states[index].made = made
            states[index].isThere = try await isThere(state, session) ?? (made != nil)
        }
        return states
    }

    /// The states of some of them in a database that has none.
    func missing(where isMeant: (SchemaAddition) -> Bool) -> [State] {
        all.filter(isMeant).map { State(addition: $0, sql: sql($0), isThere: false) }
    }

    /// Whether it is there; nil for rows that nothing looks for.
    private func isThere(_ state: State, _ session: Session) async throws -> Bool? {
        guard let (query, parameters) = try query(state) else { return nil }
        return try await session.run(
            Statement(query, isCached: false, isRaw: state.addition.check != nil), parameters
        ) { try $0.next() != nil }
    }

    private func query(_ state: State) throws -> (sql: String, parameters: ParameterBuffer)? {
        if let check = state.addition.check { return try check.render(dialect) }
        return state.sql.map { ($0.isThere, ParameterBuffer(width: 0)) }
    }

    // MARK: Plans

    /// The steps that drop what is made anew, the last first: what has other statements now, and views, if columns are
    /// altered or dropped.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` for what has other statements, and can't be dropped.
    func removals(_ states: [State], viewsStandAside: Bool) throws -> [SchemaStep] {
        try states.reversed().flatMap { state -> [SchemaStep] in
            let addition = state.addition
            let standsAside = viewsStandAside && addition.kind == .view && state.isThere
            guard state.isOther || standsAside else { return [] }
            if addition.replaces, !standsAside { return [] }
            let removal = addition.removal(dialect, state.sql)
            if !removal.isEmpty { return removal }
            throw DatabaseError(
                .conflict,
                "The \(addition.kind.noun) \"\(addition.name)\" was made by other statements than the schema has now, and "
                    + "can't be made anew without a loss. Give the new one another name, and drop the old one by a "
                    + "Migration, if need be. Nothing was changed.")
        }
    }

    // MARK: Runs

    /// Drops what is made anew.
    ///
    /// - Returns: What was run.
    func remove(
        viewsStandAside: Bool, _ session: Session, _ watch: inout ScriptWatch?
    ) async throws -> [SchemaStep] {
        // What a query of the program's looks for may have no table yet; nothing of it is dropped.
        let steps = try removals(
            try await states(session) { $0.check == nil }, viewsStandAside: viewsStandAside)
        for step in steps {
            try watch?.admit(step)
            try await session.execute(Statement(step.sql, isCached: false))
        }
        return steps
    }

    /// Makes what is missing, and notes what is there.
    ///
    /// - Returns: What was run.
    func make(
        _ phase: Migration.Phase, in transaction: Transaction, _ watch: inout ScriptWatch?
    ) async throws -> [SchemaStep] {
        let session = transaction.scope.session
        var steps: [SchemaStep] = []
        for state in try await states(session, where: { $0.phase == phase }) where !state.isDone {
            let addition = state.addition
            if state.isOther, !addition.replaces { _ = try removals([state], viewsStandAside: false) }
            if !state.isThere || state.isOther {
                let creation = try addition.creation(dialect, state.sql)
                for step in creation { try watch?.admit(step) }
                steps += creation
                try await run(state, session)
            }
            _ = try await transaction.save(
                MadeAddition(
                    kind: addition.kind.noun, name: addition.name, checksum: addition.checksum, madeAt: Date()))
        }
        return steps
    }

    private func run(_ state: State, _ session: Session) async throws {
        let addition = state.addition
        let what = "The \(addition.kind.noun) \"\(addition.name)\" of the schema"
        do {
            if let create = state.sql?.create {
                try await session.execute(Statement(create, isCached: false))
            }
            for statement in addition.statements {
                let (sql, parameters) = try statement.render(dialect)
                try await session.run(Statement(sql, isCached: false, isRaw: true), parameters) { rows in
                    while try rows.next() != nil {}
                }
            }
        } catch var error as DatabaseError {
            error.message = "\(what) could not be made. \(SchemaProblems.ending) " + error.message
            throw error
        }
        if try await isThere(state, session) ?? true { return }
        throw DatabaseError(
            .conflict,
            "\(what) is not there when its statements have run: these make something else, or under another name, which "
                + "an engine may write in lower case. Nothing was changed.")
    }
}
