import Foundation
@_spi(Driver) import Holdfast

/// Objects that another client gives to another owner while their former one is deleted, or removes them.
extension ConformanceCase {
    static let graphMoving: [ConformanceCase] = [
        graph(
            "rel-2.moved-elsewhere", "REL-2",
            "What another client has moved elsewhere and committed is not deleted with its former owner"
        ) {
            environment in
            try await deleteWhileMoving(environment)
        },
        graph(
            "rel-3.inverse-taken-meanwhile", "REL-3",
            "An object that is taken out of a relation stays with the owner that another client has just given it"
        ) {
            environment in
            try await removeWhileMoving(environment)
        },
    ]

    /// How an owner is deleted: all come to the same.
    private enum Deletion: CaseIterable {
        case object, many, transaction, sql
    }

    @SuiteActor
    private static func deleteWhileMoving(_ environment: ConformanceEnvironment) async throws {
        let db = try await environment.open(Venture.self, Errand.self)
        let other = try await environment.open()
        for way in Deletion.allCases {
            let ventures = [Venture("from \(way)"), Venture("to \(way)")]
            ventures[0].stages = [Stage("moved"), Stage("left")]
            ventures[0].stages[1].chores = [Chore("moved"), Chore("left")]
            ventures[1].stages = [Stage("own")]
            try await db.save(ventures)
            let (stages, chores) = (ventures[0].stages, ventures[0].stages[1].chores)
            let target = try expect(some: ventures[1].stages[0].id, "the key of a stage")
            let (goal, moved) = (ventures[1].id ?? 0, stages[0].id ?? 0)
            let chore = chores[0].id ?? 0
            try await delete(ventures[0], "venture", by: way, db, while: other) { tx in
                try await tx.sql(
                    "UPDATE venture_stages SET venture_id = \(goal), position = 5 WHERE stage_id = \(moved)"
                ).execute()
                try await tx.sql("UPDATE chore SET stage_id = \(target) WHERE id = \(chore)").execute()
            }
            try expect(
                try await db.texts("SELECT title FROM stage ORDER BY title"), equals: ["moved", "own"],
                "the stages (\(way))")
            try expect(try await db.texts("SELECT title FROM chore"), equals: ["moved"], "the chores (\(way))")
            let rest = try expect(try await db.fetch(Venture.self), count: 1, "ventures")
            try expect(rest[0].stages.map(\.title), equals: ["own", "moved"], "the stages of the other (\(way))")
            try await db.deleteAll(Venture.self)

            let errand = Errand("e", Memo("first"))
            let second = Memo("second")
            try await db.save(errand)
            try await db.save(second)
            let (memo, key) = (second.id ?? 0, errand.id ?? 0)
            try await delete(errand, "errand", by: way, db, while: other) { tx in
                try await tx.sql("UPDATE errand SET memo_id = \(memo) WHERE id = \(key)").execute()
            }
            // It goes with what it holds when it goes.
            try expect(try await db.texts("SELECT text FROM memo"), equals: ["first"], "the memos (\(way))")
            try await db.sql("DELETE FROM memo").execute()
        }
    }

    /// Deletes an object while another client moves something of it, and then commits.
    @SuiteActor
    private static func delete<Model: TableObject & AnyObject>(
        _ model: Model, _ table: String, by way: Deletion, _ db: Database, while other: Database,
        move: @escaping @Sendable (Transaction) async throws -> Void
    ) async throws {
        let (moved, enough) = (Signal(), Signal())
        let moving = Task {
            defer { moved.give() }
            try await other.transaction(isolation: .readCommitted) { tx in
                try await move(tx)
                moved.give()
                await enough.wait()
            }
        }
        await moved.wait()
        let key = try expect(some: try await db.numbers("SELECT min(id) FROM \(identifier: table)").first, "the key")
        let deleting = Task { @SuiteActor in
            switch way {
            case .object: try await db.delete(model)
            case .many: try await db.delete([model])
            case .transaction:
                try await db.transaction(isolation: .readCommitted) { tx in try await tx.delete(model) }
            case .sql: try await db.sql("DELETE FROM \(identifier: table) WHERE id = \(key)").execute()
            }
        }
        // Long enough to have come to what the other holds; what comes later is all the easier.
        try await Task.sleep(for: .milliseconds(250))
        enough.give()
        try await moving.value
        _ = try await deleting.value
    }

    @SuiteActor
    private static func removeWhileMoving(_ environment: ConformanceEnvironment) async throws {
        let probe = StatementProbe()
        let db = try await environment.open(Company.self) { probe.attach(to: &$0) }
        let other = try await environment.open()
        let (acme, zeta, third) = (Company("Acme"), Company("Zeta"), Company("Third"))
        let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
        acme.staff = [ann, bob]
        third.staff = [cleo]
        cleo.spouse = ann  // so that the save meets it, although no company holds it any more
        try await db.save([acme, zeta, third])
        acme.staff = []
        let (key, owner) = (ann.id ?? 0, zeta.id ?? 0)
        let move = { @Sendable in
            _ = try await other.sql("UPDATE employee SET company_id = \(owner) WHERE id = \(key)").execute()
        }
        // With one writer, nobody else comes in between.
        let isConcurrent = environment.capabilities.hasConcurrentWriters
        let (reached, enough) = (Signal(), Signal())
        if isConcurrent {
            probe.hold("UPDATE \"employee\" SET \"company_id\"", reached: reached, until: enough)
        } else {
            try await move()
        }
        let saving = Task { @SuiteActor in
            defer { reached.give() }
            try await db.save([acme, third])
        }
        if isConcurrent {
            await reached.wait()
            try await move()
            enough.give()
        }
        try await saving.value
        let staff = try await db.texts(
            """
            SELECT e.name || ' ' || coalesce(c.name, '-') FROM employee AS e LEFT JOIN company AS c ON c.id = e.company_id
            ORDER BY e.name
            """)
        try expect(staff, equals: ["Ann Zeta", "Bob -", "Cleo Third"], "the staff")
        try expect(!acme.isDirty && acme.staff.isEmpty, "The relation is not saved.")
        try expect(bob.company == nil || bob.company === acme, "An object leads elsewhere.")
        if isConcurrent {
            try expect(ann.company == nil && !ann.isLoaded(\.company), "An owner is known that is none.")
        }
        ann.name = "Anna"
        try await db.save(ann)
        try await db.reload(ann)
        try expect(ann.company?.name, equals: "Zeta", "the owner that the other client set")
    }
}
