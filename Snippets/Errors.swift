// The examples of the article "Errors".

import Holdfast
import HoldfastSQLite

func handleErrors(db: Database) async throws {
    // snippet.handling
    do {
        try await db.save(Account(owner: "Ada", balance: 0))
    } catch let error as DatabaseError {
        switch error.code {
        case .uniqueViolation: print("taken:", error.properties)  // ["owner"]
        case .serializationFailure, .deadlock, .connectionLost: print("again:", error)
        default: throw error
        }
    }
    // snippet.end
}

func openWithShownValues() async throws {
    // snippet.revealing-values
    let db = try await Database.open(.sqlite(.inMemory).with { $0.telemetry.showsValues = true })
    // snippet.end
    _ = db
}

// What the article takes as known.

@Table
final class Account {
    var id: Int64?
    @Unique var owner: String
    var balance: Int

    init(owner: String, balance: Int) {
        self.owner = owner
        self.balance = balance
    }
}
