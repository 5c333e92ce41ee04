import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Tokens of pages that come from outside: each is the place of a page, or refused.
@Suite struct PageTokenTests {
    /// The number of tokens; more by hand.
    private static let rounds = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_ROUNDS"].flatMap(Int.init) ?? 5_000

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ token: String) throws -> Data {
        let text = token.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
    }

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
            let data = try Self.data(token)
            var random = SystemRandomNumberGenerator()
            for round in 0..<Self.rounds {
                var other = data
                switch round % 4 {
                case 0:
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        let place = Int.random(in: 0..<other.count, using: &random)
                        other[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    }
                case 1: other = other.prefix(Int.random(in: 0..<other.count, using: &random))
                case 2: other[Int.random(in: 0..<other.count, using: &random)] = .random(in: 0...255, using: &random)
                default:
                    other = Data((0..<Int.random(in: 0..<80, using: &random)).map { _ in .random(in: 0...255) })
                }
                let isPlace = try await Self.isPlace(Self.text(other), in: query)
                if round % 4 == 1 { #expect(!isPlace, "A token was cut to \(other.count) bytes.") }
            }
            for text in ["", "=", "!", "A", "é", "\u{0}", token + "A", token + token, String(token.dropLast())] {
                #expect(try await !Self.isPlace(text, in: query), "\(text.debugDescription)")
            }
        }
    }
}
