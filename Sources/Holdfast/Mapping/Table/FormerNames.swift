/// The names that a table or a property had before, the latest first.
///
/// ```swift
/// @Table(renamedFrom: "Note") final class Memo {
///     var id: Int64?
///     @Column(renamedFrom: ["title", "name"]) var headline: String
///     init(headline: String) { self.headline = headline }
/// }
/// ```
public struct FormerNames: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The names, as they were in Swift or in the database.
    public var names: [String]

    /// Creates a list of names.
    public init(_ names: [String]) { self.names = names }

    public init(stringLiteral name: String) { self.init([name]) }

    public init(arrayLiteral names: String...) { self.init(names) }

    /// The names in the database that these may stand for.
    func inDatabase(_ naming: Naming) -> [String] {
        var seen = Set<String>()
        return names.flatMap { [naming.name($0), $0] }.filter { seen.insert($0).inserted }
    }
}
