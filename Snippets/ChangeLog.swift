// The examples of the article "The change log".

import Holdfast

// snippet.logged-model
@Table(log: true)
final class Person {
    var id: Int64?
    var name: String
    var nicknames: [String]

    init(name: String, nicknames: [String] = []) { (self.name, self.nicknames) = (name, nicknames) }
}
// snippet.end

func reading(db: Database) async throws {
    // snippet.reading
    var token = try await db.acknowledgedToken(of: "search index")
    if token == nil { token = try await db.changeToken() }  // and then load everything
    for try await batch in db.changes(of: Project.self, after: token) {
        for change in batch.changes {
            guard let key = try change.key(of: Project.self) else { continue }
            print(change.kind, key, change.columns)  // updated, the key, ["name"]
        }
        try await db.acknowledge(batch.token, by: "search index")
    }
    // snippet.end
}

func trimming(db: Database) async throws {
    // snippet.trimming
    try await db.trimChanges(olderThan: .seconds(7 * 86_400), keeping: 1_000_000, acknowledged: true)
    // snippet.end
}

func renewing(db: Database) async throws {
    // snippet.renewing
    try await db.renewChangeLog()
    // snippet.end
}

func passing(db: Database, after start: ChangeToken) async throws {
    // snippet.passing
    var token = start
    while true {
        do {
            for try await batch in db.changes(of: Project.self, after: token) {
                print(batch.changes.count)
                token = batch.token
            }
            return
        } catch let error as DatabaseError {
            guard let behind = error.changeToken else { throw error }
            print(error)  // and load whatever it may have been about
            token = behind
        }
    }
    // snippet.end
}

// What the article takes as known.

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget = 0
    var tags: [String] = []

    init(name: String) { self.name = name }
}
