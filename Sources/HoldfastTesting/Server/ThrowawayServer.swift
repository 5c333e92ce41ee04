import Dispatch
import Foundation
import Holdfast

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A PostgreSQL server that lives as long as this process, and leaves nothing behind.
///
/// It listens on a Unix socket alone, in a directory that only its user can enter.
struct ThrowawayServer: Sendable {
    /// Where its files and its socket are.
    let directory: String
    /// The end of a pipe: when it is closed, by the end of this process at the latest, the server is stopped.
    let lifeline: Int32

    /// The URL of its database `postgres`, as a superuser.
    var url: String {
        // What a path may have and an URL's parameter may not is encoded, the slashes first of all.
        let host = directory.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return "postgres://holdfast@/postgres?host=\(host)&port=5432"
    }

    /// Makes and starts a server, which takes a second or two.
    static func start() async throws -> ThrowawayServer {
        try await withCheckedThrowingContinuation { continuation in
            // It waits for another process, which no thread of the tasks' may do.
            DispatchQueue.global().async {
                continuation.resume(with: Result { try startAndWait() })
            }
        }
    }

    private static func startAndWait() throws -> ThrowawayServer {
        // The end of this pipe is what stops the server: no other process that is started from here may hold it open.
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure("There are too many open files.") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)

        let output = Pipe()
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        do {
            try shell.run()
        } catch {
            close(ends[1])
            throw failure("The shell that starts it can't be run.")
        }
        let line = firstLine(of: output.fileHandleForReading)
        guard line.hasPrefix("ready /") else {
            close(ends[1])
            throw failure(reason(line))
        }
        return ThrowawayServer(directory: String(line.dropFirst("ready ".count)), lifeline: ends[1])
    }

    private static func firstLine(of file: FileHandle) -> String {
        var bytes: [UInt8] = []
        // A file that can't be read any more is at its end, and what is missing is noticed by who asked for the line.
        while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func reason(_ line: String) -> String {
        switch line {
        case "failed no-programs":
            "Its programs (initdb, pg_ctl, postgres) were not found. Install PostgreSQL 13 or later, or name their "
                + "directory in HOLDFAST_TEST_POSTGRES_BIN."
        case "failed root": "It does not run as root, and there is neither a user postgres nor nobody."
        case "failed no-directory": "No directory for temporary files can be written to."
        case "failed initdb": "initdb failed."
        default: "pg_ctl did not start it."
        }
    }

    private static func failure(_ reason: String) -> DatabaseError {
        DatabaseError(
            .cannotConnect,
            "No PostgreSQL server could be started for the tests. \(reason) "
                + "Or use one that runs already, by its URL in HOLDFAST_TEST_POSTGRES_URL.")
    }
}
