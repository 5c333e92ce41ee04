import ArgumentParser
import Foundation

/// The package index that a command reads.
struct IndexArgument: ParsableArguments {
    @Argument(help: "A package index: dpkg's status database, an archive's Packages file, or - for standard input.")
    var file = "/var/lib/dpkg/status"

    /// Reads the whole index.
    ///
    /// - Throws: `IndexFileError` if the file can't be read or is malformed.
    func read() throws -> PackageIndex {
        let name = file == "-" ? "standard input" : file
        guard let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file) else {
            throw IndexFileError(file: name, reason: "It can't be opened. \(IndexFileError.advice)")
        }
        defer { try? handle.close() }  // Only read: there is nothing that closing could lose.
        var parser = PackageIndexParser()
        do {
            while let chunk = try handle.read(upToCount: 1 << 18), !chunk.isEmpty { try parser.read(Array(chunk)) }
            return try parser.finish()
        } catch let error as PackageIndexError {
            throw IndexFileError(file: name, reason: "\(error)")
        } catch {
            throw IndexFileError(file: name, reason: "It can't be read. \(IndexFileError.advice)")
        }
    }
}

/// Why there is nothing to import.
struct IndexFileError: Error, CustomStringConvertible {
    let file: String
    let reason: String

    static let advice = "Give a file in the format of Debian's package indexes, or - for standard input."

    var description: String { "\(file): \(reason)" }
}
