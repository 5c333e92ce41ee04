import Foundation

/// The contradictions that keep a migration from being planned: gathered, so that one error tells all of them.
struct SchemaProblems: Sendable {
    private(set) var all: [DatabaseError] = []

    var isEmpty: Bool { all.isEmpty }

    /// The number of problems that an error tells; of others, it tells how many there are.
    static let limit = 25
    /// What each error of a migration says of the database; ``Migrator`` takes it back where it is not true.
    static let ending = "Nothing was changed."

    mutating func add(_ problem: DatabaseError) {
        if !all.contains(where: { $0.message == problem.message }) { all.append(problem) }
    }

    mutating func add(_ others: SchemaProblems) { others.all.forEach { add($0) } }

    /// Advises to adopt tables that migrations have not made, before all else that is said of them.
    mutating func advise(adopting tables: Set<String>) {
        var tables = tables
        for (index, problem) in all.enumerated() {
            // Once for each table, at its first problem.
            guard let table = problem.table, tables.remove(table) != nil else { continue }
            let advice =
                "If another program made the table \"\(table)\", of which nothing is recorded, adopt it by `adopt`. "
            if !problem.message.hasPrefix(advice) { all[index].message = advice + problem.message }
        }
    }

    /// Returns what `body` makes; nil where it throws, which is noted.
    @discardableResult
    mutating func collect<Output>(_ body: () throws -> Output) throws -> Output? {
        do {
            return try body()
        } catch let error as DatabaseError {
            add(error)
            return nil
        }
    }

    /// The problems as sentences.
    var messages: [String] {
        let messages = all.prefix(Self.limit).map { error in
            var message = Substring(error.message)
            if message.hasSuffix(Self.ending) { message = message.dropLast(Self.ending.count) }
            return message.trimmingCharacters(in: .whitespaces)
        }
        return all.count > Self.limit ? messages + ["And \(all.count - Self.limit) more."] : messages
    }

    /// One error about all of them, with the table and the properties of the first; nil if there are none.
    var error: DatabaseError? {
        guard var error = all.first, all.count > 1 else { return all.first }
        let list = messages.enumerated().map { index, message in
            index < Self.limit ? "(\(index + 1)) \(message)" : message
        }
        error.message =
            "\(all.count) problems are in the way of the migration. \(list.joined(separator: " ")) \(Self.ending)"
        if all.contains(where: { $0.code != error.code }) { error.code = .conflict }
        return error
    }

    /// Throws unless there are none.
    func check() throws {
        if let error { throw error }
    }
}
