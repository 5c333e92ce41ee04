import Foundation
import Holdfast

extension ConformanceCase {
    /// Rules are the database's, so other programs keep them too.
    static let graphDeletingBySQL: [ConformanceCase] = [
        graph(
            "rel-2.sql-lets-go", "REL-2",
            "A deletion by another program makes references NULL and takes objects out of arrays"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c"].map { Employee($0) }
            people[0].spouse = people[1]
            let panel = Panel("p")
            panel.members = [people[1], people[0], people[1], people[2]]
            panel.words = ["x"]
            try await db.save(panel)
            try await db.sql("DELETE FROM employee WHERE name = 'b'").execute()
            try await expectMembers("ac", of: panel, db)
            try expect(
                try await db.number("SELECT count(*) FROM employee WHERE spouse_id IS NULL"), equals: 2, "the NULLs")
            try await db.sql("DELETE FROM panel").execute()
            for table in ["panel_members", "panel_words", "panel_deputies"] {
                try expect(
                    try await db.number("SELECT count(*) FROM \(identifier: table)"), equals: 0,
                    "the number of rows of \(table)")
            }
            try expect(try await db.count(Employee.self), equals: 2, "the number of employees, which stay")
        },
        graph(
            "rel-2.sql-cascade", "REL-2",
            "A deletion by another program cascades through arrays and through the other side of references"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let changed = try await db.sql("DELETE FROM venture WHERE id = \(key)").execute()
            try expect(changed, equals: 1, "the number of rows deleted")
            try expect(try await ventureCounts(db), equals: Self.withoutVenture, "the numbers of rows")
        },
        graph(
            "rel-2.sql-inverse-cascade", "REL-2",
            "A deletion by another program takes along what refers to the row, level by level"
        ) {
            environment in
            let db = try await environment.open(Branch.self)
            let root = Branch("root")
            root.branches = [Branch("a"), Branch("b")]
            root.branches[0].branches = [Branch("a1"), Branch("a2")]
            try await db.save(root)
            try await db.sql("DELETE FROM branch WHERE label = 'a'").execute()
            try expect(
                try await db.texts("SELECT label FROM branch ORDER BY label"), equals: ["b", "root"], "the branches")
        },
        graph("rel-2.sql-deny", "REL-2", "A deletion by another program is refused where a relation denies it") {
            environment in
            let db = try await environment.open(Venture.self)
            let venture = Venture("v")
            venture.contracts = [Contract("C-1")]
            venture.stages = [Stage("s")]
            try await db.save(venture)
            try await expect(.foreignKeyViolation, from: "deleting an owner of contracts, by SQL") {
                try await db.sql("DELETE FROM venture").execute()
            }
            let same = try expect(some: try await db.fetch(Venture.self).first, "the venture")
            try expect(
                same.contracts.count == 1 && same.stages.count == 1, "Something is gone although it was refused.")
            try await db.sql("DELETE FROM contract").execute()
            try await db.sql("DELETE FROM venture").execute()
            try expect(try await db.count(Venture.self), equals: 0, "the number of ventures")
        },
    ]
}
