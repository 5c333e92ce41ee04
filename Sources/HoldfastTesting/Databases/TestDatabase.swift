public import Foundation
public import Holdfast

/// A database that one test has to itself: empty, but for the tables of its models.
///
/// ```swift
/// @Test(.database(.sqlite, models: Project.self)) func savesOnce() async throws {
///     let test = try TestDatabase.current
///     let project = Project(name: "Apollo")
///     try await test.database.save(project)
///     try await test.database.save(project)
///     #expect(test.statements.count(.insert) == 1)
///     #expect(test.statements.count(.update) == 0)
/// }
/// ```
///
/// It is closed and removed when the test ends, however it ends.
public final class TestDatabase: Sendable {
    /// The open database.
    public let database: Database

    /// How it was opened, for code that opens a database itself.
    ///
    /// What is opened by it is the same database. Its statements are recorded with the others, and it meets the same
    /// faults.
    public let configuration: DatabaseConfiguration

    /// The URL of the database, for a program that the test starts.
    ///
    /// The statements of that program are not recorded.
    public var url: String { stored.url }

    /// The statements that the database was sent since the test began.
    public let statements = StatementRecording()

    /// Makes statements fail that come.
    public let faults = FaultInjection()

    /// The clock by which objects expire, if the test asked for one.
    public let clock: TestClock?

    let stored: StoredDatabase

    /// How long a database that is to be closed waits for what its test has left running.
    private static let patience = Duration.seconds(5)

    init(_ stored: StoredDatabase, _ engine: DriverType, _ settings: TestSettings) async throws {
        self.stored = stored
        let clock = settings.clock.map { TestClock($0) }
        self.clock = clock
        do {
            let configuration = try engine.configure(stored.url)
                .with { configuration in
                    configuration.telemetry.showsValues = true
                    if let clock { configuration.expiry.clock = { clock.now } }
                    settings.configure(&configuration)
                }
                .observed(statements, faults)
            self.configuration = configuration
            database = try await Database.open(configuration)
        } catch {
            try await stored.remove()
            throw error
        }
    }

    func remove() async throws {
        do {
            try await database.close(within: Self.patience)
        } catch {
            try await stored.remove()
            throw error
        }
        try await stored.remove()
    }
}

extension TestDatabase {
    /// The database of the test that runs.
    ///
    /// - Throws: `DatabaseError.Code.notFound` outside of such a test, and if its trait names no engine, so
    ///   that `Database.current(on:)` has to be called first.
    public static var current: TestDatabase {
        get throws {
            guard let scope = TestScope.current else { throw TestScope.absent }
            return try scope.latest
        }
    }

    /// Makes a database, passes it to `body`, and always removes it.
    ///
    /// It is what ``DatabaseTrait/database(_:models:clock:configure:prepare:fileID:line:column:)`` does for a test,
    /// where there is no trait.
    ///
    /// ```swift
    /// try await TestDatabase.withDatabase(.sqlite, models: Project.self) { test in
    ///     try await test.database.save(Project(name: "Apollo"))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - engine: Its engine.
    ///   - models: The types whose tables it has.
    ///   - clock: The time at which its clock stands at first; nil for the time of the engine.
    ///   - configure: Changes its configuration.
    ///   - prepare: Adds to the template; see the trait.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - body: Uses it. `Database.current` is this one meanwhile.
    public static func withDatabase<Output>(
        _ engine: DriverType, models: any TableObject.Type..., clock: Date? = nil,
        configure: @escaping @Sendable (inout DatabaseConfiguration) -> Void = { _ in },
        prepare: (@Sendable (Database) async throws -> Void)? = nil,
        fileID: String = #fileID, line: Int = #line, column: Int = #column,
        _ body: nonisolated(nonsending) (TestDatabase) async throws -> Output
    ) async throws -> Output {
        let place = "\(fileID):\(line):\(column)"
        let settings = TestSettings(
            template: DatabaseTemplate(models, prepare: prepare, place: place), clock: clock, configure: configure)
        return try await TestScope(settings).run { scope in try await body(scope.database(on: engine)) }
    }
}

/// Its URL may have a password.
extension TestDatabase: _ValuesHidden {}
