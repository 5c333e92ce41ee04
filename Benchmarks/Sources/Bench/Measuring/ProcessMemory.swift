import Floor
import Foundation

/// The resident memory of this process, where Linux tells.
enum ProcessMemory {
    /// The peak, in bytes.
    static var peak: Int? { value("VmHWM:") }

    /// Gives back what is free, and makes the peak what there is now.
    ///
    /// - Returns: What there is now.
    static func beginPeak() -> Int? {
        floor_release_memory()
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return nil }
        defer { try? file.close() }
        guard (try? file.write(contentsOf: Data("5".utf8))) != nil else { return nil }
        return value("VmRSS:")
    }

    private static func value(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kibibytes * 1024
    }
}
