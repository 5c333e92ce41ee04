import Foundation
@_spi(Driver) import Holdfast

/// Inverse relations whose save fails, is rolled back, or comes too late.
extension ConformanceCase {
    static let rel3InverseFailure: [ConformanceCase] = [
        graph(
            "rel-3.inverse-of-one", "REL-3",
            "A relation of one to one is set, moved and ended through either of its sides"
        ) {
            environment in
            let db = try await environment.open(Citizen.self)
            let (ann, bob) = (Citizen("Ann"), Citizen("Bob"))
            let (first, second) = (Passport("1"), Passport("2"))
            func holders() async throws -> [String] {
                try await db.sql(
                    "SELECT p.number, c.name FROM passport AS p LEFT JOIN citizen AS c ON c.id = p.holder_id ORDER BY p.number"
                ).fetch(as: (String, String?).self).map { "\($0) \($1 ?? "-")" }
            }
            ann.passport = first
            second.holder = bob
            try await db.save([ann, bob])
            try await db.save(second)
            try expect(first.holder === ann, "The passport does not lead to its holder.")
            try expect(try await holders(), equals: ["1 Ann", "2 Bob"], "the holders")
            let citizens = try expect(try await db.fetch(Citizen.self), count: 2, "citizens")
            try expect(citizens.map { $0.passport?.number }, equals: ["1", "2"], "the passports, as they are loaded")
            try expect(citizens[1].passport?.holder === citizens[1], "The cycle does not close.")
            citizens[0].passport = nil
            try await db.save(citizens[0])
            try expect(try await holders(), equals: ["1 -", "2 Bob"], "the holders after a passport was taken")
            let passports = try expect(try await db.fetch(Passport.self), count: 2, "passports")
            passports[1].holder = nil
            try await db.save(passports[1])
            try expect(try await holders(), equals: ["1 -", "2 -"], "the holders after the other one was given back")
            let again = try expect(some: try await db.find(Citizen.self, key: ann.id ?? 0), "the citizen")
            again.passport = passports[0]
            try await db.save(again)
            again.passport = Passport("3")
            try await db.save(again)
            try expect(
                try await holders(), equals: ["1 -", "2 -", "3 Ann"], "the holders after one passport replaced another")
            try await db.delete(again)
            try expect(try await holders(), equals: ["1 -", "2 -", "3 -"], "the holders after a citizen was deleted")
        },
        graph("rel-3.inverse-refused", "REL-3", "After a refusal the other sides of what was to be added are as before")
        {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Company.self) { probe.attach(to: &$0) }
            let (acme, zeta) = (Company("Acme"), Company("Zeta"))
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            acme.staff = [ann, bob]
            bob.company = zeta
            try await expect(.conflict, from: "saving two sides that differ") { try await db.save(acme) }
            try expect(ann.company == nil && bob.company === zeta, "A reference was set by a save that was refused.")
            bob.company = nil
            probe.refuse(after: 1)
            try await expect(.engine, from: "a statement that is refused") { try await db.save(acme) }
            _ = probe.stopRefusing()
            try expect(ann.company == nil && bob.company == nil, "A reference is left by a save that failed.")
            acme.staff.removeLast()
            try await db.save([acme])
            try await db.save(bob)
            let companies = try await db.texts(
                "SELECT c.name FROM employee AS e LEFT JOIN company AS c ON c.id = e.company_id ORDER BY e.name")
            try expect(companies, equals: ["Acme", nil], "the companies")
        },
        graph(
            "rel-3.inverse-rollback", "REL-3",
            "After a rollback the other sides of what was added or removed are as before"
        ) {
            environment in
            let db = try await environment.open(Company.self)
            let acme = Company("Acme")
            let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
            ann.spouse = bob
            acme.staff = [ann, bob]
            try await db.save([acme])
            try await db.save(cleo)
            struct Stop: Error {}
            do {
                try await db.transaction { tx in
                    acme.staff = [ann, cleo]
                    try await tx.save(acme)
                    try expect(bob.company == nil && cleo.company === acme, "The other sides do not follow.")
                    throw Stop()
                }
            } catch is Stop {}
            try expect(
                acme.staff.map(\.name) == ["Ann", "Cleo"] && acme.isDirty, "What was set is no longer to be saved.")
            try expect(bob.company === acme, "An object lost its reference, although the database kept it.")
            try expect(cleo.company == nil, "An object kept a reference that the database has not.")
            try await db.save(acme)
            try expect(bob.company == nil && cleo.company === acme, "The other sides do not follow.")
            let staff = try await db.texts("SELECT name FROM employee WHERE company_id IS NOT NULL ORDER BY name")
            try expect(staff, equals: ["Ann", "Cleo"], "the staff")
        },
        graph(
            "rel-3.inverse-taken-meanwhile", "REL-3",
            "An object that is taken out of a relation stays with the owner that another client has just given it"
        ) {
            environment in
            try await removeWhileMoving(environment)
        },
    ]

    @SuiteActor
    private static func removeWhileMoving(_ environment: ConformanceEnvironment) async throws {
        let probe = StatementProbe()
        let db = try await environment.open(Company.self) { probe.attach(to: &$0) }
        let other = try await environment.open()
        let (acme, zeta, third) = (Company("Acme"), Company("Zeta"), Company("Third"))
        let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
        acme.staff = [ann, bob]
        third.staff = [cleo]
        cleo.spouse = ann  // so that the save meets it, although no company holds it any more
        try await db.save([acme, zeta, third])
        acme.staff = []
        third.staff = [cleo]  // set, so that the save goes through it
        let (key, owner) = (ann.id ?? 0, zeta.id ?? 0)
        let move = { @Sendable in
            _ = try await other.sql("UPDATE employee SET company_id = \(owner) WHERE id = \(key)").execute()
        }
        // With one writer, nobody else comes in between.
        let isConcurrent = environment.capabilities.hasConcurrentWriters
        let (reached, enough) = (Signal(), Signal())
        if isConcurrent {
            probe.hold("UPDATE \"employee\" SET \"company_id\"", reached: reached, until: enough)
        } else {
            try await move()
        }
        let saving = Task { @SuiteActor in
            defer { reached.give() }
            try await db.save([acme, third])
        }
        if isConcurrent {
            await reached.wait()
            try await move()
            enough.give()
        }
        try await saving.value
        let staff = try await db.texts(
            """
            SELECT e.name || ' ' || coalesce(c.name, '-') FROM employee AS e LEFT JOIN company AS c ON c.id = e.company_id
            ORDER BY e.name
            """)
        try expect(staff, equals: ["Ann Zeta", "Bob -", "Cleo Third"], "the staff")
        try expect(!acme.isDirty && acme.staff.isEmpty, "The relation is not saved.")
        try expect(bob.company == nil || bob.company === acme, "An object leads elsewhere.")
        if isConcurrent {
            try expect(ann.company == nil && !ann.isLoaded(\.company), "An owner is known that is none.")
        }
        ann.name = "Anna"
        try await db.save(ann)
        try await db.reload(ann)
        try expect(ann.company?.name, equals: "Zeta", "the owner that the other client set")
    }
}
