import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let rel3Concurrency: [ConformanceCase] = [
        graph(
            "rel-3.changed-while-suspended", "REL-3",
            "What is changed in a graph while its save is suspended stays dirty"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            try await changeGraphWhileSaving(db, probe)
        },
        graph(
            "rel-3.shared-by-two-saves", "REL-3",
            "A new object in two graphs that are saved at the same time is inserted once"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            for round in 0..<6 { try await saveShared(db, round) }
            try expect(try await db.count(Employee.self), equals: 12, "the number of employees")
            try expect(try await db.count(Company.self), equals: 6, "the number of companies")
            try expect(try await db.number("SELECT count(*) FROM panel_members"), equals: 36, "the number of links")
        },
        graph(
            "rel-3.shared-by-two-inserts", "REL-3",
            "A new object in two graphs that are inserted at the same time is inserted once"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            try await insertShared(db)
        },
        graph(
            "rel-3.failure-while-suspended", "REL-3",
            "What is changed while a save is suspended that then fails is not lost"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Locker.self) { probe.attach(to: &$0) }
            try await failWhileSaving(db, probe)
        },
        graph(
            "rel-3.inside-and-outside", "REL-3",
            "A new object that is saved inside a transaction and outside of it at the same time holds up neither"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            try await saveInsideAndOutside(db, probe, .readCommitted, catches: true)
            try await saveInsideAndOutside(db, probe, .serializable, catches: false)
        },
        graph(
            "rel-3.cancelled-while-waiting", "REL-3",
            "A save that waits for another one of the same object ends when its task is cancelled"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            try await cancelWhileWaiting(db, probe)
        },
    ]

    @SuiteActor
    private static func changeGraphWhileSaving(_ db: Database, _ probe: StatementProbe) async throws {
        let panel = Panel("p")
        let (ann, bob) = (Employee("Ann"), Employee("Bob"))
        ann.company = Company("Acme")
        panel.members = [ann, bob]
        for text in ["INSERT INTO \"company\"", "INSERT INTO \"panel_members\""] {
            if panel.id != nil { panel.members = [bob, ann, bob] }
            let (reached, enough) = (Signal(), Signal())
            probe.hold(text, reached: reached, until: enough)
            let saving = Task { @SuiteActor in try await db.save(panel) }
            await reached.wait()
            let members = panel.members
            ann.name += "!"
            bob.spouse = ann
            panel.members = [Employee("late")] + members
            enough.give()
            try await saving.value
            try expect(
                ann.isDirty && bob.isDirty && panel.isDirty, "What changed while the save was suspended is not dirty.")
            try expect(panel.members[0].id == nil, "An object was saved that came after the save began.")
            try await expectMembers(
                members.map { $0 === ann ? String(ann.name.dropLast()) : $0.name }.joined(), of: panel, db)
            try await db.save(panel)
            try expect(!ann.isDirty && !bob.isDirty && !panel.isDirty, "A saved object is dirty.")
            try await expectMembers(panel.members.map(\.name).joined(), of: panel, db)
            try expect(
                try await db.number("SELECT count(*) FROM employee WHERE spouse_id = \(ann.id ?? 0)"), equals: 1,
                "the spouses")
            bob.spouse = nil
            ann.company = Company("Acme again")
        }
    }

    @SuiteActor
    private static func insertShared(_ db: Database) async throws {
        let ann = Employee("Ann")
        let panels = ["first", "second"].map { Panel($0) }
        let tasks = panels.map { panel in
            panel.members = [ann]
            return Task { @SuiteActor in try await db.insert(panel) }
        }
        for task in tasks { try await task.value }
        for panel in panels { try await expectMembers("Ann", of: panel, db) }
        try expect(try await db.count(Employee.self), equals: 1, "the number of employees")
    }

    @SuiteActor
    private static func saveShared(_ db: Database, _ round: Int) async throws {
        let (ann, bob) = (Employee("Ann \(round)"), Employee("Bob \(round)"))
        ann.company = Company("Acme \(round)")
        (ann.spouse, bob.spouse) = (bob, ann)
        let panels = (0..<3).map { Panel("\(round) \($0)") }
        let tasks = panels.map { panel in
            panel.members = [ann, bob]
            return Task { @SuiteActor in try await db.save(panel) }
        }
        for task in tasks { try await task.value }
        try expect(panels.allSatisfy { $0.id != nil && !$0.isDirty }, "A panel was not saved.")
        try expect(!ann.isDirty && !bob.isDirty, "An object in three saves is dirty.")
        (ann.spouse, bob.spouse) = (nil, nil)
    }

    private static func wait(for signal: Signal, atMost limit: Duration) async {
        let timer = Task {
            try? await Task.sleep(for: limit)
            signal.give()
        }
        await signal.wait()
        timer.cancel()
    }

    /// Where one connection writes, the save outside waits for that of the transaction, so the one inside is refused;
    /// elsewhere the one inside waits for the other.
    @SuiteActor
    private static func saveInsideAndOutside(
        _ db: Database, _ probe: StatementProbe, _ isolation: IsolationLevel, catches: Bool
    ) async throws {
        for table in ["panel_members", "panel", "employee", "company"] {
            try await db.sql("DELETE FROM \(identifier: table)").execute()
        }
        let ann = Employee("Ann")
        ann.company = Company("Acme")
        let (outer, inner) = (Panel("outer"), Panel("inner"))
        (outer.members, inner.members) = ([ann], [ann])
        let before = Company("before")
        let (begun, reached, enough) = (Signal(), Signal(), Signal())
        probe.hold("INSERT INTO \"employee\"", reached: reached, until: enough)
        let saving = Task { @SuiteActor in
            await begun.wait()
            try await db.save(outer)
        }
        var refusal: DatabaseError?
        try await expect(within: .seconds(8), "Saving an object inside and outside of a transaction") {
            do {
                try await db.transaction(isolation: isolation) { tx in
                    try await tx.save(before)
                    begun.give()
                    await wait(for: reached, atMost: .milliseconds(300))
                    let release = Task {
                        try? await Task.sleep(for: .milliseconds(200))
                        enough.give()
                    }
                    defer { release.cancel() }
                    do {
                        try await tx.save(inner)
                    } catch let error as DatabaseError {
                        refusal = error
                        try expect(inner.isDirty && inner.id == nil, "A save that was refused changed its object.")
                        enough.give()
                        if !catches { throw error }
                    }
                }
            } catch let error as DatabaseError {
                try expect(error.code == refusal?.code, "The transaction failed with \(error.debugDescription)")
                try expect(before.id == nil, "An object has a key although its transaction was rolled back.")
            }
            enough.give()
            try await saving.value
        }
        if let refusal {
            // A transaction of one snapshot does not see what the other save inserted since.
            let codes: [DatabaseError.Code] =
                isolation == .readCommitted ? [.conflict] : [.conflict, .foreignKeyViolation, .serializationFailure]
            try expect(codes.contains(refusal.code), "The save inside was refused with \(refusal.debugDescription)")
        }
        try expect(!outer.isDirty && !ann.isDirty && ann.company?.isDirty == false, "A saved object is dirty.")
        try expect(inner.isDirty, equals: refusal != nil, "whether the object inside is to be saved")
        try await db.save(inner)
        try await db.save(before)
        for panel in [outer, inner] { try await expectMembers("Ann", of: panel, db) }
        try expect(try await db.count(Panel.self), equals: 2, "the number of panels")
        try expect(try await db.count(Employee.self), equals: 1, "the number of employees")
        try expect(try await db.count(Company.self), equals: 2, "the number of companies")
        try expect(try await db.find(Company.self, key: before.id ?? 0)?.name, equals: "before", "the other company")
    }

    @SuiteActor
    private static func cancelWhileWaiting(_ db: Database, _ probe: StatementProbe) async throws {
        let ann = Employee("Ann")
        let panels = ["first", "early", "late", "last"].map { Panel($0) }
        for panel in panels { panel.members = [ann] }
        let (reached, enough) = (Signal(), Signal())
        probe.hold("INSERT INTO \"employee\"", reached: reached, until: enough)
        let saving = Task { @SuiteActor in try await db.save(panels[0]) }
        await reached.wait()
        let waiting = panels.dropFirst().map { panel in Task { @SuiteActor in try await db.save(panel) } }
        waiting[0].cancel()  // before it can have begun
        try? await Task.sleep(for: .milliseconds(100))
        waiting[1].cancel()
        try await expect(within: .seconds(5), "Ending saves that were cancelled") {
            for task in waiting.prefix(2) {
                try await expect(.cancelled, from: "a cancelled save") { try await task.value }
            }
        }
        try expect(panels.allSatisfy { $0.isDirty && $0.id == nil }, "A save ended although another one holds it up.")
        enough.give()
        try await saving.value
        try await waiting[2].value
        try expect(panels.map(\.isDirty), equals: [false, true, true, false], "which panels are to be saved")
        try await db.save(panels)
        for panel in panels { try await expectMembers("Ann", of: panel, db) }
        try expect(try await db.count(Employee.self), equals: 1, "the number of employees")
    }

    @SuiteActor
    private static func failWhileSaving(_ db: Database, _ probe: StatementProbe) async throws {
        let ann = Employee("Ann")
        try await db.save(Locker(ann))
        let locker = Locker(ann)
        ann.name = "Anna"
        let (reached, enough) = (Signal(), Signal())
        probe.hold("UPDATE \"employee\"", reached: reached, until: enough)
        let saving = Task { @SuiteActor in
            try await expect(.uniqueViolation, from: "a second locker of one employee") { try await db.save(locker) }
            return
        }
        // New rows come before changed ones, so the refusal can come first.
        await wait(for: reached, atMost: .milliseconds(200))
        let company = Company("Acme")
        ann.company = company
        locker.owner = nil
        enough.give()
        try await saving.value
        try expect(ann.isDirty && locker.isDirty && locker.id == nil && ann.company === company, "A change was lost.")
        try await db.save([ann], scope: .graph)
        try await db.save(locker)
        let same = try expect(some: try await db.find(Employee.self, key: ann.id ?? 0), "the employee")
        try expect(same.name == "Anna" && same.company?.name == "Acme", "A change is not in the database.")
        try expect(
            try await db.number("SELECT count(*) FROM locker WHERE owner_id IS NULL"), equals: 1, "the free lockers")
    }
}
