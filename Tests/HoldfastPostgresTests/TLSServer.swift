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

    private let process = Process()
    private let input = Pipe()

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let output = Pipe()
        process.executableURL = root.appending(path: "Integration/with-postgres")
        process.arguments = [root.appending(path: "Integration/tls-server").path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "The server with TLS did not start.")
            line += more
        }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        let parts = try #require(text.wholeMatch(of: /(\S+) (\S+) .*:\/\/(.*):(.*)@127\.0\.0\.1:([0-9]+)\/holdfast/))
        (authority, otherAuthority) = (String(parts.1), String(parts.2))
        (user, password, port) = (String(parts.3), String(parts.4), String(parts.5))
    }

    /// The URL of its database.
    func url(host: String = "127.0.0.1", _ parameters: String) -> String {
        "postgres://\(user):\(password)@\(host):\(port)/holdfast?\(parameters)"
    }

    /// Ends it; its files go too.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
