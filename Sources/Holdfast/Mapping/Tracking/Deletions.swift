import Synchronization

/// The deletions of this process, by which an object finds out that a row to which it referred may have been gone.
///
/// With a row the database removes what refers to it, from references and from arrays. An object that held it in
/// memory, and is given it again after it was inserted once more, holds what it held when it was loaded; its row does
/// not.
enum Deletions {
    private static let latest = Atomic<UInt64>(0)

    /// The number of the latest one.
    static var latestNumber: UInt64 { latest.load(ordering: .relaxed) }

    /// Notes that rows of a type may be gone, and rows that go with them.
    static func note(_ description: TableDescription) {
        let number = latest.add(1, ordering: .relaxed).newValue
        var pending = [description]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(description)]
        while let next = pending.popLast() {
            next.latestDeletion.store(number)
            for relation in next.columns.relations where relation.deleteRule == .cascade {
                let target = relation.target.description
                if seen.insert(ObjectIdentifier(target)).inserted { pending.append(target) }
            }
        }
    }
}

/// The number of the latest deletion of rows of a type.
final class LatestDeletion: Sendable {
    private let number = Atomic<UInt64>(0)

    func store(_ number: UInt64) { self.number.store(number, ordering: .relaxed) }
    func load() -> UInt64 { number.load(ordering: .relaxed) }
}
