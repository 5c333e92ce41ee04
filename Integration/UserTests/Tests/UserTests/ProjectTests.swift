import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import Testing

/// What a project's own tests do: each saves a small graph, changes it, and looks at what is there.
private func useProjects(_ db: Database, number: Int) async throws {
    let project = Project(name: "Apollo \(number)")
    project.lead = Person(name: "Ann", mail: "ann@example.org")
    project.crew = [Person(name: "Bob", mail: "bob@example.org"), Person(name: "Cleo", mail: "cleo@example.org")]
    project.tags = ["space", "moon"]
    try await db.save(project)
    project.budget = 100
    try await db.save(project)
    let found = try await db.fetch(Project.self)
    #expect(found.map(\.name) == ["Apollo \(number)"])
    #expect(found.first?.crew.map(\.name) == ["Bob", "Cleo"])
    #expect(try await db.count(Person.self) == 3)
}

@Suite(.timed("sqlite"), .database(.sqlite, models: Project.self, Person.self))
struct SQLiteProjectTests {
    @Test(arguments: 1...200) func `a project is saved`(number: Int) async throws {
        try await useProjects(Database.current, number: number)
    }
}

@Suite(.timed("postgres"), .database(.postgres, models: Project.self, Person.self))
struct PostgresProjectTests {
    @Test(arguments: 1...200) func `a project is saved`(number: Int) async throws {
        try await useProjects(Database.current, number: number)
    }
}

@Suite(.timed("sqlite in turn"), .serialized, .database(.sqlite, models: Project.self, Person.self))
struct SQLiteSerialTests {
    @Test(arguments: 1...40) func `a project is saved`(number: Int) async throws {
        try await useProjects(Database.current, number: number)
    }
}

@Suite(.timed("postgres in turn"), .serialized, .database(.postgres, models: Project.self, Person.self))
struct PostgresSerialTests {
    @Test(arguments: 1...40) func `a project is saved`(number: Int) async throws {
        try await useProjects(Database.current, number: number)
    }
}

@Suite(.database(models: Project.self, Person.self))
struct BothEnginesTests {
    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a project is saved`(on engine: DriverType) async throws {
        try await useProjects(Database.current(on: engine), number: 1)
    }
}

/// What takes long enough to be killed.
@Suite(.enabled(if: Waiting.isAsked), .database(models: Project.self))
struct WaitingTests {
    @Test(arguments: DriverType.tested(.sqlite, .postgres)) func `a test waits`(on engine: DriverType) async throws {
        _ = try await Database.current(on: engine)
        print("waiting on \(engine.testDescription)")
        try await Task.sleep(for: .seconds(60))
    }
}
