import Foundation
import Synchronization

/// A journal of what a program was told of its operations, kept outside of the database.
///
/// Each line is written by one call, so that a program that is killed has told of each operation what it knew.
final class Journal: Sendable {
    /// What a program was told of an operation.
    enum Outcome: String {
        /// The operation has begun: until another line says more, nobody knows.
        case begun
        case done
        /// An error said that the operation was not done.
        case failed
        /// An error said that the operation may have been done.
        case unknown
    }

    private let file: FileHandle

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw Failure(description: "The journal \(path) can't be written.") }
        self.file = file
    }

    func note(_ operation: Operation, _ outcome: Outcome, _ comment: String = "") throws {
        let words = [
            outcome.rawValue, operation.worker, String(operation.number), operation.kind.rawValue,
            String(operation.subject), comment,
        ]
        try file.write(contentsOf: Data((words.joined(separator: " ") + "\n").utf8))
    }

    /// Reads the lines of a journal; the last one may have been cut off.
    static func lines(of path: String) throws -> [(outcome: Outcome, operation: Operation, comment: String)] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Failure(description: "The journal \(path) can't be read.")
        }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 5).map(String.init)
            guard words.count >= 5, let outcome = Outcome(rawValue: words[0]), let number = Int(words[2]),
                let kind = Operation.Kind(rawValue: words[3]), let subject = Int(words[4])
            else { return nil }
            let operation = Operation(worker: words[1], number: number, kind: kind, subject: subject)
            return (outcome, operation, words.count > 5 ? words[5] : "")
        }
    }
}
