import Foundation
import Holdfast
import HoldfastConformance
import Testing

/// Tables that were brought up to date are those that a new database gets.
@Suite struct UpgradedSchemaTests {
    enum First {
        @Table("chapter", indexes: [.unique("title", "rank")])
        final class Chapter {
            var id: Int64?
            @Indexed var title: String
            var rank: Int16 = 0
            var note: String?
            var words: [String] = []
            @Relation(deleteRule: .cascade) var remarks: [Remark] = []
            @Relation(deleteRule: .cascade) var next: Chapter?
            init(_ title: String) { self.title = title }
        }

        @Table("remark")
        final class Remark {
            var id: Int64?
            var text: String
            var chapter: Chapter?
            init(_ text: String) { self.text = text }
        }
    }

    enum Second {
        @Table("section", renamedFrom: "chapter", indexes: [.unique("headline", "rank")])
        final class Section {
            var id: Int64?
            @Indexed @Column(renamedFrom: "title") var headline: String
            var rank: Int32 = 0
            var note: String = "none"
            @Column(renamedFrom: "words") var terms: [String] = []
            @Relation(deleteRule: .cascade) @Column(renamedFrom: "remarks") var comments: [Comment] = []
            @Relation(deleteRule: .cascade) @Column(renamedFrom: "next") var following: Section?
            init(_ headline: String) { self.headline = headline }
        }

        @Table("comment", renamedFrom: "remark")
        final class Comment {
            var id: Int64?
            @Column(renamedFrom: "text") var body: String?
            @Column(renamedFrom: "chapter") var section: Section?
            init(_ body: String) { self.body = body }
        }
    }

    static var schema: Schema {
        Schema(
            Second.Section.self, Second.Comment.self, allowing: [.requiring(column: "note", of: "section")])
    }

    /// What the catalog has, by its names; those of the library's own tables are left out.
    private static let catalog: SQLFragment = """
        SELECT 'relation ' || c.relkind::text || ' ' || c.relname::text FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()
        UNION ALL SELECT 'column ' || c.relname::text || ' ' || a.attnum || ' ' || a.attname::text || ' '
            || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || a.attcollation::text || ' '
            || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE n.nspname = current_schema() AND a.attnum > 0 AND c.relkind = 'r'
        UNION ALL SELECT 'constraint ' || conname::text || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k
            JOIN pg_namespace n ON n.oid = k.connamespace WHERE n.nspname = current_schema()
        UNION ALL SELECT 'index ' || replace(pg_get_indexdef(i.indexrelid), current_schema(), '') FROM pg_index i
            JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema()
        UNION ALL SELECT 'trigger ' || replace(pg_get_triggerdef(t.oid), current_schema(), '') FROM pg_trigger t
            JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND NOT t.tgisinternal
        ORDER BY 1
        """

    /// Names of indexes and triggers with what they are of, and the columns of tables in their order.
    private static let file: SQLFragment = """
        SELECT type || ' ' || name || ' ' || CASE type WHEN 'table' THEN '' ELSE sql END FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT LIKE 'holdfast_column%'
        UNION ALL SELECT 'column ' || t.name || ' ' || c.cid || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' '
            || coalesce(c.dflt_value, '') FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
        UNION ALL SELECT 'key ' || t.name || ' ' || k."from" || ' ' || k."table" || ' ' || k."to" || ' ' || k.on_delete
            FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table'
        ORDER BY 1
        """

    @Test(arguments: SchemaEngine.available) func `an upgraded database is as a new one`(
        engine: SchemaEngine
    ) async throws {
        var described: [[String]] = []
        for isUpgraded in [false, true] {
            let home = try await engine.provision.makeDatabase()
            try await Database.withDatabase(home.configuration) { db async throws in
                if isUpgraded {
                    try await db.migrate(First.Chapter.self, First.Remark.self)
                    let chapter = First.Chapter("a")
                    chapter.words = ["x", "y"]
                    chapter.remarks = [First.Remark("r")]
                    try await db.save(chapter)
                }
                try await db.migrate(Self.schema)
                #expect(try await db.migrate(Self.schema).isEmpty)
                #expect(try await db.drift(Self.schema) == [])
                described.append(try await Self.description(of: db, engine))
                if isUpgraded {
                    let sections = try await db.fetch(Second.Section.self)
                    #expect(sections.map(\.headline) == ["a"] && sections.map(\.note) == ["none"])
                    #expect(sections.first?.terms == ["x", "y"] && sections.first?.comments.map(\.body) == ["r"])
                }
            }
            try await home.destroy()
        }
        let (new, upgraded) = (described[0], described[1])
        #expect(Set(upgraded).subtracting(new).sorted() == [])
        #expect(Set(new).subtracting(upgraded).sorted() == [])
    }

    private static func description(of db: Database, _ engine: SchemaEngine) async throws -> [String] {
        switch engine {
        case .sqlite: try await db.sql(file).fetch(as: String.self)
        case .postgresql: try await db.sql(catalog).fetch(as: String.self)
        }
    }
}
