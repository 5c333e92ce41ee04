/// The URL of a PostgreSQL server, whose database can be exchanged.
///
/// ```swift
/// ServerURL("postgres://app@db/prod?sslmode=require")?.naming("test_1")
/// // postgres://app@db/test_1?sslmode=require
/// ```
struct ServerURL: Hashable, Sendable {
    /// The scheme, the user and the hosts.
    private let server: String
    private let database: String
    private let parameters: [String]

    /// Takes a URL apart; nil if it has no scheme.
    init?(_ url: String) {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        server = String(url[..<authority.endIndex])
        let parts = rest[authority.endIndex...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        database = parts.first.map { String($0.drop { $0 == "/" }) } ?? ""
        parameters = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
    }

    /// The URL of a database of the server.
    ///
    /// - Parameter database: Its name, of letters, digits and underscores.
    func naming(_ database: String) -> String { url(database, without: ["dbname"], []) }

    /// The URL of the same database, for a session that others can recognise.
    func naming(application: String) -> String {
        url(database, without: ["application_name"], ["application_name=\(application)"])
    }

    private func url(_ database: String, without names: [String], _ added: [String]) -> String {
        let kept = parameters.filter { parameter in !names.contains { parameter.hasPrefix("\($0)=") } }
        let all = kept + added
        return "\(server)/\(database)" + (all.isEmpty ? "" : "?" + all.joined(separator: "&"))
    }
}
