import Foundation
import Holdfast

extension ConformanceCase {
    static let rel3Verbs: [ConformanceCase] = [
        graph("rel-3.batch", "REL-3", "Objects that are given together share what they lead to, and each other") {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c"].map { Employee($0) }
            for person in people { person.company = people[0].company ?? Company("Acme") }
            people[0].siblings = [people[1], people[2]]
            people[2].mentor = people[0]
            let panels = (0..<20).map { Panel("p\($0)") }
            for (index, panel) in panels.enumerated() { panel.members = [people[index % 3], people[0]] }
            try await db.save(panels + [panels[3], panels[0]])
            try await db.save([people[2], people[0], people[2]])
            let counts = [
                try await db.count(Panel.self), try await db.count(Employee.self), try await db.count(Company.self),
                try await db.number("SELECT count(*) FROM panel_members"),
            ]
            try expect(counts, equals: [20, 3, 1, 40], "the numbers of panels, employees, companies and links")
            let all = try await db.fetch(Panel.self)
            try expect(
                all.map { $0.members.map(\.name).joined() }, equals: (0..<20).map { ["aa", "ba", "ca"][$0 % 3] },
                "the members")
            try expect(
                Set(all.flatMap { $0.members.map { ObjectIdentifier($0) } }).count, equals: 3, "the number of instances"
            )
        },
        graph(
            "rel-3.new-and-changed", "REL-3",
            "A save finds changes behind objects that did not change, and new objects behind those"
        ) {
            environment in
            let db = try await environment.open(Vertex.self)
            let chain = (0..<6).map { Vertex("v\($0)") }
            for index in 1..<6 { chain[index - 1].next = chain[index] }
            try await db.save(chain[0])
            chain[5].edges = [chain[0], Vertex("new")]
            chain[3].edges = [chain[3]]
            try await db.sql("DELETE FROM vertex WHERE name = 'nobody'").execute()
            try await db.save(chain[0])
            try expect(!chain[5].isDirty && !chain[5].edges[1].isDirty, "A change was not found.")
            let same = try expect(some: try await db.find(Vertex.self, key: "v0"), "the first vertex")
            let last = try expect(some: same.next?.next?.next?.next?.next, "the last vertex")
            try expect(last.edges.map(\.name), equals: ["v0", "new"], "the edges of the last")
            try expect(last.edges[0] === same, "The cycle through an array does not close.")
            let edges = try await db.texts("SELECT edges_name FROM vertex_edges ORDER BY vertex_name, position")
            try expect(edges, equals: ["v3", "v0", "new"], "the edges as SQL sees them")
            for vertex in chain + [last] { (vertex.next, vertex.edges) = (nil, []) }
        },
        graph("rel-3.insert", "REL-3", "insert inserts the object given, and saves what it leads to") { environment in
            let db = try await environment.open(Vertex.self)
            let (a, b, c) = (Vertex("a"), Vertex("b"), Vertex("c"))
            try await db.save(b)
            b.next = c
            a.edges = [b, c, b]
            try await db.insert(a)
            let same = try expect(some: try await db.find(Vertex.self, key: "a"), "the vertex")
            try expect(same.edges.map(\.name), equals: ["b", "c", "b"], "the edges")
            try expect(same.edges[0].next === same.edges[1], "A change of what exists was not saved.")
            let copy = Vertex("a")
            copy.next = Vertex("d")
            try await expect(.uniqueViolation, from: "inserting a key that exists") { try await db.insert(copy) }
            try expect(try await db.count(Vertex.self), equals: 3, "the number of vertices")
            try expect(copy.isDirty && copy.next?.isDirty == true, "An object is not as before.")
            try await expect(.uniqueViolation, from: "inserting an object again") { try await db.insert(b) }
        },
        graph("rel-3.update", "REL-3", "update updates the object given, and saves what it leads to") { environment in
            let db = try await environment.open(Vertex.self)
            let (a, b) = (Vertex("a"), Vertex("b"))
            a.edges = [b]
            try await expect(.notFound, from: "updating what was never saved") { try await db.update(a) }
            try expect(try await db.count(Vertex.self), equals: 0, "the number of vertices after a refusal")
            try await db.save(a)
            a.edges = [Vertex("c"), b]
            b.next = a
            try await db.update(a)
            let same = try expect(some: try await db.find(Vertex.self, key: "a"), "the vertex")
            try expect(same.edges.map(\.name), equals: ["c", "b"], "the edges")
            try expect(same.edges[1].next === same, "The cycle does not close.")
            // An object that was made anew for a row that exists is updated whole.
            let again = Vertex("a")
            again.next = Vertex("d")
            try await db.update(again)
            try await db.reload(a)
            try expect(a.next?.name == "d" && a.edges.isEmpty, "The row is not what the new object holds.")
            b.next = nil
        },
        graph("rel-3.rows-gone", "REL-3", "A changed object whose row is gone refuses the whole graph") { environment in
            let db = try await environment.open(Panel.self)
            let (ann, bob) = (Employee("a"), Employee("b"))
            let panel = Panel("p")
            panel.members = [ann, bob]
            try await db.save(panel)
            try await db.sql("DELETE FROM employee WHERE name = 'b'").execute()
            panel.name = "changed"
            bob.name = "changed"
            let error = try await expect(.notFound, from: "saving a graph with a row that is gone") {
                try await db.save(panel)
            }
            try expect(error.table, equals: "employee", "the table that the error names")
            try expect(panel.isDirty && bob.isDirty, "An object is not as before.")
            try expect(try await db.texts("SELECT name FROM panel"), equals: ["p"], "the name in the database")
            panel.members = [bob, ann]
            try await expect(.notFound, .foreignKeyViolation, from: "saving an array with a row that is gone") {
                try await db.save(panel)
            }
            try await expectMembers("a", of: panel, db)
            panel.members = [ann, ann]
            try await db.save(panel)
            try await expectMembers("aa", of: panel, db)
        },
        graph("rel-3.scope-along-paths", "REL-3", "A save along paths saves what they name and nothing beyond") {
            environment in
            let db = try await environment.open(Venture.self)
            let venture = Venture("v")
            venture.lead = Employee("lead")
            venture.lead?.company = Company("Acme")
            venture.gatherings = [Gathering("g")]
            venture.gatherings[0].participants = [Employee("p")]
            try await db.save(venture)
            venture.name = "V"
            venture.lead?.name = "LEAD"
            venture.lead?.company?.name = "ACME"
            venture.gatherings[0].topic = "G"
            venture.gatherings[0].participants[0].name = "P"
            func names() async throws -> String {
                try await db.texts(
                    """
                    SELECT name FROM venture UNION ALL SELECT name FROM employee UNION ALL SELECT name FROM company
                    UNION ALL SELECT topic FROM gathering
                    """
                ).compactMap(\.self).sorted().joined(separator: " ")
            }
            try await db.save(venture, scope: .object)
            try expect(try await names(), equals: "Acme V g lead p", "the names after a save of the object alone")
            try await db.save(venture, scope: .following(["lead"]))
            try expect(try await names(), equals: "Acme LEAD V g p", "the names after a save of the lead")
            try await db.save(venture, scope: .following(["gatherings.participants"]))
            try expect(try await names(), equals: "Acme G LEAD P V", "the names after a save of the participants")
            try expect(venture.lead?.company?.isDirty == true, "What was not followed is no longer dirty.")
            venture.stages = [Stage("s")]
            let error = try await expect(.conflict, from: "an array of new objects that are not followed") {
                try await db.save(venture, scope: .following(["lead.company"]))
            }
            try expect(error.properties, equals: ["stages"], "the property that the error names")
            try expect(try await names(), equals: "Acme G LEAD P V", "the names after a refusal")
            try await db.save(venture)
            try expect(try await names(), equals: "ACME G LEAD P V", "the names after a save of everything")
        },
    ]
}
