import Foundation
import FuzzInputs
import Holdfast
import HoldfastSQLite
import Testing

/// Tokens of pages that come from outside: each is the place of a page, or refused.
@Suite struct PageTokenTests {
    /// Asks for a page after what `token` stands for; true if there is such a place.
    private static func isPlace(_ token: String, in query: Query<Project>) async throws -> Bool {
        guard let cursor = PageCursor(token: token) else { return false }
        do {
            _ = try await query.page(size: 1, after: cursor)
            return true
        } catch let error as DatabaseError {
            #expect(error.code == .invalidValue, "\(error)")
            return false
        }
    }

    @Test func `whatever is done to a token, it is a place or refused`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.migrate(Project.self, Meeting.self, Person.self)
            for number in 0..<3 {
                let project = Project(name: "é\(number)")
                project.budget = Decimal(number)
                project.start = Date(timeIntervalSince1970: 5)
                try await db.save(project)
            }
            let query = db.query(Project.self).order {
                [$0.name.ascending, $0.budget.descending, $0.size.ascending, $0.start.ascending, $0.hours.ascending]
            }
            let token = try #require(try await query.page(size: 1).next?.token)
            #expect(try await Self.isPlace(token, in: query))
            var random = SeededGenerator(seed: 1)
            for round in 0..<5_000 {
                let (other, isCut) = PageTokens.altered(token, number: round, using: &random)
                let isPlace = try await Self.isPlace(other, in: query)
                if isCut { #expect(!isPlace, "A token was cut: \(other)") }
            }
            for text in ["", "=", "!", "A", "é", "\u{0}", token + "A", token + token, String(token.dropLast())] {
                #expect(try await !Self.isPlace(text, in: query), "\(text.debugDescription)")
            }
        }
    }
}
