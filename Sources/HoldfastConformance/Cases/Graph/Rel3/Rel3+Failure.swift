import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let rel3Failure: [ConformanceCase] = [
        graph(
            "rel-3.failure-at-each-statement", "REL-3",
            "Whichever statement of a save fails, nothing is saved and all is as before"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Venture.self) { probe.attach(to: &$0) }
            let old = Employee("old")
            old.siblings = [Employee("sibling")]
            try await db.save(old)
            let modified = old.modifiedAt
            let venture = Venture("Apollo")
            venture.tags = ["a", "b"]
            venture.lead = Employee("lead")
            venture.lead?.spouse = old
            old.spouse = venture.lead
            old.name = "changed"
            old.siblings.append(Employee("newcomer"))
            let stage = Stage("stage")
            stage.chores = [Chore("one"), Chore("two")]
            venture.stages = [stage]
            venture.contracts = [Contract("C-1")]
            venture.gatherings = [Gathering("g")]
            venture.gatherings[0].participants = [old, old]
            var count = 0
            while true {
                try expect(count < 100, "A save of a dozen objects takes a hundred statements.")
                probe.refuse(after: count)
                do {
                    try await db.save(venture)
                } catch let error as DatabaseError where error.code == .engine {
                    _ = probe.stopRefusing()
                    try await expectNothingSaved(of: venture, old, db, "statement \(count) failed")
                    try expect(
                        old.modifiedAt, equals: modified, "the time of modification after statement \(count) failed")
                    count += 1
                    continue
                }
                try expect(!probe.stopRefusing(), "A statement was refused, and the save succeeded.")
                break
            }
            try expect(count > 8, "A save of nine tables took only \(count) statements.")
            try expect(!venture.isDirty && !old.isDirty && !stage.chores[1].isDirty, "A saved object is dirty.")
            let same = try expect(some: try await db.fetch(Venture.self).first, "the venture")
            try expect(same.stages.flatMap(\.chores).map(\.title), equals: ["one", "two"], "the chores")
            try expect(same.lead?.spouse?.siblings.map(\.name), equals: ["sibling", "newcomer"], "the siblings")
            try expect(
                same.gatherings.map { $0.participants.map(\.name) }, equals: [["changed", "changed"]],
                "the participants")
            same.lead?.spouse = nil
            (old.spouse, venture.lead) = (nil, nil)
        },
        graph(
            "rel-3.failure-of-its-own-key", "REL-3",
            "A new object that refers to itself is inserted with that reference, or not at all"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Employee.self) { probe.attach(to: &$0) }
            let person = Employee("hermit")
            person.spouse = person
            defer { person.spouse = nil }
            probe.refuse(after: 1)
            try await expect(.engine, from: "a save whose second statement fails") { try await db.save(person) }
            try expect(try await db.query(Employee.self).count(), equals: 0, "the rows after the failure")
            try await db.save(person)
            let married = try await db.query(Employee.self).where { $0.spouse.id == person.id }.count()
            try expect(married, equals: 1, "the rows that refer to themselves")
        },
        graph(
            "rel-3.obstacle-in-each-table", "REL-3",
            "A row in the way in any table of a graph refuses the save until it is gone"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let tables = [
                "venture", "venture_tags", "venture_gatherings", "employee", "stage", "chore", "gathering_participants",
            ]
            let columns = ["name", "value", "position", "name", "title", "title", "position"]
            for (table, column) in zip(tables, columns) {
                let venture = Venture("Apollo")
                venture.tags = ["a", "a"]
                venture.lead = Employee("e")
                venture.lead?.spouse = Employee("e")
                let gathering = Gathering("g")
                gathering.participants = [Employee("e")]
                let stages = [Stage("s"), Stage("s")]
                for stage in stages { stage.chores = [Chore("c"), Chore("c")] }
                venture.stages = stages
                let other = Gathering("g")
                other.participants = [Employee("e")]
                venture.gatherings = [gathering, other]
                if table == "venture" || table == "venture_gatherings" {
                    let before = Venture("Apollo")
                    before.gatherings = [Gathering("before")]
                    try await db.save(before)
                }
                let ventures = try await db.count(Venture.self)
                let employees = try await db.count(Employee.self)
                try await db.sql("CREATE UNIQUE INDEX obstacle ON \(identifier: table) (\(identifier: column))")
                    .execute()
                try await expect(.uniqueViolation, from: "saving where \(table) refuses it") {
                    try await db.save(venture)
                }
                try expect(
                    try await db.count(Venture.self), equals: ventures, "the number of ventures after \(table) refused")
                try expect(
                    try await db.count(Employee.self), equals: employees,
                    "the number of employees after \(table) refused")
                try expect(
                    venture.id == nil && venture.lead?.id == nil && stages[1].chores[1].id == nil
                        && gathering.id == nil,
                    "A key was left behind when \(table) refused.")
                try expect(
                    venture.isDirty && venture.lead?.spouse?.isDirty == true && stages[1].chores[1].isDirty,
                    "An object is no longer dirty after \(table) refused.")
                try await db.sql("DROP INDEX obstacle").execute()
                try await db.save(venture)
                try expect(
                    try await db.count(Venture.self), equals: ventures + 1,
                    "the number of ventures after \(table) gave way")
                try expect(
                    stages[1].chores[1].id != nil && !stages[1].chores[1].isDirty,
                    "An object is still new after \(table) gave way.")
                _ = try await db.deleteAll(Venture.self) + db.deleteAll(Gathering.self) + db.deleteAll(Employee.self)
            }
        },
        graph(
            "rel-3.cycle-of-required", "REL-3",
            "New objects in a cycle of required references are refused before anything is sent"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Egg.self) { probe.attach(to: &$0) }
            let (hen, egg) = (Hen(), Egg())
            (hen.egg, egg.hen) = (egg, hen)
            egg.owner = Employee("Ann")
            _ = probe.take()
            try await expect(.conflict, from: "saving a cycle that can't be opened") { try await db.save(egg) }
            try expect(probe.take(), equals: [], "the statements that were sent")
            try expect(
                hen.id == nil && egg.owner?.id == nil && hen.isDirty && egg.isDirty, "An object is not as before.")
            try expect(try await db.count(Employee.self), equals: 0, "the number of employees")
            (hen.egg, egg.hen) = (nil, nil)
        },
        graph(
            "rel-3.required-order", "REL-3",
            "What is required is inserted first, in whichever order objects are found and given"
        ) {
            environment in
            let db = try await environment.open(Badge.self, Stage.self, Venture.self)
            let chores = (0..<3).map { Chore("c\($0)") }
            let stage = Stage("s")
            for chore in chores { chore.stage = stage }
            try await db.save(chores)
            try expect(
                try await db.fetch(Chore.self).map(\.stage?.title), equals: ["s", "s", "s"],
                "the stages, by their chores")
            let reversed = Stage("reversed")
            reversed.chores = [Chore("x"), Chore("y")]
            try await db.save(reversed)
            try expect(reversed.chores.allSatisfy { $0.stage === reversed }, "A chore does not lead back.")
            let ann = Employee("Ann")
            let badges = [Badge(ann), Badge(Employee("Bob")), Badge(ann)]
            ann.spouse = badges[1].holder
            try await db.save(badges)
            let holders = try await db.fetch(Badge.self)
            try expect(holders.map(\.holder.name), equals: ["Ann", "Bob", "Ann"], "the holders")
            try expect(holders[0].holder === holders[2].holder, "One row came as two instances.")
            try expect(holders[0].holder.spouse === holders[1].holder, "A reference leads to another instance.")
            let venture = Venture("v")
            let stages = [Stage("one"), Stage("two")]
            venture.stages = stages
            for index in 0..<4 {
                let chore = Chore("\(index)")
                chore.stage = stages[index % 2]
                stages[index % 2].chores.insert(chore, at: 0)
            }
            try await db.save(venture)
            let titles = try await db.texts(
                "SELECT c.title FROM chore AS c JOIN stage AS s ON s.id = c.stage_id WHERE s.title = 'two' ORDER BY c.title"
            )
            try expect(titles, equals: ["1", "3"], "the chores of a stage")
        },
    ]

    private static func expectNothingSaved(
        of venture: Venture, _ old: Employee, _ db: Database, _ what: String
    ) async throws {
        try expect(
            venture.id == nil && venture.lead?.id == nil && venture.stages[0].id == nil, "A key is left when \(what).")
        try expect(
            venture.stages[0].chores.allSatisfy { $0.id == nil && $0.isDirty }, "A chore is not as before when \(what)."
        )
        try expect(
            venture.isDirty && old.isDirty && venture.contracts[0].isDirty, "An object is not dirty when \(what).")
        try expect(old.siblings[1].id == nil && !old.siblings[0].isDirty, "A sibling is not as before when \(what).")
        let rows = try await db.number(
            """
            SELECT (SELECT count(*) FROM venture) + (SELECT count(*) FROM stage) + (SELECT count(*) FROM contract)
                + (SELECT count(*) FROM gathering) + (SELECT count(*) FROM venture_tags) + (SELECT count(*) FROM chore)
                + (SELECT count(*) FROM employee) + (SELECT count(*) FROM employee_siblings)
            """)
        try expect(rows, equals: 3, "the number of rows when \(what)")
        try expect(
            try await db.texts("SELECT name FROM employee ORDER BY name"), equals: ["old", "sibling"],
            "the names when \(what)")
    }
}
