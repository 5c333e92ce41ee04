import Foundation
@_spi(Driver) import Holdfast

/// Arrays of objects.
extension ConformanceCase {
    static let rel1Objects: [ConformanceCase] = [
        graph(
            "rel-1.object-edits", "REL-1", "An array of objects keeps order and duplicates through every kind of change"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c", "d", "e"].map { Employee($0) }
            let panel = Panel("p")
            panel.members = [people[0], people[1], people[0], people[2]]
            try await db.save(panel)
            try await expectMembers("abac", of: panel, db)
            let edits: [(ArrayEdit, String)] = [
                (.insert(at: 0, pick: 3), "dabac"), (.insert(at: 2, pick: 4), "daebac"),
                (.append(picks: [0]), "daebaca"), (.remove(at: 0), "aebaca"), (.remove(at: 5), "aebac"),
                (.remove(at: 2), "aeac"), (.move(from: 3, to: 0), "caea"), (.move(from: 0, to: 3), "aeac"),
                (.move(from: 1, to: 2), "aaec"), (.replace(at: 0, pick: 1), "baec"), (.replace(at: 2, pick: 1), "babc"),
                (.replace(at: 3, pick: 1), "babb"), (.duplicate(at: 1, to: 0), "ababb"),
                (.duplicate(at: 0, to: 5), "ababba"), (.reverse, "abbaba"), (.removeAll, ""),
                (.append(picks: [2, 2, 2]), "ccc"), (.insert(at: 1, pick: 2), "cccc"), (.remove(at: 1), "ccc"),
            ]
            for (edit, expected) in edits {
                edit.apply(to: &panel.members, pool: people)
                try expect(panel.isDirty, "A change of an array is no change.")
                try await db.save(panel)
                try await expectMembers(expected, of: panel, db)
            }
            try expect(try await db.count(Employee.self), equals: 5, "the number of employees")
        },
        graph("rel-1.object-nil-and-empty", "REL-1", "Of an optional array of objects nil and [] are told apart") {
            environment in
            let db = try await environment.open(Panel.self)
            let panel = Panel("p")
            try await db.save(panel)
            let ann = Employee("Ann")
            for deputies in [nil, [], [ann], nil, [ann, ann], [], nil, [ann]] as [[Employee]?] {
                panel.deputies = deputies
                try await db.save(panel)
                let same = try expect(some: try await db.find(Panel.self, key: panel.id ?? 0), "the panel")
                try expect(same.deputies?.map(\.name), equals: deputies?.map(\.name), "the deputies")
                let count = try await db.number("SELECT count(*) FROM panel_deputies")
                try expect(count, equals: deputies?.count ?? 0, "the number of links")
                let flags = try await db.sql("SELECT \(identifier: flag) FROM panel").fetch(as: Bool.self)
                try expect(flags, equals: [deputies != nil], "the column that tells nil from []")
            }
            let born = Panel("born")
            born.deputies = []
            try await db.save(born)
            let same = try expect(some: try await db.find(Panel.self, key: born.id ?? 0), "the new panel")
            try expect(same.deputies?.count, equals: 0, "the number of deputies of a new object with none")
            try expect(same.members.count, equals: 0, "the number of members")
        },
        graph(
            "rel-1.unlinked-by-sql", "REL-1", "What another program unlinks leaves [], never nil, and the rest in order"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c"].map { Employee($0) }
            let panel = Panel("p")
            panel.deputies = [people[0], people[1], people[0], people[2]]
            try await db.save(panel)
            try await db.sql("DELETE FROM panel_deputies WHERE employee_id = \(people[0].id ?? 0)").execute()
            try await db.reload(panel)
            try expect(panel.deputies?.map(\.name), equals: ["b", "c"], "the deputies after one was unlinked")
            try await db.sql("DELETE FROM employee WHERE name = 'b'").execute()
            try await db.reload(panel)
            try expect(panel.deputies?.map(\.name), equals: ["c"], "the deputies after one was deleted")
            try await db.sql("DELETE FROM panel_deputies").execute()
            try await db.reload(panel)
            try expect(panel.deputies?.count, equals: 0, "the number of deputies after all were unlinked")
        },
        graph(
            "rel-1.positions", "REL-1",
            "Positions order objects: gaps, negative ones and neighbours without room between are legal"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c", "d"].map { Employee($0) }
            let panel = Panel("p")
            panel.members = Array(people.prefix(3))
            try await db.save(panel)
            func place(_ positions: [Int64]) async throws {
                for (position, person) in zip(positions, people) {
                    try await db.sql(
                        "UPDATE panel_members SET position = \(position) WHERE employee_id = \(person.id ?? 0)"
                    ).execute()
                }
                try await db.reload(panel)
            }
            let layouts: [([Int64], String)] = [
                ([70, -5, 30], "bca"), ([101, 102, 103], "abc"), ([.max, .min, 0], "bca"),
                ([.max - 1, .max, .max - 2], "cab"),
                ([.min + 1, .min, .min + 2], "bac"),
            ]
            for (positions, order) in layouts {
                // Out of each other's way first.
                try await place([1_000_001, 1_000_002, 1_000_003])
                try await place(positions)
                try await expectMembers(order, of: panel, db)
                for (index, expected) in ["d" + order, order.prefix(1) + "d" + order.dropFirst(), order + "d"]
                    .enumerated()
                {
                    let same = try expect(some: try await db.find(Panel.self, key: panel.id ?? 0), "the panel")
                    same.members.insert(people[3], at: [0, 1, 3][index])
                    try await db.save(same)
                    try await expectMembers(String(expected), of: panel, db)
                    same.members.remove(at: [0, 1, 3][index])
                    try await db.save(same)
                    try await expectMembers(order, of: panel, db)
                }
            }
        },
        graph("rel-1.two-owners", "REL-1", "An object in two arrays leaves one of them and stays in the other") {
            environment in
            let db = try await environment.open(Panel.self)
            let ann = Employee("a")
            let panels = [Panel("p"), Panel("q")]
            for panel in panels {
                panel.members = [ann, Employee("b"), ann]
                panel.deputies = [ann]
            }
            try await db.save(panels)
            panels[0].members.removeFirst()
            panels[1].deputies = nil
            try await db.save(panels)
            try await expectMembers("ba", of: panels[0], db)
            try await expectMembers("aba", of: panels[1], db)
            let deputies = try await db.fetch(Panel.self).map { $0.deputies?.map(\.name) }
            try expect(deputies, equals: [["a"], nil], "the deputies")
            try expect(try await db.number("SELECT count(*) FROM panel_deputies"), equals: 1, "the number of links")
        },
        graph("rel-1.composite-keys", "REL-1", "An array of structs with keys of two values keeps order and duplicates")
        {
            environment in
            let db = try await environment.open(Ticket.self)
            let seats = (1...4).map { Seat(row: $0 > 2 ? "B" : "A", number: $0, isTaken: $0 == 3) }
            let ticket = Ticket(seats[2])
            ticket.alternatives = [seats[3], seats[0], seats[3]]
            try await db.save(ticket)
            ticket.alternatives.insert(seats[1], at: 1)
            ticket.alternatives.removeLast()
            try await db.save(ticket)
            let same = try expect(some: try await db.fetch(Ticket.self).first, "the ticket")
            try expect(same.alternatives, equals: [seats[3], seats[1], seats[0]], "the alternatives")
            try expect(same.seat, equals: seats[2], "the seat")
            try expect(
                try await db.numbers("SELECT seat_number FROM ticket_alternatives ORDER BY position"),
                equals: [4, 2, 1],
                "the numbers as SQL sees them")
        },
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
    ]

    /// The column of an optional array of objects.
    private static let flag = "deputies_present"
}
