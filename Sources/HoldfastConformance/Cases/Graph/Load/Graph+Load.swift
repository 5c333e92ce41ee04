import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let graphLoading: [ConformanceCase] = [
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
    ]
}
