import Foundation
import Testing

/// A PostgreSQL server of a test's own, which a script has prepared: it runs until it is stopped.
final class ServerScript {
    /// What the script printed in its first line.
    let line: String

    private let process = Process()
    private let input = Pipe()

    /// Runs a command with a new server, and waits for its first line.
    ///
    /// It goes on until its standard input ends. It is waited for on a thread of its own, since there are as few for
    /// tasks as processors, and a server takes seconds to start.
    init(_ command: String...) async throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let output = Pipe()
        process.executableURL = root.appending(path: "Integration/with-postgres")
        process.currentDirectoryURL = root
        process.arguments = command
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line = Data()
                while line.last != UInt8(ascii: "\n") {
                    let more = output.fileHandleForReading.availableData
                    if more.isEmpty { break }
                    line += more
                }
                continuation.resume(returning: line)
            }
        }
        try #require(line.last == UInt8(ascii: "\n"), "The server did not start.")
        self.line = String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// Ends it; its files go too.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
