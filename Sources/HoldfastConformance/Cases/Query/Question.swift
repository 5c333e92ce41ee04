import Foundation
import Holdfast

/// A condition, and what it means in Swift.
struct Question: Sendable {
    let title: String
    let condition: @Sendable (Columns<Engineer>) -> Condition
    let meaning: @Sendable (Engineer) -> Bool

    /// A typed condition.
    static func typed(
        _ title: String, _ condition: @escaping @Sendable (Columns<Engineer>) -> some ConditionConvertible,
        _ meaning: @escaping @Sendable (Engineer) -> Bool
    ) -> Question {
        Question(title: title, condition: { condition($0).condition }, meaning: meaning)
    }

    /// Condition text, or a condition made at run time.
    static func text(
        _ condition: Condition, _ meaning: @escaping @Sendable (Engineer) -> Bool, _ title: String = "a text"
    ) -> Question {
        Question(title: title, condition: { _ in condition }, meaning: meaning)
    }
}

extension ConformanceCase {
    /// A case that asks questions about the sample, and compares each answer with what the same condition gives in
    /// Swift.
    static func asking(_ id: String, _ clause: String, _ title: String, _ questions: [Question]) -> ConformanceCase {
        ConformanceCase(id, clause, title) { environment in
            let (db, engineers) = try await openSample(environment)
            for (index, question) in questions.enumerated() {
                let query = db.query(Engineer.self).where(question.condition)
                let expected = engineers.filter(question.meaning).compactMap(\.id).sorted()
                let what = "question \(index), \(question.title)"
                let found = try await answered(what) { try await query.fetch().compactMap(\.id) }
                try expect(found, equals: expected, "the answer to \(what)")
                let count = try await answered(what) { try await query.count() }
                try expect(count, equals: expected.count, "the count of \(what)")
                // Whatever a condition is, its negation is true of all others.
                let negated = db.query(Engineer.self).where { !question.condition($0) }
                let others = try await answered(what) { try await negated.keys() }
                let rest = engineers.filter { !question.meaning($0) }.compactMap(\.id).sorted()
                try expect(others, equals: rest.map { Key($0) }, "the answer to the negation of \(what)")
            }
        }
    }

    /// Opens a database with the sample, and gives the objects as they are there.
    static func openSample(_ environment: ConformanceEnvironment) async throws -> (Database, [Engineer]) {
        let db = try await environment.open(Engineer.self, Team.self, Review.self)
        try await db.save(Engineer.sample())
        return (db, try await db.fetch(Engineer.self))
    }

    private static func answered<Answer>(
        _ what: String, _ ask: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await ask()
        } catch let error as DatabaseError {
            throw ExpectationFailure("\(what) failed: \(error.debugDescription)", #fileID, #line, cause: error)
        }
    }
}
