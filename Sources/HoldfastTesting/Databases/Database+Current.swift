public import Holdfast

extension Database {
    /// The database of the test that runs.
    ///
    /// ```swift
    /// @Test(.database(.sqlite, models: Project.self)) func saves() async throws {
    ///     let db = try Database.current
    ///     try await db.save(Project(name: "Apollo"))
    /// }
    /// ```
    ///
    /// It can be called in the test and in tasks that it starts, but for detached ones, and in the initializer of its
    /// suite. ``TestDatabase/current`` has its statements and faults.
    ///
    /// - Throws: `DatabaseError.Code.notFound`, as ``TestDatabase/current`` does.
    public static var current: Database {
        get throws { try TestDatabase.current.database }
    }

    /// The database of the test that runs, on one of the engines that the test takes as its argument.
    ///
    /// ```swift
    /// @Test(.database(models: Project.self), arguments: DriverType.tested(.sqlite, .postgres))
    /// func saves(on engine: DriverType) async throws {
    ///     let db = try await Database.current(on: engine)
    ///     try await db.save(Project(name: "Apollo"))
    /// }
    /// ```
    ///
    /// It is made at the first call. From then on, ``current`` is this one.
    ///
    /// - Throws: `DatabaseError.Code.notFound` outside of a test with the trait `.database(…)`, and what
    ///   goes wrong when the database is made.
    public static func current(on engine: DriverType) async throws -> Database {
        guard let scope = TestScope.current else { throw TestScope.absent }
        return try await scope.database(on: engine).database
    }
}
