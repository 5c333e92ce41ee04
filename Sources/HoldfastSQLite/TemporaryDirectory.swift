#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Holdfast

/// A directory that only this user can enter, for a database that is not to outlive its use.
///
/// It is on a RAM disk if there is one.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let places = ["/dev/shm", getenv("TMPDIR").map { String(cString: $0) }, "/tmp"].compactMap(\.self)
        for place in places where access(place, W_OK) == 0 {
            var template = Array("\(place)/holdfast-XXXXXX".utf8CString)
            if let made = mkdtemp(&template) {
                path = String(cString: made)
                return
            }
        }
        throw DatabaseError(.cannotConnect, "No directory for temporary files can be written to; set TMPDIR to one.")
    }

    deinit { remove() }

    /// Deletes the database in it and the directory itself.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink("\(path)/database\(suffix)") }
        rmdir(path)
    }
}

/// Whether there is something at `path`.
func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// The working directory of this process.
func currentDirectory() -> String? {
    guard let directory = getcwd(nil, 0) else { return nil }
    defer { free(directory) }
    return String(cString: directory)
}
