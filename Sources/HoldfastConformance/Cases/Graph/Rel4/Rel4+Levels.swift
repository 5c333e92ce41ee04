@_spi(Driver) import Holdfast

/// Statements that are sent together: for the rows of a table, its arrays, and related objects.
extension ConformanceCase {
    static let rel4Levels: [ConformanceCase] = [
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
        graph(
            "rel-4.targets-once", "REL-4",
            "What the arrays of all owners lead to comes as one object for each row, whoever leads to it"
        ) { environment in
            let db = try await environment.open(Venture.self, Ticket.self)
            let contracts = (0..<5).map { Contract("c\($0)") }
            let ventures = (0..<40).map { Venture("v\($0)") }
            for (index, venture) in ventures.enumerated() {
                venture.contracts = (0..<index % 4).map { contracts[(index + $0) % 5] }
            }
            try await db.save(ventures)
            let seats = try await db.save(
                (0..<6).map { Seat(row: "r\($0 % 2)", number: $0 / 2, isTaken: $0 == 4) })
            let tickets = (0..<20).map { Ticket($0 % 3 == 0 ? nil : seats[$0 % 6]) }
            for (index, ticket) in tickets.enumerated() {
                ticket.alternatives = (0..<index % 3).map { seats[(index * 5 + $0) % 6] }
            }
            try await db.save(tickets)
            func expectAll(_ context: any DatabaseContext, _ how: String) async throws {
                let found = try await context.fetch(Venture.self)
                try expect(
                    found.map { $0.contracts.map(\.number) }, equals: ventures.map { $0.contracts.map(\.number) },
                    "the contracts, \(how)")
                let instances = Set(found.flatMap(\.contracts).map { ObjectIdentifier($0) })
                try expect(instances.count, equals: 5, "the number of contracts, \(how)")
                try expect(
                    found.allSatisfy { !$0.isDirty && $0.contracts.allSatisfy { !$0.isDirty } },
                    "Something is dirty, \(how).")
                let booked = try await context.fetch(Ticket.self)
                try expect(booked.map(\.seat), equals: tickets.map(\.seat), "the seats, \(how)")
                try expect(
                    booked.map(\.alternatives), equals: tickets.map(\.alternatives), "the alternatives, \(how)")
            }
            try await expectAll(db, "outside of a transaction")
            try await db.read { try await expectAll($0, "in a transaction that reads") }
            for level in IsolationLevel.allCases where environment.capabilities.isolationLevels.contains(level) {
                try await db.transaction(isolation: level) { try await expectAll($0, "\(level)") }
            }
        },
        graph(
            "rel-4.target-unreadable", "REL-4",
            "A row that no object can be made of fails a fetch that leads to it, and no other"
        ) { environment in
            let db = try await environment.open(Wall.self)
            let stickers = [Sticker(.calm), Sticker(.wild), Sticker(.calm)]
            let walls = (0..<30).map { Wall([stickers[$0 % 3], stickers[($0 + 1) % 3]]) }
            for wall in walls { wall.words = ["a", "b"] }
            try await db.save(walls)
            let key = try expect(some: stickers[1].id, "the key")
            try await db.sql("UPDATE sticker SET mood = 'furious' WHERE id = \(key)").execute()
            func expectFailure(_ context: any DatabaseContext, _ how: String) async throws {
                let error = try await expect(.decoding, from: "a fetch of what can't be made, \(how)") {
                    _ = try await context.fetch(Wall.self)
                }
                try expect(error.table, equals: "sticker", "the table that the error names, \(how)")
                try expect(error.properties, equals: ["mood"], "the property that the error names, \(how)")
                let one = try await context.find(Wall.self, key: walls[2].id ?? 0)
                try expect(one?.stickers.map(\.mood), equals: [.calm, .calm], "what is found after it, \(how)")
            }
            for _ in 0..<3 { try await expectFailure(db, "outside of a transaction") }
            try await db.transaction { try await expectFailure($0, "in a transaction") }
            try await db.sql("DELETE FROM wall_stickers WHERE sticker_id = \(key)").execute()
            let left = try await db.fetch(Wall.self)
            try expect(left.map(\.stickers.count), equals: walls.indices.map { $0 % 3 == 2 ? 2 : 1 }, "what is left")
        },
        ConformanceCase(
            "rel-4.committed-meanwhile", "REL-4",
            "In a transaction that sees what others commit, a fetch agrees with itself",
            level: .graph, requires: [.concurrentWriters]
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self, Wall.self) { probe.attach(to: &$0) }
            let other = try await environment.open()
            let sees = environment.capabilities.hasConcurrentWriters
            let panel = Panel("p")
            panel.members = [Employee("Ann")]
            try await db.save(panel)
            let key = try expect(some: panel.id, "the key")
            let members = try await fetched(db, probe, holding: "\"panel_id\"", sees: sees) { tx in
                try await tx.fetch(Panel.self).map { $0.members.map(\.name).joined() }
            } meanwhile: {
                let same = try expect(some: try await other.find(Panel.self, key: key), "the panel")
                same.members.append(Employee("Bob"))
                try await other.save(same)
            }
            try expect(members, equals: [sees ? "AnnBob" : "Ann"], "the members")
            try await expectMembers("AnnBob", of: panel, db)

            // Rows of the same table, which are then not all there, though all were asked for.
            let (first, second) = (Wall([Sticker(.calm)]), Wall([]))
            (first.neighbours, first.words) = ([second, first], ["first"])
            second.words = ["second"]
            try await db.save(first)
            let firstKey = try expect(some: first.id, "the key")
            func describe(_ wall: Wall) -> String {
                "\(wall.words) \(wall.stickers.map { "\($0.mood)" }) \(wall.neighbours.map { $0.words.joined() })"
            }
            let walls = try await fetched(db, probe, holding: "\"wall_neighbours\"", sees: sees) { tx in
                let walls = try await tx.fetch(Wall.self)
                return walls.map(describe) + (walls.first?.neighbours.map(describe) ?? [])
            } meanwhile: {
                let same = try expect(some: try await other.find(Wall.self, key: firstKey), "the wall")
                let third = Wall([Sticker(.wild)])
                (third.neighbours, third.words) = ([third, same], ["third"])
                same.neighbours.append(third)
                try await other.save(third)
            }
            let (two, three) = (describe(second), #"["third"] ["wild"] ["third", "first"]"#)
            let one = #"["first"] ["calm"] ["second", "first"\#(sees ? #", "third""# : "")]"#
            try expect(walls, equals: [one, two, two, one] + (sees ? [three] : []), "the walls")
        },
    ]
}
