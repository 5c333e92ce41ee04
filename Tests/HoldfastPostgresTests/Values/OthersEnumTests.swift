import Holdfast
import HoldfastPostgres
import Testing

/// Enum types that another program has made, for properties that are text.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct OthersEnumTests {
    enum Mood: String, Storable, CaseIterable { case sad, calm, happy }

    @Table("others_feeling") struct Feeling: Equatable {
        @PrimaryKey var id: Int
        var mood: Mood
    }

    private struct Undone: Error {}

    /// A transaction with a table of six feelings, which is rolled back.
    private func withFeelings(
        _ body: nonisolated(nonsending) (Transaction, [Feeling]) async throws -> Void
    ) async throws {
        try await Database.withDatabase(.postgres(url: try #require(TestServer.url))) { db in
            await #expect(throws: Undone.self) {
                try await db.transaction { tx in
                    try await tx.sql("CREATE TYPE others_mood AS ENUM ('sad', 'calm', 'happy')").execute()
                    try await tx.sql("CREATE TABLE others_feeling (id int PRIMARY KEY, mood others_mood NOT NULL)")
                        .execute()
                    let feelings = (0..<6).map { Feeling(id: $0, mood: Mood.allCases[$0 % 3]) }
                    _ = try await tx.save(feelings)
                    try await body(tx, feelings)
                    throw Undone()
                }
            }
        }
    }

    @Test func `values are compared, as one and as a list`() async throws {
        try await withFeelings { tx, feelings async throws in
            let all = tx.query(Feeling.self)
            #expect(try await all.where { $0.mood == .calm }.fetch() == feelings.filter { $0.mood == .calm })
            #expect(try await all.where { $0.mood != .calm }.fetch() == feelings.filter { $0.mood != .calm })
            let some = feelings.filter { $0.mood != .sad }
            #expect(try await all.where { $0.mood.in([.calm, .happy]) }.fetch() == some)
            #expect(try await all.where { $0.mood.in([]) }.fetch() == [])
            #expect(try await all.where { !$0.mood.in([]) }.fetch() == feelings)
            #expect(try await all.where("mood IN ('calm', 'happy')").fetch() == some)
            #expect(try await all.where("NOT mood IN ('sad')").fetch() == some)
        }
    }

    @Test func `rows are ordered by text, as on other engines, and paged`() async throws {
        try await withFeelings { tx, feelings async throws in
            let ordered = tx.query(Feeling.self).order { [$0.mood.ascending] }
            let expected = feelings.sorted { ($0.mood.rawValue, $0.id) < ($1.mood.rawValue, $1.id) }
            #expect(try await ordered.fetch() == expected)
            let first = try await ordered.page(size: 4)
            let second = try await ordered.page(size: 4, after: first.next)
            #expect(first.objects + second.objects == expected)
        }
    }

    @Test func `groups have values of the enum`() async throws {
        try await withFeelings { tx, _ async throws in
            let groups = try await tx.query(Feeling.self).group { $0.mood }.select { ($0.mood, $0.rowCount) }.fetch()
            #expect(Set(groups.map { "\($0.0) \($0.1)" }) == ["sad 2", "calm 2", "happy 2"])
        }
    }

    @Test func `objects are changed, saved by the thousand and deleted`() async throws {
        try await withFeelings { tx, feelings async throws in
            _ = try await tx.save((100..<1_100).map { Feeling(id: $0, mood: .calm) })
            #expect(try await tx.query(Feeling.self).where { $0.mood == .calm }.count() == 1_002)
            let changed = try await tx.query(Feeling.self).where { $0.mood.in([.calm]) }.update { $0.mood.set(.happy) }
            #expect(changed == 1_002)
            #expect(try await tx.query(Feeling.self).where { $0.mood == .happy }.delete() == 1_004)
            #expect(try await tx.fetch(Feeling.self) == feelings.filter { $0.mood == .sad })
        }
    }
}
