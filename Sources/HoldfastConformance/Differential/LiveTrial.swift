@_spi(Driver) import Holdfast

/// Objects that live through random changes, saves, failures and rollbacks: whatever happened, a save of all of them
/// must bring the database to what they hold.
struct LiveTrial {
    private struct RolledBack: Error {}

    private var generator: SplitMix64
    private let probe: StatementProbe
    private var people: [Employee] = []
    private var panels: [Panel] = []
    private let companies = [Company("c0"), Company("c1")]
    private var names = 0
    /// Whether what was written last was an object alone, which may lead to one that was deleted.
    private var isAlone = false
    /// The operations since the last comparison.
    private(set) var log: [String] = []

    init(seed: UInt64, probe: StatementProbe) {
        generator = SplitMix64(state: seed)
        self.probe = probe
        people = (0..<6).map { Employee("e\($0)") }
        panels = (0..<2).map { Panel("p\($0)") }
    }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    /// Makes some changes, and saves in one of many ways, which may fail.
    mutating func step(_ db: Database) async throws {
        for _ in 0..<below(4) { change() }
        if below(3) == 0 {
            let count = below(12)
            log.append("statement \(count) from here is refused")
            probe.refuse(after: count)
        }
        do {
            switch below(6) {
            case 0, 1: try await write(db)
            case 2, 3:
                log.append("transaction")
                try await db.transaction { tx in try await work(tx, depth: 0) }
            default:
                log.append("transaction that rolls back")
                try await db.transaction { tx in
                    try await work(tx, depth: 0)
                    throw RolledBack()
                }
            }
        } catch is RolledBack {
        } catch let error as DatabaseError where error.code == .engine {
            log.append("refused")
        } catch let error as DatabaseError where error.code == .foreignKeyViolation && isAlone {
            log.append("what it leads to was deleted")
        }
        _ = probe.stopRefusing()
    }

    private mutating func work(_ tx: Transaction, depth: Int) async throws {
        for _ in 0..<1 + below(3) {
            for _ in 0..<below(3) { change() }
            guard depth < 2, below(3) == 0 else {
                try await write(tx)
                continue
            }
            let fails = below(2) == 0
            log.append(fails ? "savepoint that rolls back" : "savepoint")
            do {
                try await tx.transaction { nested in
                    try await work(nested, depth: depth + 1)
                    if fails { throw RolledBack() }
                }
            } catch is RolledBack {}
        }
    }

    private mutating func write(_ context: some DatabaseContext) async throws {
        let person = people[below(people.count)]
        let panel = panels[below(panels.count)]
        let kind = below(8)
        log.append("write, kind \(kind), of \(person.name), \(panel.name)")
        isAlone = kind == 5
        switch kind {
        case 0, 1: try await context.save(person)
        case 2, 3: try await context.save(panel)
        case 4: try await context.save(people)
        case 5 where person.id != nil && [person.spouse?.id, person.company?.id].allSatisfy({ $0 != nil }):
            // What it leads to has a key, so it can be saved alone.
            if person.siblings.allSatisfy({ $0.id != nil }) { try await context.save(person, scope: .object) }
        case 6 where person.id != nil: try await delete(person, context)
        case 6 where panel.id != nil: try await context.delete(panel)
        default: try await context.save(panels)
        }
    }

    private mutating func delete(_ person: Employee, _ context: some DatabaseContext) async throws {
        for other in people {
            if other.spouse === person { other.spouse = nil }
            if other.siblings.contains(where: { $0 === person }) { other.siblings.removeAll { $0 === person } }
        }
        for panel in panels {
            if panel.members.contains(where: { $0 === person }) { panel.members.removeAll { $0 === person } }
            if panel.deputies?.contains(where: { $0 === person }) ?? false {
                panel.deputies?.removeAll { $0 === person }
            }
        }
        log.append("delete \(person.name)")
        try await context.delete(person)
    }

    private mutating func change() {
        let person = people[below(people.count)]
        let panel = panels[below(panels.count)]
        names += 1
        let kind = below(8)
        log.append("change \(kind) of \(person.name), \(panel.name)")
        switch kind {
        case 0: person.name = "e\(names)"
        case 1: person.spouse = below(3) == 0 ? nil : people[below(people.count)]
        case 2: person.company = below(3) == 0 ? nil : companies[below(2)]
        case 3: edit(person.siblings.count).apply(to: &person.siblings, pool: people)
        case 4: panel.name = "p\(names)"
        case 5: edit(panel.members.count).apply(to: &panel.members, pool: people)
        case 6: panel.words.insert("w\(names)", at: below(panel.words.count + 1))
        default: panel.deputies = below(3) == 0 ? nil : (panel.deputies ?? []) + [person]
        }
    }

    private mutating func edit(_ count: Int) -> ArrayEdit {
        .random(count: count, picks: people.count, using: &generator)
    }

    /// Saves everything, and compares the database with the objects.
    mutating func compare(_ db: Database) async throws {
        try await db.save(panels)
        try await db.save(people)
        try expect(!people.contains(where: \.isDirty) && !panels.contains(where: \.isDirty), "A saved object is dirty.")
        _ = probe.take()
        try await db.save(panels)
        try await db.save(people)
        try expect(probe.take(), equals: [], "the statements of a save of nothing")
        let rows = try await db.fetch(Employee.self)
        func described(_ person: Employee) -> String {
            "\(person.id ?? 0) \(person.name) \(person.spouse?.id ?? 0) \(person.company?.name ?? "-") \(person.siblings.map { $0.id ?? 0 })"
        }
        func described(_ panel: Panel) -> String {
            "\(panel.id ?? 0) \(panel.name) \(panel.words) \(panel.members.map { $0.id ?? 0 }) \(panel.deputies.map { "\($0.map { $0.id ?? 0 })" } ?? "nil")"
        }
        try expect(rows.map(described).sorted(), equals: people.map(described).sorted(), "the people")
        let stored = try await db.fetch(Panel.self)
        try expect(stored.map(described).sorted(), equals: panels.map(described).sorted(), "the panels")
        for person in rows { (person.spouse, person.siblings, person.company) = (nil, [], nil) }
        log = []
    }

    /// Opens the cycles, so that nothing stays in memory.
    func dissolve() { for person in people { (person.spouse, person.siblings, person.company) = (nil, [], nil) } }
}
