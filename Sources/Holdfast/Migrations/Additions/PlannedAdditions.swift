/// The additions of a schema that a database will have once planned steps have run: a pure value, so that planning can
/// go on from it.
struct PlannedAdditions {
    private let additions: SchemaAdditions
    private var states: [SchemaAdditions.State]

    init(_ additions: SchemaAdditions, _ states: [SchemaAdditions.State]) {
        (self.additions, self.states) = (additions, states)
    }

    /// The steps of `SchemaAdditions.make`.
    mutating func make(_ phase: Migration.Phase) throws -> [SchemaStep] {
        var steps: [SchemaStep] = []
        for (index, state) in states.enumerated() where state.addition.phase == phase && !state.isDone {
            if state.isOther, !state.addition.replaces {
                _ = try additions.removals([state], viewsStandAside: false)
            }
            if !state.isThere || state.isOther {
                steps += try state.addition.creation(additions.dialect, state.sql)
            }
            (states[index].isThere, states[index].made) = (true, state.addition.checksum)
        }
        return steps
    }

    /// The steps of `SchemaAdditions.remove`.
    mutating func remove(viewsStandAside: Bool) throws -> [SchemaStep] {
        let steps = try additions.removals(
            states.filter { $0.addition.check == nil }, viewsStandAside: viewsStandAside)
        let removed = steps.map(\.action)
        for (index, state) in states.enumerated()
        where removed.contains(.dropAddition(state.addition.kind, name: state.addition.name)) {
            (states[index].isThere, states[index].made) = (false, nil)
        }
        return steps
    }
}
