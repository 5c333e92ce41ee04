import Holdfast
import HoldfastConformance
import Testing

/// Changes by hand in the engines' own SQL, and what is reported of them.
@Suite struct DriftTests {
    @Table("drifter", indexes: [.index("rank", "title")])
    final class Drifter {
        var id: Int64?
        @Unique var title: String
        var rank = 0
        @Relation(deleteRule: .cascade) var parts: [Part] = []
        @Relation(deleteRule: .cascade) var next: Drifter?
        init(_ title: String) { self.title = title }
    }

    @Table("drifter_part")
    final class Part {
        var id: Int64?
        var isOpen = true
        weak var owner: Drifter?
        init() {}
    }

    private func drift(_ engine: SchemaEngine, after statements: [String]) async throws -> [String] {
        let home = try await engine.provision.makeDatabase()
        let drift = try await Database.withDatabase(home.configuration) { db async throws in
            try await db.migrate(Drifter.self, Part.self)
            #expect(try await db.drift(Drifter.self, Part.self) == [])
            for sql in statements { try await db.sql(SQLFragment(unsafe: sql)).execute() }
            return try await db.drift(Drifter.self, Part.self).map(\.description)
        }
        try await home.destroy()
        return drift
    }

    @Test func `on PostgreSQL, changed columns, keys and triggers are reported`() async throws {
        guard Engines.postgresURL != nil else { return }
        func drift(_ statements: String...) async throws -> [String] {
            try await self.drift(.postgresql, after: statements)
        }
        let columns = try await drift(
            "ALTER TABLE drifter ALTER title TYPE varchar(20) COLLATE \"C\", ALTER rank DROP NOT NULL")
        #expect(
            columns == [
                "The column \"title\" of \"drifter\" is character varying(20) COLLATE C NOT NULL; "
                    + "it should be text COLLATE C NOT NULL.",
                "The column \"rank\" of \"drifter\" is bigint DEFAULT 0; "
                    + "it should be bigint NOT NULL DEFAULT 0.",
            ])
        let origins = try await drift(
            "ALTER TABLE drifter ALTER title TYPE text COLLATE \"default\"",
            "ALTER TABLE drifter_part ALTER is_open SET DEFAULT false",
            "ALTER TABLE drifter_part ALTER id DROP IDENTITY")
        #expect(
            origins == [
                "The column \"title\" of \"drifter\" is text NOT NULL; it should be text COLLATE C NOT NULL.",
                "The column \"id\" of \"drifter_part\" is bigint NOT NULL; "
                    + "it should be bigint NOT NULL, made by the database.",
                "The column \"is_open\" of \"drifter_part\" is boolean NOT NULL DEFAULT false; "
                    + "it should be boolean NOT NULL DEFAULT TRUE.",
            ])
        let keys = try await drift(
            "ALTER TABLE drifter_part DROP CONSTRAINT drifter_part_owner_id_fkey",
            "ALTER TABLE drifter_part ADD FOREIGN KEY (owner_id) REFERENCES drifter (id) ON UPDATE CASCADE",
            "ALTER TABLE drifter ADD CHECK (rank > 7)", "DROP INDEX drifter_rank_title_idx",
            "DROP TRIGGER holdfast_drifter_next_cascade ON drifter")
        #expect(
            keys == [
                "The index \"drifter_rank_title_idx\" of \"drifter\" is missing: (rank, title).",
                "The CHECK constraint (rank > 7) of \"drifter\" is in no model.",
                "The trigger \"holdfast_drifter_next_cascade\" of \"drifter\" is missing.",
                "The foreign key (owner_id) of \"drifter_part\" is "
                    + "REFERENCES drifter (id) ON DELETE NO ACTION ON UPDATE CASCADE; "
                    + "it should be REFERENCES drifter (id) ON DELETE SET NULL.",
            ])
    }

    @Test func `on SQLite, a table made anew by hand is reported`() async throws {
        let drift = try await drift(
            .sqlite,
            after: [
                "DROP TABLE drifter_part",
                """
                CREATE TABLE drifter_part (
                    id INTEGER PRIMARY KEY, is_open TEXT NOT NULL, owner_id INTEGER REFERENCES drifter (id)
                )
                """,
                "DROP TRIGGER holdfast_drifter_next_cascade",
                "CREATE TRIGGER audit AFTER INSERT ON drifter BEGIN SELECT 1; END",
            ])
        #expect(
            drift == [
                "The trigger \"holdfast_drifter_next_cascade\" of \"drifter\" is missing.",
                "The trigger \"audit\" of \"drifter\" is in no model.",
                "The column \"is_open\" of \"drifter_part\" is TEXT NOT NULL; it should be INTEGER NOT NULL DEFAULT 1.",
                "The index \"drifter_part_owner_id_idx\" of \"drifter_part\" is missing: (owner_id).",
                "The foreign key (owner_id) of \"drifter_part\" is REFERENCES drifter (id) ON DELETE NO ACTION; "
                    + "it should be REFERENCES drifter (id) ON DELETE SET NULL.",
                "The CHECK constraint (\"is_open\" IN (0, 1)) of \"drifter_part\" is missing.",
            ])
    }
}
