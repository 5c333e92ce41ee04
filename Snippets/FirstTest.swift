// The examples of the article "HoldfastTesting".

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
