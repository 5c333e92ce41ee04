import Holdfast

/// A class with a hook that reads a part of a stream.
@Table
final class StreamingHook: TableHooks {
    var id: Int64?
    var number: Int
    var seen = 0

    init(_ number: Int) { self.number = number }

    func didSave(in transaction: Transaction) async throws {
        var count = 0
        for try await note in transaction.query(Note.self).order({ $0.rank.ascending }).stream() {
            count += 1
            if note.rank == 2 { break }
        }
        try await transaction.query(StreamingHook.self).where { $0.number == number }.update { $0.seen.set(count) }
    }
}
