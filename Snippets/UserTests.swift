// The examples of the articles "HoldfastTesting" and "Testing".

// On macOS, Swift Testing is there for test targets alone.
#if canImport(Testing)

// snippet.suite
import Holdfast
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite(.database(.sqlite, models: Project.self, Account.self))
struct ProjectTests {
    @Test func savesOnce() async throws {
        let db = try Database.current
        let project = Project(name: "Apollo")
        try await db.save(project)
        try await db.save(project)
        #expect(try await db.count(Project.self) == 1)
        #expect(try TestDatabase.current.statements.count(.insert) == 1)
    }
}
// snippet.end

// snippet.arguments
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite(.database(.postgres, models: Project.self))
struct BudgetTests {
    @Test(arguments: [10, 20]) func isKept(budget: Int) async throws {
        let db = try Database.current
        let project = Project(name: "Apollo")
        project.budget = budget
        try await db.save(project)
        #expect(try await db.fetch(Project.self).map(\.budget) == [budget])
    }
}
// snippet.end

// snippet.prepare
@Suite(
    .database(
        .sqlite,
        prepare: { db in
            try await db.migrate(Schema(Project.self, version: 3))
            try await db.save(Project(name: "Apollo"))
        }))
struct ReportTests {
    @Test func countsProjects() async throws {
        #expect(try await Database.current.count(Project.self) == 1)
    }
}
// snippet.end

// snippet.both-engines
@Test(.database(models: Account.self), arguments: DriverType.tested(.sqlite, .postgres))
func ownersAreUnique(on engine: DriverType) async throws {
    let db = try await Database.current(on: engine)
    try await db.save(Account(owner: "Ada", balance: 1))
    await #expect(throws: DatabaseError.self) { try await db.save(Account(owner: "Ada", balance: 2)) }
}
// snippet.end

// snippet.samples
@Table final class Ticket {
    var id: Int64?
    var title: String
    var project: Project?

    init(title: String) { self.title = title }

    /// A ticket of a project of its own, unless the test says otherwise.
    static func sample(_ title: String = "Broken", of project: Project = .sample()) -> Ticket {
        let ticket = Ticket(title: title)
        ticket.project = project
        return ticket
    }
}

extension Project {
    static func sample() -> Project { Project(name: "Project \(UUID())") }
}

@Test(.database(models: Project.self, Ticket.self), arguments: DriverType.tested(.sqlite, .postgres))
func countsTickets(on engine: DriverType) async throws {
    let db = try await Database.current(on: engine)
    let apollo = Project.sample()
    try await db.save([Ticket.sample(of: apollo), .sample("Slow", of: apollo), .sample()])
    #expect(try await db.query(Ticket.self).where { $0.project == apollo }.count() == 2)
}
// snippet.end

// snippet.statements
@Test(.database(.sqlite, models: Account.self)) func findsByKey() async throws {
    let test = try TestDatabase.current
    try await test.database.save(Account(owner: "Ada", balance: 1))
    test.statements.clear()
    _ = try await test.database.find(Account.self, key: 1)
    #expect(test.statements.count(.select) == 1)
    #expect(
        test.statements.sql == [
            #"SELECT "id", "owner", "balance" FROM "account" WHERE "id" = ?"#
        ])
}
// snippet.end

// snippet.faults
func transfer(_ amount: Int, in db: Database) async throws {
    try await db.transaction { tx in
        let accounts = try await tx.fetch(Account.self)
        accounts[0].balance -= amount
        accounts[1].balance += amount
        try await tx.save(accounts)
    }
}

@Suite(
    .database(
        .sqlite,
        prepare: { db in
            try await db.migrate(Account.self)
            try await db.save([Account(owner: "Ada", balance: 10), Account(owner: "Bob", balance: 0)])
        }))
struct TransferTests {
    @Test func runsAgainAfterAConflict() async throws {
        let test = try TestDatabase.current
        test.faults.inject(.serializationFailure) { $0.kind == .update }
        try await transfer(5, in: test.database)
        #expect(try await test.database.fetch(Account.self).map(\.balance) == [5, 5])
    }

    @Test(arguments: [true, false]) func tellsThatNobodyKnows(isCommitted: Bool) async throws {
        let test = try TestDatabase.current
        test.faults.inject(.commitOutcomeUnknown(isCommitted: isCommitted))
        let error = await #expect(throws: DatabaseError.self) { try await transfer(5, in: test.database) }
        #expect(error?.code == .commitOutcomeUnknown)
        #expect(try await test.database.fetch(Account.self)[1].balance == (isCommitted ? 5 : 0))
    }
}
// snippet.end

// snippet.time
@Table final class Invitation {
    @PrimaryKey let code: String
    @Expires var until: Date?

    init(code: String, until: Date) {
        self.code = code
        self.until = until
    }
}

@Test(.database(.sqlite, models: Invitation.self, clock: Date())) func invitationsExpire() async throws {
    let (db, clock) = (try Database.current, try #require(try TestDatabase.current.clock))
    try await db.save(Invitation(code: "a", until: clock.now + 60))
    clock.advance(by: .seconds(60))
    #expect(try await db.count(Invitation.self) == 0)
}
// snippet.end

// What the article takes as known.

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget = 0
    var tags: [String] = []

    init(name: String) { self.name = name }
}

@Table
final class Account {
    var id: Int64?
    @Unique var owner: String
    var balance: Int

    init(owner: String, balance: Int) {
        self.owner = owner
        self.balance = balance
    }
}
#endif
