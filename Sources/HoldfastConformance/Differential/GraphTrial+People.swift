import Holdfast

// People, whose keys the engine makes, with references that both sides hold.

extension GraphTrial {
    mutating func addPeople(_ context: some DatabaseContext) async throws {
        let known = try await context.fetch(Employee.self, keys: some(world.people.keys.sorted(), 3))
        let companies = try await context.fetch(Company.self, keys: some(world.companies.sorted(), 1), depth: 0)
        let new = (0..<1 + below(4)).map { _ in Employee(name()) }
        let pool = new + known
        let company = below(3) == 0 ? Company(name()) : companies.first
        for person in new {
            change(person, pool)
            if below(2) == 0 { person.company = company }
        }
        log.append("add \(new.map(\.name)) beside \(known.compactMap(\.id))")
        try await context.save(below(2) == 0 ? new.reversed() : new)
        if let key = company?.id, new.contains(where: { $0.company != nil }) || world.companies.contains(key) {
            world.companies.insert(key)
        }
        for person in new + known where person.id != nil { try remember(person) }
        Self.dissolve(new + known)
    }

    mutating func changePeople(_ context: some DatabaseContext) async throws {
        let keys = some(world.people.keys.sorted(), 1 + below(3))
        let roots = try await context.fetch(Employee.self, keys: keys)
        let all = Self.reachable(roots)
        let changed = some(all, 2)
        log.append("change the people \(changed.compactMap(\.id)), reached from \(keys)")
        for person in changed {
            person.name = name()
            change(person, all)
        }
        try await context.save(roots + changed)
        for person in all { try remember(person) }
        Self.dissolve(all)
    }

    /// Moves people from company to company, through one of the two sides.
    mutating func moveStaff(_ context: some DatabaseContext) async throws {
        let companies = try await context.fetch(Company.self, keys: some(world.companies.sorted(), 2))
        guard companies.count == 2 else { return }
        let all = Self.reachable(companies.flatMap(\.staff))
        let person = companies[0].staff.isEmpty ? nil : companies[0].staff[below(companies[0].staff.count)]
        let manner = below(4)
        log.append("move \(person?.id ?? 0) from \(companies[0].id ?? 0) to \(companies[1].id ?? 0), manner \(manner)")
        guard let person, let key = person.id else { return Self.dissolve(all) }
        var employer = companies[1].id
        switch manner {
        case 0: person.company = companies[1]
        case 1:
            companies[0].staff.removeAll { $0 === person }
            companies[1].staff.insert(person, at: 0)
        case 2:
            companies[0].staff.removeAll { $0 === person }
            employer = nil
        default: companies[1].staff.append(person)
        }
        switch manner {
        case 0: try await context.save(person)
        case 3: try await context.save(companies[1])
        default: try await context.save(companies)
        }
        world.people[key]?.company = employer
        Self.dissolve(all)
    }

    mutating func deletePeople(_ context: some DatabaseContext) async throws {
        if below(4) == 0 {
            let keys = some(world.companies.sorted(), 1)
            log.append("delete the companies \(keys)")
            try await context.delete(try await context.fetch(Company.self, keys: keys, depth: 0))
            world.companies.subtract(keys)
            for (key, person) in world.people where person.company.map({ keys.contains($0) }) ?? false {
                world.people[key]?.company = nil
            }
            return
        }
        let keys = some(world.people.keys.sorted(), 1 + below(world.people.count > 25 ? 12 : 2))
        log.append("delete the people \(keys)")
        let gone = try await context.fetch(Employee.self, keys: keys, depth: below(2))
        try expect(try await context.delete(gone), equals: keys.count, "the number of people deleted")
        for key in keys { world.people[key] = nil }
        for other in world.people.keys {
            world.people[other]?.siblings.removeAll { keys.contains($0) }
            if let spouse = world.people[other]?.spouse, keys.contains(spouse) { world.people[other]?.spouse = nil }
        }
        Self.dissolve(Self.reachable(gone))
    }

    private mutating func change(_ person: Employee, _ pool: [Employee]) {
        switch below(3) {
        case 0: person.spouse = pool[below(pool.count)]
        case 1: person.spouse = nil
        default: break
        }
        for _ in 0..<below(3) {
            ArrayEdit.random(count: person.siblings.count, picks: pool.count, using: &generator)
                .apply(to: &person.siblings, pool: pool)
        }
    }

    private mutating func remember(_ person: Employee) throws {
        let key = try expect(some: person.id, "the key of a person")
        world.people[key] = try PersonRow(person)
    }

    static func reachable(_ roots: [Employee]) -> [Employee] {
        var result: [Employee] = []
        var seen = Set<ObjectIdentifier>()
        var pending = Array(roots.reversed())
        while let person = pending.popLast() {
            guard seen.insert(ObjectIdentifier(person)).inserted else { continue }
            result.append(person)
            pending += [person.spouse].compactMap(\.self) + person.siblings + (person.company?.staff ?? [])
        }
        return result
    }

    static func dissolve(_ people: [Employee]) {
        for person in people { (person.spouse, person.siblings, person.company) = (nil, [], nil) }
    }

    // MARK: Branches

    /// Adds branches under others, through the child or the parent, or moves one.
    mutating func growBranches(_ context: some DatabaseContext) async throws {
        let all = try await context.fetch(Branch.self).sorted { $0.label < $1.label }
        try expect(all.map(\.label), equals: world.branches.keys.sorted(), "the branches")
        let new = (0..<1 + below(4)).map { _ in Branch(name()) }
        for (index, branch) in new.enumerated() {
            let parents = all + new[..<index]
            guard !parents.isEmpty, below(4) > 0 else { continue }
            let parent = parents[below(parents.count)]
            if below(2) == 0 { branch.parent = parent } else { parent.branches.append(branch) }
            world.branches[branch.label] = BranchRow(parent: parent.label)
        }
        for branch in new where world.branches[branch.label] == nil { world.branches[branch.label] = BranchRow() }
        log.append("grow \(new.map { "\($0.label) under \(world.branches[$0.label]?.parent ?? "nothing")" })")
        if let branch = all.first, below(3) == 0 {
            branch.parent = nil
            world.branches[branch.label] = BranchRow()
            log.append("plant \(branch.label)")
        }
        try await context.save(below(2) == 0 ? all + new : new + all)
        for branch in all + new { branch.branches = [] }
    }

    /// Cuts a branch off with everything on it, by the object or by SQL.
    mutating func cutBranches(_ context: some DatabaseContext) async throws {
        let keys = some(world.branches.keys.sorted(), 1)
        guard let label = keys.first else { return }
        if below(2) == 0 {
            log.append("cut \(label)")
            let branch = try await context.fetch(Branch.self, depth: 0).first { $0.label == label }
            try await context.delete(try expect(some: branch, "the branch"))
        } else {
            log.append("SQL cuts \(label)")
            try await context.sql("DELETE FROM branch WHERE label = \(label)").execute()
        }
        var gone: Set = [label]
        while true {
            let more = world.branches.filter { row in row.value.parent.map { gone.contains($0) } ?? false }.map(\.key)
            for label in more + [label] { world.branches[label] = nil }
            guard !more.isEmpty else { return }
            gone.formUnion(more)
        }
    }
}

extension GraphTrial.PersonRow {
    init(_ person: Employee) throws {
        self.init(
            name: person.name, company: person.company?.id, spouse: person.spouse?.id,
            siblings: try person.siblings.map { try expect(some: $0.id, "the key of a sibling") })
    }
}
