import Holdfast

extension ConformanceCase {
    /// Saves a venture with everything, and one that is related to it.
    ///
    /// - Returns: The key of the first.
    static func saveVenture(_ db: Database) async throws -> Int64 {
        let (venture, other) = (Venture("v"), Venture("w"))
        venture.tags = ["a", "b"]
        let lead = Employee("lead")
        lead.company = Company("Acme")
        venture.lead = lead
        other.lead = Employee("other")
        let gathering = Gathering("g")
        gathering.participants = [Employee("p"), lead]
        venture.gatherings = [gathering, gathering]
        venture.stages = [Stage("s"), Stage("t")]
        venture.stages[0].chores = [Chore("x"), Chore("y")]
        venture.related = [other, venture]
        other.related = [venture]
        try await db.save(venture)
        (venture.related, other.related) = ([], [])
        return try expect(some: venture.id, "the key of the venture")
    }
}
