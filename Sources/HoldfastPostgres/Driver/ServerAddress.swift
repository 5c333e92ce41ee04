internal import CPostgres
import Holdfast

/// The place where a server is looked for, as messages name it.
struct ServerAddress: Hashable, Sendable {
    /// A name, an address, or the directory of a socket; empty where nothing is known.
    var host = ""
    var port = ""

    init() {}

    /// The address that libpq uses.
    init(_ session: OpaquePointer) {
        host = PQhost(session).map { String(cString: $0) } ?? ""
        port = PQport(session).map { String(cString: $0) } ?? ""
    }

    /// The address that a connection string asks for.
    init(_ target: PostgresOptions.Target, _ options: PostgresOptions) {
        host = target.host ?? target.address ?? options.server.host ?? options.server.address ?? ""
        port = target.port ?? options.server.port ?? ""
    }

    /// Whether it is a socket of this machine, in the file system or (with "@") beside it.
    var isSocket: Bool { host.hasPrefix("/") || host.hasPrefix("@") }

    /// The words for the middle of a sentence: `the server at "db", port 5432`.
    var name: String {
        if host.isEmpty { return "the server" }
        if isSocket { return "the server's socket \"\(host)/.s.PGSQL.\(port)\"" }
        return "the server at \"\(host)\"" + (port.isEmpty ? "" : ", port \(port)")
    }
}
