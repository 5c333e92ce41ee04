import Holdfast

extension ConformanceCase {
    /// What comes together: the rows of a table, its arrays, and what they lead to.
    static let graphLevels: [ConformanceCase] = [
        graph(
            "rel-1.all-in-order", "REL-1",
            "A thousand objects come with all their arrays in order, whether all or some of them are fetched"
        ) { environment in
            let db = try await environment.open(Panel.self)
            let people = (0..<300).map { Employee("e\($0)") }
            let panels = (0..<1_000).map { Panel("p\($0)") }
            for (index, panel) in panels.enumerated() {
                panel.words = (0..<index % 5).map { "w\(index)-\($0)" }
                panel.members = (0..<index % 4).map { people[(index * 17 + $0 / 2 * 31) % 300] }
                panel.deputies = [nil, [], [people[index % 300], people[0], people[index % 300]]][index % 3]
            }
            try await db.save(panels)
            func expectAll(_ found: [Panel], _ chosen: [Panel], _ how: String) throws {
                try expect(found.map(\.name), equals: chosen.map(\.name), "the panels, \(how)")
                for (panel, original) in zip(found, chosen) {
                    try expect(panel.words, equals: original.words, "the words of \(panel.name), \(how)")
                    try expect(
                        panel.members.map(\.name), equals: original.members.map(\.name),
                        "the members of \(panel.name), \(how)")
                    try expect(
                        panel.deputies?.map(\.name), equals: original.deputies?.map(\.name),
                        "the deputies of \(panel.name), \(how)")
                    try expect(!panel.isDirty, "\(panel.name) is dirty, \(how).")
                }
                let objects = found.flatMap { $0.members + ($0.deputies ?? []) }
                try expect(
                    Set(objects.map { ObjectIdentifier($0) }).count, equals: Set(objects.map(\.name)).count,
                    "the number of employees, \(how)")
            }
            try expectAll(try await db.fetch(Panel.self), panels, "all fetched")
            try expectAll(try await db.transaction { try await $0.fetch(Panel.self) }, panels, "all in a transaction")
            let some = panels.filter { $0.members.count == 3 }
            try expectAll(
                try await db.fetch(Panel.self, keys: some.compactMap(\.id)), some, "some by their keys")
            try expectAll(
                try await db.fetch(Panel.self, including: ["members"]), panels, "all, with a relation that is named")
            let flat = try await db.fetch(Panel.self, depth: 0)
            try expect(flat.map(\.words), equals: panels.map(\.words), "the words of panels without their members")
            try expect(flat.allSatisfy(\.members.isEmpty), "A panel has members that nobody asked for.")
            try await db.sql("DELETE FROM panel").execute()
            try expect(try await db.fetch(Panel.self).isEmpty, "There are panels where there are none.")
        },
        graph(
            "rel-4.statement-fails", "REL-4",
            "Where a statement of a fetch fails, the error names it, and what comes next is not touched by it"
        ) { environment in
            let db = try await environment.open(Panel.self)
            let ann = Employee("Ann")
            let panels = (0..<3).map { Panel("p\($0)") }
            for panel in panels { (panel.words, panel.members) = (["a", "b"], [ann]) }
            try await db.save(panels)
            try await db.sql("ALTER TABLE panel_words RENAME TO moved").execute()
            for _ in 0..<3 {
                let error = try await expect(.notMigrated, from: "a fetch without the table of an array") {
                    _ = try await db.fetch(Panel.self)
                }
                try expect(
                    error.sql?.contains("panel_words") == true, "The error names \(error.sql ?? "no statement").")
                try expect(try await db.fetch(Employee.self).map(\.name), equals: ["Ann"], "what is fetched after it")
                try await expect(.notMigrated, from: "a find without the table of an array") {
                    _ = try await db.find(Panel.self, key: panels[0].id ?? 0)
                }
                try await db.transaction { tx in
                    try await expect(.notMigrated, from: "a nested fetch without the table of an array") {
                        try await tx.transaction { _ = try await $0.fetch(Panel.self) }
                    }
                    try expect(try await tx.fetch(Employee.self).count, equals: 1, "the number of employees after it")
                }
            }
            try await db.sql("ALTER TABLE moved RENAME TO panel_words").execute()
            try expect(
                try await db.fetch(Panel.self).map(\.words), equals: panels.map(\.words), "the words, with their table")
        },
    ]
}
