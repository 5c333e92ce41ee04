/// The operations on objects, which a ``Database`` and a ``Transaction`` share.
///
/// Use it as the parameter type of functions that should work with both:
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

extension DatabaseContext {
    /// The access of an operation, with the line that called it.
    func access(_ fileID: StaticString, _ line: UInt) -> DatabaseAccess {
        _access.called(at: CallSite(fileID, line))
    }
}
