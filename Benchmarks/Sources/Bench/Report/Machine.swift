import Floor
import Foundation

/// Where something was measured, and with which versions.
struct Machine: Codable {
    let date: String
    let processor: String
    let cores: Int
    let memoryGiB: Int
    let kernel: String
    let versions: [String: String]

    /// - Parameter server: The URL of a server's database, to ask for the server's version.
    init(server: String?) {
        date = Date.now.formatted(.iso8601.dateSeparator(.dash).year().month().day())
        processor = Self.field("model name", of: "/proc/cpuinfo") ?? "unknown"
        cores = ProcessInfo.processInfo.activeProcessorCount
        memoryGiB = Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded())
        kernel = Self.text("/proc/sys/kernel/osrelease") ?? ProcessInfo.processInfo.operatingSystemVersionString
        var versions = ["SQLite": Self.string(floor_sqlite_version()), "GRDB": Self.grdb ?? "unknown"]
        versions["Swift"] = Self.swift
        if let server {
            versions["libpq"] = Self.string(floor_libpq_version())
            let database = floor_open_postgres(server, "public", 1)
            defer { floor_close(database) }
            // What its package adds is left out.
            let version = Self.string(floor_engine_version(database))
            versions["PostgreSQL"] = version.split(separator: " ").first.map(String.init)
        }
        self.versions = versions
    }

    private static var swift: String? {
        guard let output = try? ChildProcess.output(of: "/usr/bin/env", ["swift", "--version"]) else { return nil }
        let text = String(decoding: output, as: UTF8.self)
        return text.firstMatch(of: /Swift version (\S+)/).map { String($0.1) }
    }

    /// As Package.resolved has it, which lies beside the sources.
    private static var grdb: String? {
        let package = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let text = try? String(contentsOf: package.appending(path: "Package.resolved"), encoding: .utf8)
        return text?.firstMatch(of: /"grdb\.swift".*?"version" : "([^"]+)"/.dotMatchesNewlines()).map { String($0.1) }
    }

    private static func text(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func field(_ name: String, of path: String) -> String? {
        guard let line = text(path)?.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Takes over a text that C has allocated.
    private static func string(_ pointer: UnsafeMutablePointer<CChar>) -> String {
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
