import Foundation
import Holdfast
public import HoldfastConformance
import HoldfastPostgres

/// One of our engines, as a database URL names it, ready for the suite.
public struct Engine: Sendable {
    /// Creates and removes the databases of cases.
    public let provision: any ConformanceProvision
    /// The manifest of the driver.
    public let manifest: ConformanceManifest

    /// Reads a database URL.
    ///
    /// - Throws: ``Holdfast/DatabaseError/Code/unsupported`` for a scheme that none of our drivers answers to, and
    ///   ``Holdfast/DatabaseError/Code/cannotConnect`` for a directory that does not exist, or a URL that can't be
    ///   read.
    public init(url: String) throws {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "postgres", "postgresql":
            _ = try DriverType.postgres.configure(url)
            provision = PostgresProvision(url: url)
            manifest = .postgres
        case "sqlite", "file":
            provision = SQLiteProvision(directory: try Self.directory(of: url))
            manifest = .sqlite
        default:
            throw DatabaseError(.unsupported, "The database URL must begin with sqlite: or postgres:.")
        }
    }

    /// The directory that a URL names, or in which the file is that it names; the temporary one for `sqlite::memory:`.
    private static func directory(of url: String) throws -> String {
        if url.contains("?") {
            throw DatabaseError(
                .unsupported, "The URL of SQLite names a directory for files, and takes no parameters.")
        }
        var path = String(url.drop { $0 != ":" }.dropFirst())
        if path.hasPrefix("//") { path = String(path.dropFirst(2)) }
        path = path.removingPercentEncoding ?? path
        if path.isEmpty || path == ":memory:" { return FileManager.default.temporaryDirectory.path }
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            return path
        }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parent) else {
            throw DatabaseError(.cannotConnect, "There is no directory for the files of the SQLite databases.")
        }
        return parent
    }
}
