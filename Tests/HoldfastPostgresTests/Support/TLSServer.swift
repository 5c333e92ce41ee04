import Foundation
import Testing

/// A server of its own that lets nobody in without TLS; `Integration/tls-server` says how.
final class TLSServer {
    /// The certificate of the authority that signed the server's.
    let authority: String
    /// The certificate of another one.
    let otherAuthority: String
    let user: String
    let password: String
    let port: String

    private let script: ServerScript

    init() async throws {
        script = try await ServerScript("Integration/tls-server")
        let parts = try #require(
            script.line.wholeMatch(of: /(\S+) (\S+) .*:\/\/(.*):(.*)@127\.0\.0\.1:([0-9]+)\/holdfast/))
        (authority, otherAuthority) = (String(parts.1), String(parts.2))
        (user, password, port) = (String(parts.3), String(parts.4), String(parts.5))
    }

    /// The URL of its database.
    func url(host: String = "127.0.0.1", _ parameters: String) -> String {
        "postgres://\(user):\(password)@\(host):\(port)/holdfast?\(parameters)"
    }

    /// Ends it; its files go too.
    func stop() { script.stop() }
}
