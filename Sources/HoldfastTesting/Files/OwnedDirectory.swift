import Foundation
import Holdfast

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A directory of this process for files that are not to outlive it.
///
/// It is removed when the process exits. If the process is killed, the next one that needs such a directory does it: a
/// lock on a file in it tells whether its owner lives, which the system releases when the owner is gone.
struct OwnedDirectory: Sendable {
    /// The one of this process.
    static let shared: Result<OwnedDirectory, any Error> = Result {
        let directory = try OwnedDirectory(in: place)
        atexit {
            guard case .success(let directory) = OwnedDirectory.shared else { return }
            // If it can't be removed now, the next process does it.
            try? FileManager.default.removeItem(atPath: directory.path)
        }
        return directory
    }

    let path: String

    private static let prefix = "holdfast-testing-"
    private static let lockName = "owned"

    /// Where the directories are: where the environment says, or else on a RAM disk if there is one.
    private static let place: String = {
        if let named = ProcessInfo.processInfo.environment["HOLDFAST_TEST_DIRECTORY"], !named.isEmpty { return named }
        if access("/dev/shm", W_OK) == 0 { return "/dev/shm" }
        return FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    }()

    /// Makes a directory, and removes those whose owners are gone.
    init(in place: String) throws {
        Self.removeAbandoned(in: place)
        path = "\(place)/\(Self.prefix)\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        // Locked before it has its name, so that nobody meets it unlocked. It stays open until the process ends.
        let file = "\(path)/new"
        guard Self.lock(file, O_CREAT) != nil, rename(file, "\(path)/\(Self.lockName)") == 0 else {
            throw DatabaseError(.cannotConnect, "A file in the directory for temporary files can't be locked.")
        }
    }

    private static func removeAbandoned(in place: String) {
        // Whatever can't be looked at or removed is another user's, or is being removed by another process.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(place)/\(name)"
            guard let descriptor = lock("\(path)/\(lockName)", 0) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            close(descriptor)
        }
    }

    /// Opens and locks a file, which no process that this one starts inherits.
    ///
    /// - Returns: Nil if it does not exist, or is locked.
    private static func lock(_ path: String, _ flags: Int32) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
