import Foundation
@_spi(Driver) import Holdfast

/// Graphs that are loaded as one, of one snapshot, and how far.
extension ConformanceCase {
    static let rel4: [ConformanceCase] = [
        graph("rel-4.identity", "REL-4", "One row is one instance within a fetch, and another one in the next") {
            environment in
            let db = try await environment.open(Panel.self, Badge.self)
            let (ann, bob) = (Employee("a"), Employee("b"))
            (ann.spouse, bob.spouse) = (bob, ann)
            bob.mentor = ann
            let panels = [Panel("p"), Panel("q")]
            panels[0].members = [ann, bob, ann]
            panels[1].members = [bob]
            panels[1].deputies = [ann]
            try await db.save(panels)
            try await db.save([Badge(bob), Badge(bob)])
            let keys = panels.compactMap(\.id)
            let all = try expect(
                try await db.fetch(Panel.self, keys: [keys[1], keys[0], keys[1]]), count: 3, "panels")
            try expect(all[0] === all[2], "A key that was asked for twice gave two instances.")
            let members = try expect(all[1].members, count: 3, "members")
            let (a, b) = (members[0], members[1])
            try expect(members[2] === a && all[0].members.first === b, "One row came as two instances.")
            try expect(
                all[0].deputies?.first === a && b.mentor === a, "One row came as two instances, by another relation.")
            try expect(a.spouse === b && b.spouse === a, "The cycle does not close.")
            let badges = try expect(try await db.fetch(Badge.self), count: 2, "badges")
            try expect(badges[0].holder === badges[1].holder, "One row came as two instances, by references.")
            try expect(badges[0].holder !== b, "A fetch gave an instance of another fetch.")
            try expect(![a, b].contains { $0.isDirty } && !all.contains { $0.isDirty }, "A fetched object is dirty.")
            try await db.transaction { tx in
                let inside = try expect(try await tx.fetch(Employee.self), count: 2, "employees")
                try expect(
                    inside[0].spouse === inside[1] && inside[0] !== a, "A transaction gave an instance of before.")
                inside[0].spouse = nil
            }
            for employee in [ann, bob, a, b] { employee.spouse = nil }
        },
        graph("rel-4.statements", "REL-4", "A fetch takes as many statements for a thousand objects as for ten") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            func fill(_ count: Int) async throws {
                let people = (0..<count).map { Employee("e\($0)") }
                let companies = (0..<7).map { Company("c\($0)") }
                for (index, person) in people.enumerated() {
                    person.company = companies[index % 7]
                    person.spouse = people[(index + 1) % count]
                    person.siblings = [people[(index * 7) % count], people[(index * 3) % count]]
                }
                let panels = (0..<count).map { Panel("p\($0)") }
                for (index, panel) in panels.enumerated() {
                    panel.words = ["w\(index)"]
                    panel.members = [people[index], people[(index * 5) % count]]
                    panel.deputies = [people[0]]
                }
                try await db.save(panels)
            }
            try await fill(10)
            var counts: [Int] = []
            for round in 0..<2 {
                if round == 1 { try await fill(500) }
                _ = probe.take()
                let all = try await db.fetch(Panel.self)
                let statements = probe.take()
                try expect(all.count, equals: [10, 510][round], "the number of panels")
                try expect(
                    all.allSatisfy { $0.members.count == 2 && $0.members[0].siblings.count == 2 }, "An array is short.")
                counts.append(statements.count)
                // Three levels: panels, their employees, and companies; spouses and siblings are on the second and
                // third.
                try expect(statements.count <= 16, "A fetch took \(statements.count) statements: \(statements)")
                let some = try await db.fetch(Panel.self, keys: all.prefix(5).compactMap(\.id), depth: 1)
                let partial = probe.take()
                try expect(
                    some.count == 5 && partial.count <= 5, "A fetch of a level took \(partial.count): \(partial)")
                let keys = all.compactMap(\.id)
                _ = try await db.fetch(Panel.self, keys: keys, depth: 1)
                try expect(probe.take().count <= partial.count, "More keys took more statements.")
                for panel in all { for member in panel.members { (member.spouse, member.siblings) = (nil, []) } }
            }
            try expect(counts[1] <= counts[0] + 2, "The number of statements grew with that of the objects: \(counts)")
        },
        graph(
            "rel-4.reload", "REL-4",
            "A reload sets references and arrays to what rows hold, and closes cycles with the object itself"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let other = try await environment.open()
            let (ann, bob) = (Employee("a"), Employee("b"))
            (ann.spouse, bob.spouse) = (bob, ann)
            ann.siblings = [bob]
            try await db.save(ann)
            let key = try expect(some: ann.id, "the key")
            let theirs = try expect(some: try await other.find(Employee.self, key: key), "the employee")
            theirs.siblings = [theirs, Employee("c"), theirs]
            theirs.company = Company("Acme")
            theirs.name = "A"
            try await other.save(theirs)
            ann.name = "lost"
            ann.siblings = []
            try await db.reload(ann)
            try expect(ann.name, equals: "A", "the name")
            try expect(ann.siblings.map(\.name), equals: ["A", "c", "A"], "the siblings")
            try expect(ann.siblings[0] === ann && ann.siblings[2] === ann, "What leads back leads to another instance.")
            try expect(ann.spouse?.spouse === ann, "The cycle does not close with the object itself.")
            try expect(ann.company?.staff.first === ann, "The other side leads to another instance.")
            try expect(!ann.isDirty, "A reloaded object is dirty.")
            try await db.delete(theirs)
            ann.name = "kept"
            try await expect(.notFound, from: "reloading what is gone") { try await db.reload(ann) }
            try expect(ann.name == "kept" && ann.siblings.count == 3 && ann.isDirty, "The object is not as before.")
            for employee in [ann, bob, theirs] {
                (employee.spouse, employee.siblings, employee.company) = (nil, [], nil)
            }
        },
        graph("rel-4.by-sql", "REL-4", "Objects of SQL of one's own come with what they lead to") { environment in
            let db = try await environment.open(Panel.self)
            let ann = Employee("a")
            ann.company = Company("Acme")
            let panels = ["p", "q", "r"].map { Panel($0) }
            for panel in panels {
                panel.members = [ann, Employee("b")]
                panel.words = [panel.name]
            }
            try await db.save(panels)
            let found = try await db.sql("SELECT * FROM \(Panel.self) WHERE name > 'p' ORDER BY name DESC").fetch(
                Panel.self)
            try expect(found.map(\.name), equals: ["r", "q"], "the names, in the order of the statement")
            try expect(found.map(\.words), equals: [["r"], ["q"]], "the words")
            let first = try expect(some: found[0].members.first, "a member")
            try expect(first === found[1].members.first, "One row came as two instances.")
            try expect(first.company?.staff.first === first, "The cycle does not close.")
        },
        graph("rel-4.deep", "REL-4", "A tree of 3,000 levels is loaded whole, or as deep as asked") { environment in
            let db = try await environment.open(Branch.self)
            var branches = [Branch("0")]
            for level in 1..<3_000 {
                branches.append(Branch("\(level)"))
                branches[level].parent = branches[level - 1]
            }
            try await db.save(branches)
            let key = branches[0].id
            var now = try await db.find(Branch.self, key: key, depth: 10)
            var count = 0
            while let branch = now { (now, count) = (branch.branches.first, count + 1) }
            try expect(count, equals: 11, "the number of branches, with those of ten levels")
            now = try await db.find(Branch.self, key: key)
            count = 0
            var all: [Branch] = []
            while let branch = now {
                all.append(branch)
                (now, count) = (branch.branches.first, count + 1)
            }
            try expect(count, equals: 3_000, "the number of branches")
            try expect(
                all[2_999].parent === all[2_998], "A weak reference does not lead to the instance that holds it.")
            for branch in all { branch.branches = [] }
        },
        graph(
            "rel-4.default-depth", "REL-4",
            "The configuration says how many levels a load follows that is not given a depth itself"
        ) {
            environment in
            let db = try await environment.open(Company.self) { $0.loading.defaultDepth = 0 }
            let key = try await saveStaff(3, db)
            func isLoaded(_ company: Company?) -> Bool { company?.isLoaded(\.staff) ?? false }
            func expectNone(_ company: Company?, _ how: String) throws {
                let company = try expect(some: company, "the company (\(how))")
                try expect(!isLoaded(company), "\(how) follows relations.")
            }
            try expectNone(try await db.find(Company.self, key: key), "A find")
            try expectNone(try await db.fetch(Company.self, keys: [key]).first, "A fetch by keys")
            try expectNone(try await db.fetch(Company.self).first, "A fetch")
            try expectNone(try await db.query(Company.self).one(), "A query")
            try expectNone(try await db.sql("SELECT * FROM company").fetch(Company.self).first, "Raw SQL")
            for try await company in db.query(Company.self).stream() { try expectNone(company, "A stream") }
            for depth in [1, .max] {
                let company = try await db.find(Company.self, key: key, depth: depth)
                try expect(company?.staff.count, equals: 3, "the staff, with a depth")
                try expect(isLoaded(try await db.query(Company.self).depth(depth).one()), "A query ignores its depth.")
            }
            let named = try await db.find(Company.self, key: key, including: ["staff"])
            try expect(named?.staff.count, equals: 3, "the staff, included by name")
            let company = try expect(some: try await db.find(Company.self, key: key), "the company")
            try await db.loadRelation(\.staff, of: company)
            try expect(company.staff.count, equals: 3, "the staff, loaded later")
            try await db.reload(company)
            try expectNone(company, "A reload")
            try await expect(.invalidValue, from: "a negative depth") {
                _ = try await environment.open { $0.loading.defaultDepth = -1 }
            }
        },
        graph(
            "rel-4.maximum-objects", "REL-4",
            "A load that brings more objects than the configuration allows is refused, with the relation that brought them"
        ) {
            environment in
            let db = try await environment.open(Company.self)
            let key = try await saveStaff(30, db)
            let bounded = try await environment.open { $0.loading.maximumObjects = 20 }
            func expectRefusal(
                _ how: String, _ load: nonisolated(nonsending) () async throws -> Void
            ) async throws {
                let error = try await expect(.unsupported, from: how, load)
                try expect(error.properties, equals: ["staff"], "the property that the error names (\(how))")
                try expect(
                    error.message.contains("\"staff\" of Company") && error.message.contains("20"),
                    "The error does not say what brought the objects: \(error.message)")
            }
            try await expectRefusal("a find") { _ = try await bounded.find(Company.self, key: key) }
            try await expectRefusal("a fetch") { _ = try await bounded.fetch(Company.self) }
            try await expectRefusal("a query") { _ = try await bounded.query(Company.self).fetch() }
            try await expectRefusal("raw SQL") {
                _ = try await bounded.sql("SELECT * FROM company").fetch(Company.self)
            }
            try await expectRefusal("a stream") { for try await _ in bounded.query(Company.self).stream() {} }
            let company = try expect(some: try await bounded.find(Company.self, key: key, depth: 0), "the company")
            try await expectRefusal("a reload") { try await bounded.reload(company) }
            try await expectRefusal("a relation loaded later") { try await bounded.loadRelation(\.staff, of: company) }
            try expect(!company.isLoaded(\.staff), "What was refused changed the object.")
            try await db.sql("UPDATE employee SET company_id = NULL WHERE id > (SELECT min(id) + 18 FROM employee)")
                .execute()
            let rest = try await bounded.find(Company.self, key: key)
            try expect(rest?.staff.count, equals: 19, "the staff, as many as one load may bring")
        },
        graph(
            "rel-4.maximum-of-a-type", "REL-4",
            "The maximum of a load is that of types without relations, too, and is at least one"
        ) { environment in
            let db = try await environment.open(Sticker.self)
            try await db.save((0..<30).map { _ in Sticker(.calm) })
            let bounded = try await environment.open { $0.loading.maximumObjects = 20 }
            try await expect(.unsupported, from: "a fetch of a type without relations") {
                _ = try await bounded.fetch(Sticker.self)
            }
            try expect(try await bounded.query(Sticker.self).limit(20).fetch(), count: 20, "stickers")
            try await expect(.invalidValue, from: "a maximum of nothing") {
                _ = try await environment.open { $0.loading.maximumObjects = 0 }
            }
        },
        graph(
            "rel-4.large-load", "REL-4",
            "A load that brings thousands of objects that it was not asked for is logged, once for each relation"
        ) {
            environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Company.self) { $0.telemetry.logger = recorder.logger }
            let key = try await saveStaff(1, db)
            func lines() -> [String] { recorder.lines.filter { $0.hasPrefix("warning") && $0.contains("staff") } }
            _ = try await db.find(Company.self, key: key)
            try expect(lines(), equals: [], "the warnings about few objects")
            try await db.sql(
                """
                INSERT INTO employee (name, company_id) WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n \
                WHERE x < 6000) SELECT 'e', (SELECT min(id) FROM company) FROM n
                """
            ).execute()
            try expect(try await db.fetch(Employee.self, depth: 0), count: 6_001, "employees")
            try expect(lines(), equals: [], "the warnings about objects that were asked for")
            for _ in 0..<2 { _ = try await db.find(Company.self, key: key) }
            try expect(lines(), count: 1, "warnings")
            try expect(lines()[0].contains("\"staff\" of Company"), "The warning does not name the relation.")
        },
        graph("rel-4.one-snapshot", "REL-4", "A graph is of one snapshot, although others write between its levels") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            let other = try await environment.open()
            let panel = Panel("before")
            let ann = Employee("before")
            ann.company = Company("before")
            ann.siblings = [Employee("sibling")]
            panel.members = [ann, ann]
            try await other.save(panel)
            let key = try expect(some: panel.id, "the key")
            for text in ["FROM \"panel_words\"", "\"panel_members\"", "FROM \"company\"", "\"employee_siblings\""] {
                let (reached, enough) = (Signal(), Signal())
                probe.hold(text, reached: reached, until: enough)
                async let loading = Snapshot(db.find(Panel.self, key: key))
                await reached.wait()
                try await other.transaction(isolation: .readCommitted) { tx in
                    for table in ["panel", "employee", "company"] {
                        try await tx.sql("UPDATE \(identifier: table) SET name = 'after'").execute()
                    }
                    try await tx.sql("DELETE FROM panel_members").execute()
                    try await tx.sql("DELETE FROM employee_siblings").execute()
                    try await tx.sql("INSERT INTO panel_words (panel_id, position, value) VALUES (\(key), 0, 'after')")
                        .execute()
                }
                enough.give()
                let expected = Snapshot(
                    names: ["before", "before", "before", "before"], words: [], siblings: ["sibling", "sibling"])
                try expect(try await loading, equals: expected, "what was loaded while others wrote before \(text)")
                let after = try await Snapshot(db.find(Panel.self, key: key))
                try expect(after, equals: Snapshot(names: ["after"], words: ["after"], siblings: []), "what they wrote")
                try await other.sql("DELETE FROM panel_words").execute()
                panel.makeDirty()
                for person in [ann, ann.siblings[0]] { person.makeDirty() }
                ann.company?.makeDirty()
                try await other.save(panel)
            }
        },
        ConformanceCase(
            "rel-4.query", "REL-4",
            "What a query finds comes with what it leads to, as much of it as asked for, in a statement for each relation"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let found = try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.fetch()
            try expect(found.count, equals: engineers.filter { $0.boss?.name == "Ada" }.count, "the number found")
            for engineer in found {
                let same = try expect(some: engineers.first { $0.id == engineer.id }, "the engineer")
                try expect(engineer.boss?.name, equals: "Ada", "the boss")
                try expect(engineer.boss === found.first?.boss, "One row is one instance.")
                try expect(engineer.tags, equals: same.tags, "the tags")
                try expect(engineer.reviews.map(\.points), equals: same.reviews.map(\.points), "the reviews")
                try expect(engineer.team?.members.count, equals: same.team?.members.count, "the members of the team")
            }
            let shallow = try expect(
                some: try await db.query(Engineer.self).where { $0.boss != nil }.depth(0).first(), "one with a boss")
            try expect(!shallow.isLoaded(\.boss), "A relation is not loaded at depth 0.")
            let wider = try expect(
                some: try await db.query(Engineer.self).where { $0.boss != nil }.depth(0).including(["boss"]).first(),
                "one with a boss")
            try expect(wider.boss != nil, "A relation that is named is loaded.")
        },
    ]

    private struct Snapshot: Equatable, Sendable {
        var names: [String]
        var words: [String]
        var siblings: [String]

        init(names: [String], words: [String], siblings: [String]) {
            self.names = names
            self.words = words
            self.siblings = siblings
        }

        init(_ panel: Panel?) throws {
            let panel = try expect(some: panel, "the panel")
            names =
                [panel.name] + panel.members.map(\.name) + panel.members.prefix(1).map { $0.company?.name ?? "none" }
            words = panel.words
            siblings = panel.members.flatMap { $0.siblings.map(\.name) }
        }
    }

    /// Saves a company with so many employees, and returns its key.
    private static func saveStaff(_ count: Int, _ db: Database) async throws -> Int64 {
        let company = Company("Acme")
        company.staff = (0..<count).map { Employee("e\($0)") }
        try await db.save(company)
        return try expect(some: company.id, "the key of the company")
    }
}
