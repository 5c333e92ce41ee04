/// A condition of the objects that reads see, unless they ignore it by its name.
///
/// ```swift
/// @Table(scopes: [.scope("published", where: "publishedAt IS NOT NULL")])
/// final class Post { … }
///
/// let posts = try await db.query(Post.self).fetch()
/// // SELECT … FROM (SELECT * FROM "post" WHERE ("post"."published_at" IS NOT NULL)) AS t0
/// let all = try await db.query(Post.self).ignoringScope("published").fetch()
/// // SELECT … FROM "post" AS t0
/// ```
///
/// Every read, relation, count and bulk change leaves out what does not meet it. See <doc:Scopes>.
public struct TableScope: Hashable, Sendable {
    enum Requirement: Hashable, Sendable {
        /// Condition text.
        case condition(String)
        /// A property is the value that the program gives.
        case property(String)
    }

    /// The name, by which queries ignore it.
    public let name: String
    let requirement: Requirement

    /// Whether a program has to give a value.
    var takesValue: Bool { if case .property = requirement { true } else { false } }

    /// Creates a scope of the objects that meet a condition.
    ///
    /// ```swift
    /// @Table(scopes: [
    ///     .scope("published", where: "publishedAt <= now()"),
    ///     .scope("current", where: "NOT isArchived AND state IN ('open', 'held')"),
    /// ])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name. A type has each name once.
    ///   - condition: Condition text, as `where` of a query takes it. It names properties of the type that have columns
    ///     of their own; nothing of relations and arrays. A condition that is unknown, since a property is nil, is not
    ///     met.
    public static func scope(_ name: String, where condition: String) -> TableScope {
        TableScope(name: name, requirement: .condition(condition))
    }

    /// Creates a scope of the objects that have a value which the program gives, such as the tenant of a request.
    ///
    /// ```swift
    /// @Table(scopes: [.scope("tenant", by: "tenantID")])
    /// final class Invoice { var id: Int64?; var tenantID: Int64; … }
    ///
    /// let mine = try db.scoped(["tenant": tenantID])
    /// let invoices = try await mine.query(Invoice.self).fetch()
    /// // SELECT … FROM (SELECT * FROM "invoice" WHERE ("invoice"."tenant_id" = $1)) AS t0 ORDER BY …
    /// ```
    ///
    /// A database without the value refuses all that is to be done with the type:
    /// ``Database/scoped(_:)`` gives one, and ``Database/ignoringScopes(_:)`` needs none.
    ///
    /// - Parameters:
    ///   - name: The name. A type has each name once.
    ///   - property: The name of a property: an integer, a `String` or a `UUID`, or a reference whose key is one.
    public static func scope(_ name: String, by property: String) -> TableScope {
        TableScope(name: name, requirement: .property(property))
    }

    /// What is wrong with the scopes of a type.
    static func problems(of scopes: [TableScope], of type: String) -> [String] {
        var problems: [String] = []
        for scope in scopes {
            if scope.name.isEmpty { problems.append("A scope of \(type) has an empty name.") }
            if case .condition(let text) = scope.requirement, text.allSatisfy(\.isWhitespace) {
                problems.append("The scope \"\(scope.name)\" of \(type) has no condition.")
            }
        }
        if Set(scopes.map(\.name)).count < scopes.count {
            problems.append("\(type) has two scopes of one name. Name each otherwise.")
        }
        return problems
    }
}
