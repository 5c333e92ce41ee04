/// A driver that ``Database/open(_:drivers:configure:)`` selects by the scheme of a URL: `.sqlite`, `.postgres`.
///
/// ```swift
/// let db = try await Database.open("sqlite:dev.db", drivers: [.sqlite, .postgres])
/// ```
public struct DriverType: Sendable {
    /// The URL schemes of the driver, in lower case: `sqlite`, `postgres`.
    public let schemes: [String]
    /// Creates a configuration from a URL with one of the schemes.
    public let configure: @Sendable (_ url: String) throws -> DatabaseConfiguration
    /// Writes the SQL of the engine, for statements that are printed without a database.
    let dialect: any Dialect

    /// Creates a driver type; the module of a driver does so once.
    ///
    /// ```swift
    /// extension DriverType {
    ///     public static var myEngine: DriverType {
    ///         DriverType(schemes: ["my"], dialect: MyDialect()) { try .myEngine(url: $0) }
    ///     }
    /// }
    /// ```
    @_spi(Driver) public init(
        schemes: [String], dialect: any Dialect,
        configure: @escaping @Sendable (_ url: String) throws -> DatabaseConfiguration
    ) {
        self.schemes = schemes
        self.configure = configure
        self.dialect = dialect
    }

    /// The driver that supports the scheme of a URL.
    package static func driver(for url: String, among drivers: [DriverType]) throws -> DriverType {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        if let driver = drivers.first(where: { $0.schemes.contains(scheme) }) { return driver }
        if url.allSatisfy(\.isWhitespace) { throw DatabaseError.emptyURL }
        let known = drivers.flatMap(\.schemes).map { "\($0):" }.joined(separator: ", ")
        throw DatabaseError(.unsupported, "The database URL has none of the schemes of the drivers given: \(known).")
    }
}
