import Holdfast

extension GraphTrial {
    /// Compares everything that is in the database with the model: as objects, and as SQL sees it.
    func compare(_ db: Database) async throws {
        try await db.read { tx in
            try expect(try await loaded(tx), equals: world, "the objects")
            try expect(try await stored(tx), equals: world, "the rows")
            for key in world.vertices.keys.sorted().prefix(2) {
                let vertex = try expect(some: try await tx.find(Vertex.self, key: key), "the vertex \(key)")
                let all = Self.reachable([vertex])
                for other in all {
                    try expect(
                        VertexRow(other), equals: world.vertices[other.name] ?? VertexRow(),
                        "\(other.name), from \(key)")
                }
                try expect(Set(all.map(\.name)).count, equals: all.count, "the number of instances reached from \(key)")
                Self.dissolve(all)
            }
        }
    }

    private func loaded(_ tx: Transaction) async throws -> World {
        var result = World()
        let vertices = try await tx.fetch(Vertex.self)
        for vertex in vertices { result.vertices[vertex.name] = VertexRow(vertex) }
        Self.dissolve(vertices)
        let people = try await tx.fetch(Employee.self)
        for person in people { result.people[try expect(some: person.id, "a key")] = try PersonRow(person) }
        Self.dissolve(people)
        for company in try await tx.fetch(Company.self, depth: 1) {
            let key = try expect(some: company.id, "a key")
            result.companies.insert(key)
            let staff = world.people.filter { $0.value.company == key }.map(\.key).sorted()
            try expect(company.staff.compactMap(\.id).sorted(), equals: staff, "the staff of \(key)")
            for person in company.staff { (person.company, person.spouse, person.siblings) = (nil, nil, []) }
        }
        let branches = try await tx.fetch(Branch.self)
        for branch in branches {
            result.branches[branch.label] = BranchRow(parent: branch.parent?.label)
            for child in branch.branches { try expect(child.parent === branch, "\(child.label) does not lead back.") }
        }
        let count = branches.reduce(0) { $0 + $1.branches.count }
        try expect(count, equals: world.branches.count { $0.value.parent != nil }, "the number of branches of others")
        for branch in branches { branch.branches = [] }
        return result
    }

    private func stored(_ tx: Transaction) async throws -> World {
        var result = World()
        for (name, next) in try await tx.sql("SELECT name, next_name FROM vertex").fetch(as: (String, String?).self) {
            result.vertices[name] = VertexRow(next: next)
        }
        let edges = try await tx.sql("SELECT vertex_name, edges_name FROM vertex_edges ORDER BY position")
            .fetch(as: (String, String).self)
        for (name, edge) in edges { result.vertices[name]?.edges.append(edge) }
        let people = try await tx.sql("SELECT id, name, company_id, spouse_id FROM employee")
            .fetch(as: (Int64, String, Int64?, Int64?).self)
        for (id, name, company, spouse) in people {
            result.people[id] = PersonRow(name: name, company: company, spouse: spouse)
        }
        let siblings = try await tx.sql("SELECT employee_id, siblings_id FROM employee_siblings ORDER BY position")
            .fetch(as: (Int64, Int64).self)
        for (id, sibling) in siblings { result.people[id]?.siblings.append(sibling) }
        result.companies = Set(try await tx.sql("SELECT id FROM company").fetch(as: Int64.self))
        let branches = try await tx.sql(
            "SELECT b.label, p.label FROM branch AS b LEFT JOIN branch AS p ON p.id = b.parent_id"
        ).fetch(as: (String, String?).self)
        for (label, parent) in branches { result.branches[label] = BranchRow(parent: parent) }
        return result
    }
}
