public import Foundation
public import Holdfast
public import Testing

/// Gives each test a database of its own: see
/// ``DatabaseTrait/database(_:models:clock:configure:prepare:fileID:line:column:)``.
public struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    /// Tells the traits of a test apart.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let engine: DriverType?
    private let settings: TestSettings

    init(_ engine: DriverType?, _ settings: TestSettings) {
        self.engine = engine
        self.settings = settings
    }

    /// True: each test of a suite gets a database, and not the suite.
    public var isRecursive: Bool { true }

    /// Skips the test if the environment leaves its engine out.
    public func prepare(for test: Test) async throws {
        guard let engine, !engine.isTested else { return }
        let reason: Comment = "HOLDFAST_TEST_ENGINES does not name \(engine.testDescription)."
        // Only Swift Testing's own trait can have a test skipped.
        try await ConditionTrait.disabled(reason).prepare(for: test)
    }

    /// Runs a test with a database of its own, which is removed afterwards.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The innermost counts: a test may ask for something else than its suite.
        let innermost = test.traits.lazy.compactMap { $0 as? DatabaseTrait }.last
        guard testCase != nil, innermost?.identity === identity else { return try await function() }
        try await TestScope(settings).run { scope in
            if let engine { _ = try await scope.database(on: engine) }
            try await function()
        }
    }
}

extension Trait where Self == DatabaseTrait {
    /// Gives each test a database of its own: empty, but for the tables of its models.
    ///
    /// ```swift
    /// @Suite(.database(.sqlite, models: Project.self, Person.self)) struct ProjectTests {
    ///     @Test func saves() async throws {
    ///         let db = try Database.current
    ///         try await db.save(Project(name: "Apollo"))
    ///     }
    /// }
    /// ```
    ///
    /// The tables are made once for all tests of the same models; each test gets a copy, which is removed when it ends.
    /// So tests run at the same time and see nothing of each other. If a suite and one of its tests have this trait,
    /// that of the test counts.
    ///
    /// On PostgreSQL, the server is the one of `HOLDFAST_TEST_POSTGRES_URL`; if that is not set, one that is started
    /// for this process and stopped with it. Errors have values and the engine's messages in them, as with
    /// `telemetry.showsValues`.
    ///
    /// - Parameters:
    ///   - engine: The engine. A test that runs on several takes it as its argument; leave it out here then, and call
    ///     `Database.current(on:)`.
    ///   - models: The types whose tables the database has.
    ///   - clock: The time at which ``TestDatabase/clock`` stands at first; nil, the default, for the engine's time,
    ///     without a clock.
    ///   - configure: Changes the configuration with which the database is opened.
    ///   - prepare: Adds to what each test begins with: migrates a schema, or saves objects. It runs once for all tests
    ///     with this trait, before the database is copied.
    ///   - fileID: The file of the trait.
    ///   - line: The line of the trait.
    ///   - column: The column of the trait.
    public static func database(
        _ engine: DriverType? = nil, models: any TableObject.Type..., clock: Date? = nil,
        configure: @escaping @Sendable (inout DatabaseConfiguration) -> Void = { _ in },
        prepare: (@Sendable (Database) async throws -> Void)? = nil,
        fileID: String = #fileID, line: Int = #line, column: Int = #column
    ) -> Self {
        let place = "\(fileID):\(line):\(column)"
        let template = DatabaseTemplate(models, prepare: prepare, place: place)
        return DatabaseTrait(engine, TestSettings(template: template, clock: clock, configure: configure))
    }
}
