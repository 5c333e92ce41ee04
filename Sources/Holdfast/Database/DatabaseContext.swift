/// Where objects are kept: a ``Database``, or a ``Transaction`` on it.
///
/// Write what serves both with it:
///
/// ```swift
/// func activeProjects(in context: some DatabaseContext) async throws -> Int {
///     try await context.count(Project.self)
/// }
/// ```
///
/// Every operation runs on the caller's isolation: models need not be `Sendable`.
public protocol DatabaseContext: Sendable {
    var _access: DatabaseAccess { get }
}
