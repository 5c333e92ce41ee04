// The examples of the article "Expiring objects".

import HoldfastSQLite

// snippet.session
import Foundation
import Holdfast

@Table
final class LoginSession {
    @PrimaryKey let token: String
    var user: String
    @Expires var until: Date?

    init(token: String, user: String, until: Date?) {
        (self.token, self.user, self.until) = (token, user, until)
    }
}
// snippet.end

func savingASession(db: Database) async throws {
    // snippet.saving-a-session
    let session = LoginSession(token: "s3cret", user: "ada", until: Date().addingTimeInterval(3_600))
    try await db.save(session)
    let known = try await db.find(LoginSession.self, key: "s3cret")  // nil an hour later
    // snippet.end
    _ = known
}

func configureClock() {
    // snippet.clock
    let configuration = DatabaseConfiguration.sqlite(.inMemory).with {
        $0.expiry.clock = { Date(timeIntervalSince1970: 0) }
    }
    // snippet.end
    _ = configuration
}

func sweep(db: Database) async throws {
    // snippet.sweeping
    let count = try await db.sweepExpired(LoginSession.self)
    // snippet.end
    _ = count
}
