import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let rel2: [ConformanceCase] = [
        graph(
            "rel-2.not-linked", "REL-2",
            "An object that a deleted one holds in memory alone keeps its row, and knows it"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let (venture, stage) = (Venture("Apollo"), Stage("One"))
            try await db.save(venture)
            try await db.save(stage)
            venture.stages.append(stage)  // never saved
            try await db.delete(venture)
            try expect(!stage.isDirty, "An object whose row is there is taken for new.")
            stage.title = "Two"
            try await db.save(stage)
            try expect(try await db.fetch(Stage.self).map(\.title), equals: ["Two"], "the stages")
        },
        graph(
            "rel-2.lets-go", "REL-2",
            "What held a deleted object lets it go: references are nil, arrays keep their order"
        ) {
            environment in
            let db = try await environment.open(Panel.self, Locker.self)
            let people = ["a", "b", "c"].map { Employee($0) }
            people[0].spouse = people[1]
            people[2].mentor = people[1]
            people[0].siblings = [people[1], people[2], people[1]]
            let panels = [Panel("p"), Panel("q")]
            panels[0].members = [people[1], people[0], people[1], people[2], people[0]]
            panels[1].members = [people[1]]
            panels[1].deputies = [people[1], people[1]]
            try await db.save(panels)
            try await db.save(Locker(people[1]))
            try expect(try await db.delete(people[1]), equals: 1, "the number of rows deleted")
            try await expectMembers("aca", of: panels[0], db)
            try await expectMembers("", of: panels[1], db)
            let same = try expect(try await db.fetch(Panel.self), count: 2, "panels")
            try expect(same[1].deputies?.count, equals: 0, "the number of deputies, which is not nil")
            let rest = try await db.fetch(Employee.self)
            try expect(rest.map(\.name), equals: ["a", "c"], "the employees")
            try expect(rest[0].spouse == nil && rest[1].mentor == nil, "A reference to a deleted object is left.")
            try expect(rest[0].siblings.map(\.name), equals: ["c"], "the siblings")
            try expect(
                try await db.fetch(Locker.self).map { $0.owner == nil }, equals: [true], "the owner of the locker")
            try expect(people[1].isDirty, "A deleted object is not new.")
            try expect(try await db.delete(people[1]), equals: 0, "the number of rows of a second deletion")
        },
        graph("rel-2.rules", "REL-2", "What a deleted object held stays, goes or refuses, as its relations say") {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let venture = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            let stage = try expect(venture.stages, count: 2, "stages")[0]
            let chore = try expect(stage.chores, count: 2, "chores")[0]
            try expect(try await db.delete(venture), equals: 1, "the number of rows deleted")
            try expect(try await ventureCounts(db), equals: Self.withoutVenture, "the numbers of rows")
            try expect(
                venture.isDirty && stage.isDirty && chore.isDirty, "An object that went with its owner is not new.")
            try expect(venture.lead?.isDirty == false, "An object that stayed is new.")
            try await db.save(venture)
            let again = try expect(
                some: try await db.find(Venture.self, key: venture.id ?? 0), "the venture, saved again")
            try expect(again.stages.map { $0.chores.count }, equals: [2, 0], "the numbers of chores, saved again")
        },
        graph(
            "rel-2.deny", "REL-2",
            "A relation that denies refuses the deletion while it holds any, and nothing is deleted"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let venture = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            try expect(venture.stages, count: 2, "stages")
            venture.contracts = [Contract("C-1"), Contract("C-2")]
            try await db.save(venture)
            let before = try await ventureCounts(db)
            for _ in 0..<2 {
                try await expect(.foreignKeyViolation, from: "deleting an owner of contracts") {
                    try await db.delete(venture)
                }
                try await expect(.foreignKeyViolation, from: "deleting all of them") {
                    try await db.deleteAll(Venture.self)
                }
                try expect(try await ventureCounts(db), equals: before, "the numbers of rows after a refusal")
                try expect(
                    !venture.isDirty && !venture.stages[0].isDirty, "An object counts as new after a refusal.")
                venture.contracts.removeLast()
                try await db.save(venture)
            }
            try await db.transaction { tx in try await tx.delete(venture) }
            try expect(try await db.count(Contract.self), equals: 2, "the number of contracts")
            try expect(try await db.count(Venture.self), equals: 1, "the number of ventures")
        },
        graph("rel-2.required", "REL-2", "A required reference refuses the deletion of what it leads to") {
            environment in
            let db = try await environment.open(Badge.self)
            let ann = Employee("Ann")
            ann.siblings = [Employee("Bob")]
            let badge = Badge(ann)
            try await db.save(badge)
            try await expect(.foreignKeyViolation, from: "deleting what is required") { try await db.delete(ann) }
            try await expect(.foreignKeyViolation, from: "deleting all, one of which is required") {
                try await db.deleteAll(Employee.self)
            }
            try await expect(.foreignKeyViolation, from: "deleting what is required, by SQL") {
                try await db.sql("DELETE FROM employee").execute()
            }
            try expect(!ann.isDirty, "An object counts as new after a refusal.")
            try expect(try await db.count(Employee.self), equals: 2, "the number of employees")
            try expect(
                try await db.number("SELECT count(*) FROM employee_siblings"), equals: 1, "the number of siblings")
            try await db.delete(badge)
            try await db.delete(ann)
            try expect(try await db.count(Employee.self), equals: 1, "the number of employees in the end")
        },
        graph(
            "rel-2.many", "REL-2",
            "Many are deleted by one call, with what goes with each, and the rows that existed are counted"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let ventures = (0..<30).map { Venture("v\($0)") }
            let shared = Stage("shared")
            for (index, venture) in ventures.enumerated() {
                venture.stages = [Stage("own \(index)"), shared]
                venture.stages[0].chores = [Chore("c")]
            }
            try await db.save(ventures)
            try await db.sql("DELETE FROM venture WHERE name = 'v3'").execute()
            try expect(
                try await db.delete(Array(ventures.prefix(10)) + ventures.prefix(2)), equals: 9,
                "the number of rows deleted")
            try expect(try await db.count(Venture.self), equals: 20, "the number of ventures")
            try expect(
                try await db.count(Stage.self), equals: 20,
                "the number of stages, with one less for each and the shared one")
            try expect(try await db.count(Chore.self), equals: 20, "the number of chores")
            let left = try await db.fetch(Venture.self)
            try expect(
                left.allSatisfy { $0.stages.count == 1 }, "An array holds an object that went with another owner.")
            try expect(try await db.deleteAll(Venture.self), equals: 20, "the number of rows of all")
            for table in ["venture", "stage", "chore", "venture_stages"] {
                try expect(
                    try await db.number("SELECT count(*) FROM \(identifier: table)"), equals: 0,
                    "the number of rows of \(table)")
            }
        },
        graph(
            "rel-2.deep-cascade", "REL-2", "A deletion cascades through a tree of 500 levels, and through cycles"
        ) { environment in
            let db = try await environment.open(Branch.self, Watched.self, Note.self)
            var branches = [Branch("0")]
            for level in 1..<500 {
                branches.append(Branch("\(level)"))
                branches[level].parent = branches[level - 1]
            }
            let side = Branch("side")
            side.parent = branches[250]
            try await db.save(branches + [side])
            try expect(try await db.delete(branches[100]), equals: 1, "the number of rows deleted")
            try expect(try await db.count(Branch.self), equals: 100, "the number of branches")
            try expect(try await db.deleteAll(Branch.self), equals: 100, "the number of rows of all")
            let cycle = (0..<5).map { Watched("\($0)", log: HookLog()) }
            for (index, object) in cycle.enumerated() { object.parts = [cycle[(index + 1) % 5], object] }
            try await db.save(cycle[0])
            try expect(try await db.delete(cycle[2]), equals: 1, "the number of rows deleted of a cycle")
            try expect(try await db.count(Watched.self), equals: 0, "the number of rows of the cycle")
            try expect(cycle.allSatisfy(\.isDirty), "An object of the cycle is not new.")
            for object in cycle { object.parts = [] }
        },
        graph("rel-2.rollback", "REL-2", "A deletion that rolls back leaves rows and objects as they were") {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let venture = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            let before = try await ventureCounts(db)
            struct Stop: Error {}
            do {
                try await db.transaction { tx in
                    try await tx.delete(venture)
                    try expect(try await tx.count(Stage.self), equals: 0, "the number of stages in the transaction")
                    throw Stop()
                }
            } catch is Stop {}
            try expect(try await ventureCounts(db), equals: before, "the numbers of rows after a rollback")
            try expect(!venture.isDirty && venture.stages.allSatisfy { !$0.isDirty }, "An object counts as new.")
            try expect(venture.stages, count: 2, "stages")[0].title = "changed"
            try await db.save(venture)
            try expect(
                try await db.texts("SELECT title FROM stage ORDER BY title"), equals: ["changed", "t"], "the titles"
            )
        },
        graph(
            "rel-2.sql-lets-go", "REL-2",
            "A deletion by another program makes references NULL and takes objects out of arrays"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c"].map { Employee($0) }
            people[0].spouse = people[1]
            let panel = Panel("p")
            panel.members = [people[1], people[0], people[1], people[2]]
            panel.words = ["x"]
            try await db.save(panel)
            try await db.sql("DELETE FROM employee WHERE name = 'b'").execute()
            try await expectMembers("ac", of: panel, db)
            try expect(
                try await db.number("SELECT count(*) FROM employee WHERE spouse_id IS NULL"), equals: 2, "the NULLs")
            try await db.sql("DELETE FROM panel").execute()
            for table in ["panel_members", "panel_words", "panel_deputies"] {
                try expect(
                    try await db.number("SELECT count(*) FROM \(identifier: table)"), equals: 0,
                    "the number of rows of \(table)")
            }
            try expect(try await db.count(Employee.self), equals: 2, "the number of employees, which stay")
        },
        graph(
            "rel-2.sql-cascade", "REL-2",
            "A deletion by another program cascades through arrays and through the other side of references"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let changed = try await db.sql("DELETE FROM venture WHERE id = \(key)").execute()
            try expect(changed, equals: 1, "the number of rows deleted")
            try expect(try await ventureCounts(db), equals: Self.withoutVenture, "the numbers of rows")
        },
        graph(
            "rel-2.sql-inverse-cascade", "REL-2",
            "A deletion by another program takes along what refers to the row, level by level"
        ) {
            environment in
            let db = try await environment.open(Branch.self)
            let root = Branch("root")
            root.branches = [Branch("a"), Branch("b")]
            root.branches[0].branches = [Branch("a1"), Branch("a2")]
            try await db.save(root)
            try await db.sql("DELETE FROM branch WHERE label = 'a'").execute()
            try expect(
                try await db.texts("SELECT label FROM branch ORDER BY label"), equals: ["b", "root"], "the branches")
        },
        graph("rel-2.sql-deny", "REL-2", "A deletion by another program is refused where a relation denies it") {
            environment in
            let db = try await environment.open(Venture.self)
            let venture = Venture("v")
            venture.contracts = [Contract("C-1")]
            venture.stages = [Stage("s")]
            try await db.save(venture)
            try await expect(.foreignKeyViolation, from: "deleting an owner of contracts, by SQL") {
                try await db.sql("DELETE FROM venture").execute()
            }
            let same = try expect(some: try await db.fetch(Venture.self).first, "the venture")
            try expect(
                same.contracts.count == 1 && same.stages.count == 1, "Something is gone although it was refused.")
            try await db.sql("DELETE FROM contract").execute()
            try await db.sql("DELETE FROM venture").execute()
            try expect(try await db.count(Venture.self), equals: 0, "the number of ventures")
        },
        graph(
            "rel-2.moved-elsewhere", "REL-2",
            "What another client has moved elsewhere and committed is not deleted with its former owner"
        ) {
            environment in
            try await deleteWhileMoving(environment)
        },
    ]

    /// The numbers of rows, with what ``saveVenture(_:)`` saves but the venture and what goes with it.
    static let withoutVenture = [
        "venture": 1, "venture_tags": 0, "venture_gatherings": 0, "venture_stages": 0, "venture_related": 0, "stage": 0,
        "chore": 0, "employee": 3, "company": 1, "gathering": 1, "gathering_participants": 2,
    ]

    static func ventureCounts(_ db: Database) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in withoutVenture.keys {
            counts[table] = try await db.number("SELECT count(*) FROM \(identifier: table)")
        }
        return counts
    }

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
}
