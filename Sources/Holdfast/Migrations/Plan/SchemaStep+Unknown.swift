extension SchemaStep {
    /// What can't be known of a step before it has run.
    ///
    /// ```swift
    /// for step in plan.steps where step.unknown == .closure { print("Ask its author: \(step.action)") }
    /// ```
    public enum Unknown: String, Hashable, Sendable, Codable {
        /// What it changes, and whether values are lost: it is a statement of the application's own.
        case statement
        /// What it runs, and what that changes: it is a closure of the application.
        case closure
        /// Whether it will run just so: statements or closures before it may change the tables that it follows from.
        case dependent
        /// Its text: the engine rewrites it when it renames something before.
        case text
    }

    /// A part of a migration, which is done as a whole or not at all.
    enum Part: String, Hashable, Sendable, Codable {
        /// The transaction in which all is done that needs no other.
        case transaction
        /// A second transaction, in which tables are made anew and foreign keys are not enforced.
        case rebuild
        /// Afterwards, one by one, outside of transactions.
        case afterwards
    }
}

extension SchemaStep {
    /// The step in the transaction in which tables are made anew.
    var inRebuild: SchemaStep {
        var step = self
        if isTransactional { step.part = .rebuild }
        return step
    }
}

extension SchemaStep.Unknown {
    /// A sentence for those who read the plan.
    var sentence: String {
        switch self {
        case .statement: "Not known: what this statement of a migration changes, and whether values are lost."
        case .closure: "Not known: what this closure of a migration runs and changes, and whether values are lost."
        case .dependent:
            "Not certain: a statement or a closure of a migration runs before, and may change what follows."
        case .text: "Not certain: the engine may write this otherwise after the renames before it."
        }
    }
}
