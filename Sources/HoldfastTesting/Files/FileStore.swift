import Foundation
import Holdfast
import Synchronization

/// Makes the databases of SQLite: copies of a file that was migrated once.
final class FileStore: DatabaseStore {
    static let shared = FileStore()

    /// For each database some files are open, and threads wait.
    private let gate = Gate(width: 2 * ProcessInfo.processInfo.activeProcessorCount + 2)
    private let templates = OnceForKey<DatabaseTemplate.Key, String>()
    private let lastNumber = Atomic<Int>(0)

    func gate(_ engine: DriverType) -> Gate { gate }

    func makeDatabase(_ template: DatabaseTemplate, _ engine: DriverType) async throws -> StoredDatabase {
        let directory = try OwnedDirectory.shared.get().path
        let source = try await templates.value(for: template.key) { [self] in
            let path = nextPath(in: directory, "template")
            try await template.fill(engine.configure(Self.url(of: path)))
            return path
        }
        let path = nextPath(in: directory, "test")
        try FileManager.default.copyItem(atPath: source, toPath: path)
        return StoredDatabase(url: try Self.url(of: path)) { try Self.remove(path) }
    }

    private func nextPath(in directory: String, _ name: String) -> String {
        "\(directory)/\(name)-\(lastNumber.add(1, ordering: .relaxed).newValue).db"
    }

    /// The URL of a file that is not to outlive this process, so that nothing waits for a disk.
    private static func url(of path: String) throws -> String {
        guard let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) else {
            throw DatabaseError(.cannotConnect, "The path of the directory for temporary files is no text.")
        }
        return "sqlite:\(encoded)?synchronous=off"
    }

    private static func remove(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
