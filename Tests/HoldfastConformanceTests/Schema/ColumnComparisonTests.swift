import Holdfast
import HoldfastConformance
import Testing

/// Changes by hand that a migration takes back, and those that it leaves.
@Suite struct ColumnComparisonTests {
    enum Kind: String, Storable, CaseIterable { case a, b }

    @Table("compared")
    struct Compared {
        var id: Int64?
        @Indexed var title: String = "t"
        @Column(check: .cases) var kind: Kind?
        var rank = 0
    }

    @Test func `a migration restores collations, defaults and checks, and leaves what computes a default`() async throws
    {
        guard Engines.postgresURL != nil else { return }
        let home = try await SchemaEngine.postgresql.provision.makeDatabase()
        try await Database.withDatabase(home.configuration) { db async throws in
            try await db.migrate(Compared.self)
            for sql in [
                "ALTER TABLE compared ALTER title TYPE text COLLATE \"default\"",
                "ALTER TABLE compared DROP CONSTRAINT holdfast_compared_kind_check, ADD CHECK (length(kind) < 9)",
                "ALTER TABLE compared ALTER rank SET DEFAULT length('abc')",
            ] { try await db.sql(SQLFragment(unsafe: sql)).execute() }
            let plan = try await db.migrate(Compared.self)
            #expect(
                plan.steps.map(\.sql) == [
                    #"ALTER TABLE "compared" ALTER COLUMN "title" TYPE text COLLATE "C""#,
                    #"ALTER TABLE "compared" ADD CONSTRAINT "holdfast_compared_kind_check" CHECK ("kind" IN ('a', 'b'))"#,
                ])
            #expect(try await db.migrate(Compared.self).isEmpty)
            let drift = try await db.drift(Compared.self).map(\.element)
            #expect(drift == [.column("rank"), .check("(length(kind) < 9)")])
        }
        try await home.destroy()
    }
}
