import Foundation
public import Holdfast
public import HoldfastConformance
import HoldfastSQLite

/// Makes SQLite databases for the cases: a file each.
public struct SQLiteProvision: ConformanceProvision {
    private let directory: URL
    private let trustsSchema: Bool

    /// Creates a provision that puts its files into `directory`, which has to exist.
    public init(directory: String, trustsSchema: Bool = false) {
        self.directory = URL(fileURLWithPath: directory, isDirectory: true)
        self.trustsSchema = trustsSchema
    }

    public var unreachable: DatabaseConfiguration {
        .sqlite(path: directory.appendingPathComponent("absent/\(UUID().uuidString)/database.db").path)
    }

    public func makeDatabase() async throws -> any ConformanceDatabase {
        let home = directory.appendingPathComponent("holdfast-conformance-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        return File(home: home, trustsSchema: trustsSchema)
    }

    private struct File: ConformanceDatabase {
        let home: URL
        let trustsSchema: Bool

        var configuration: DatabaseConfiguration {
            .sqlite(path: home.appendingPathComponent("database.db").path, trustsSchema: trustsSchema)
        }

        func configuration(withSchema name: String) async throws -> DatabaseConfiguration {
            let path = home.appendingPathComponent("\(name).db").path
            try await Database.withDatabase(.sqlite(path: path)) { _ in }
            return .sqlite(path: home.appendingPathComponent("database.db").path, attached: [name: path])
        }

        func destroy() async throws {
            // A connection that outlives its database's deadline may remove a file of its own at this moment.
            do { try FileManager.default.removeItem(at: home) } catch CocoaError.fileNoSuchFile {
                if FileManager.default.fileExists(atPath: home.path) { try FileManager.default.removeItem(at: home) }
            }
        }
    }
}

extension ConformanceManifest {
    /// The manifest of our SQLite driver.
    public static let sqlite = ConformanceManifest(driver: "sqlite", claims: [.core, .graph, .live, .documents])
}
