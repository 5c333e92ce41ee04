import Foundation
import Holdfast

/// Deletions that choose what goes with an object.
extension ConformanceCase {
    static let rel2Choice: [ConformanceCase] = [
        graph(
            "rel-2.including", "REL-2", "A deletion takes along what it includes, whatever the rules, and no more"
        ) { environment in
            let db = try await environment.open(Venture.self)
            func counts() async throws -> [Int] {
                var counts: [Int] = []
                for table in ["venture", "employee", "gathering", "stage", "chore", "contract"] {
                    counts.append(try await db.number("SELECT count(*) FROM \(identifier: table)"))
                }
                return counts
            }
            let (one, two) = (venture(), venture())
            try await db.save([one, two])
            try expect(try await counts(), equals: [2, 6, 2, 2, 2, 2], "the numbers of rows")
            let lead = try expect(some: one.lead, "the lead")
            try await expect(.foreignKeyViolation, from: "a deletion that is denied") {
                try await db.delete(one, including: ["lead"])
            }
            try expect(try await counts(), equals: [2, 6, 2, 2, 2, 2], "the numbers of rows after a refusal")
            try expect(!lead.isDirty && !one.isDirty, "An object counts as new after a refusal.")
            try expect(
                try await db.delete(one, including: ["lead", "contracts", "gatherings.participants"]), equals: 1,
                "the number of rows deleted")
            try expect(try await counts(), equals: [1, 3, 1, 1, 1, 1], "the numbers of rows after a deletion")
            try expect(
                lead.isDirty && one.gatherings[0].isDirty && one.gatherings[0].participants[0].isDirty,
                "An object that went with another is not new.")
            try await db.transaction { tx in
                try await tx.delete([two], including: ["gatherings", "contracts"])
            }
            try expect(try await counts(), equals: [0, 3, 0, 0, 0, 0], "the numbers of rows in the end")
            try expect(two.gatherings[0].participants[0].isDirty, equals: false, "whether what stayed is new")
        },
        graph(
            "rel-2.including-one-step", "REL-2", "A path leads from the given objects, and not on from those it reaches"
        ) { environment in
            let db = try await environment.open(Vertex.self, Company.self)
            let vertices = (0..<6).map { Vertex("v\($0)") }
            for index in 1..<6 { vertices[index - 1].next = vertices[index] }
            vertices[1].edges = [vertices[5]]
            try await db.save(vertices[0])
            try await db.delete(vertices[0], including: ["next.edges"])
            try expect(try await db.fetch(Vertex.self).map(\.name), equals: ["v2", "v3", "v4"], "the vertices")
            let company = Company("Acme")
            company.staff = [Employee("Ann"), Employee("Bob")]
            try await db.save(company)
            try await db.save(Employee("Cleo"))
            try await db.delete(company, including: ["staff"])
            try expect(try await db.fetch(Employee.self).map(\.name), equals: ["Cleo"], "the employees")
        },
        graph(
            "rel-2.keeping", "REL-2", "A deletion keeps what it is told to, although the relation cascades"
        ) { environment in
            let db = try await environment.open(Venture.self, Branch.self, Errand.self)
            let one = venture()
            one.contracts = []
            try await db.save(one)
            try await db.delete(one, keeping: [\.stages, \.lead])
            try expect(try await db.count(Venture.self), equals: 0, "the number of ventures")
            try expect(try await db.count(Stage.self), equals: 1, "the number of stages")
            try expect(try await db.count(Chore.self), equals: 1, "the number of chores")
            try expect(one.stages[0].isDirty, equals: false, "whether a stage that stayed is new")
            let branches = (0..<4).map { Branch("\($0)") }
            for index in 1..<4 { branches[index].parent = branches[index - 1] }
            try await db.save(branches)
            try await db.delete(branches[1], keeping: [\.branches])
            let left = try await db.query(Branch.self).order(\.label).fetch()
            try expect(left.map(\.label), equals: ["0", "2", "3"], "the branches")
            try expect(left.map { $0.parent?.label }, equals: [nil, nil, "2"], "their parents")
            let errand = Errand("e", Memo("m"))
            try await db.save(errand)
            try await db.delete(errand, keeping: [\.memo])
            try expect(try await db.count(Memo.self), equals: 1, "the number of memos")
            try expect(try await db.count(Errand.self), equals: 0, "the number of errands")
        },
        graph(
            "rel-2.choice-refused", "REL-2", "A choice that can't be kept is refused, and nothing is deleted"
        ) { environment in
            let db = try await environment.open(Venture.self, Badge.self)
            let one = venture()
            let badge = Badge(Employee("Ann"))
            try await db.save(one)
            try await db.save(badge)
            try await expect(.invalidValue, from: "a path to nowhere") { try await db.delete(one, including: ["name"]) }
            try await expect(.invalidValue, from: "a longer path") {
                try await db.delete(one, including: ["gatherings.nothing"])
            }
            try await expect(.invalidValue, from: "keeping a value") { try await db.delete(one, keeping: [\.name]) }
            try await expect(.invalidValue, from: "both") {
                try await db.delete(one, including: ["stages"], keeping: [\.stages])
            }
            try await expect(.unsupported, from: "including what is required") {
                try await db.delete(badge, including: ["holder"])
            }
            try await expect(.unsupported, from: "keeping what requires its owner") {
                try await db.delete(one.stages[0], keeping: [\.chores])
            }
            try expect(!one.isDirty && !badge.isDirty, "An object counts as new after a refusal.")
            try expect(try await db.count(Stage.self), equals: 1, "the number of stages")
            try expect(try await db.count(Badge.self), equals: 1, "the number of badges")
        },
        graph(
            "rel-2.choice-hooks", "REL-2", "Hooks are called of what a deletion includes, and not of what it keeps"
        ) { environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            let objects = ["a", "b", "c"].map { Watched($0, log: log) }
            objects[0].next = objects[1]
            objects[0].parts = [objects[2]]
            try await db.save(objects[0])
            try await db.delete(objects[0], including: ["next"], keeping: [\.parts])
            let notes = try await db.fetch(Note.self).map(\.title).filter { $0.hasPrefix("will") }
            try expect(notes.sorted(), equals: ["will delete a", "will delete b"], "the hooks")
            try expect(try await db.fetch(Watched.self).map(\.name), equals: ["c"], "what is left")
            try expect(
                objects[0].isDirty && objects[1].isDirty && !objects[2].isDirty, "The wrong objects are new.")
        },
    ]

    private static func venture() -> Venture {
        let venture = Venture("v")
        venture.lead = Employee("lead")
        venture.gatherings = [Gathering("g")]
        venture.gatherings[0].participants = [Employee("p"), Employee("q")]
        venture.stages = [Stage("s")]
        venture.stages[0].chores = [Chore("c")]
        venture.contracts = [Contract(UUID().uuidString)]
        return venture
    }
}
