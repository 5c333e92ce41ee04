// The examples of the article "Inspecting and maintaining databases".

import Holdfast
import HoldfastPostgres
import HoldfastSQLite

func printSchema(db: Database) async throws {
    // snippet.schema
    let schema = try await db.schema()
    for table in schema.tables {
        print(table.name, table.primaryKey?.columns ?? [], table.rowEstimate ?? 0)
        for column in table.columns { print("  ", column.name, column.typeName, column.isNullable ? "" : "NOT NULL") }
        for key in table.foreignKeys { print("  ", key.columns, "->", key.table, key.targetColumns, key.onDelete) }
    }
    // snippet.end
}

func printOtherSchemas(db: Database) async throws {
    // snippet.other-schemas
    let audit = try await db.schema("audit")  // another schema of PostgreSQL
    try await db.transaction { tx in
        try await tx.sql("ATTACH \("old.db") AS old").execute()  // SQLite: for this transaction's connection
        print(try await tx.schema("old").tables.map(\.name))
    }
    // snippet.end
    _ = audit
}

func printDrift(db: Database) async throws {
    // snippet.drift
    for drift in try await db.drift(Schema(Project.self)) { print(drift) }
    // The column "name" of "project" is text; it should be text COLLATE C NOT NULL.
    // The index "by_hand" of "project" is in no model: (budget).
    // snippet.end
}

func vacuumAndAnalyze(db: Database) async throws {
    // snippet.vacuum-and-analyze
    try await db.vacuum(Project.self)  // VACUUM "project", "project_tags"; the whole file on SQLite
    try await db.analyze(Project.self)  // ANALYZE "project", "project_tags"
    // snippet.end
}

func dropTables(db: Database) async throws {
    // snippet.dropping-tables
    try await db.dropTable(Project.self)  // with its join tables, triggers and journal entries
    try await db.dropIndex(on: Project.self, of: "startDate")
    try await db.dropIndex(named: "project_lower_name", on: Project.self)
    // snippet.end
}

func deleteDatabase(db: Database) async throws {
    // snippet.deleting-databases
    try await db.close()
    try await Database.deleteDatabase(.sqlite(path: "data/catalog.db"), confirmingName: "catalog.db")
    // snippet.end
}

func recordVersion(db: Database) async throws {
    // snippet.schema-version
    try await db.migrate(Schema(Project.self, version: 7))
    print(try await db.schemaVersion() ?? 0)  // 7
    // snippet.end
}

func openCatalog() async throws {
    // snippet.refusing-newer-schemas
    let catalog = DatabaseConfiguration.postgres(url: "postgres://app@db/catalog").with {
        $0.migrations.schemaVersion = 7
    }
    let db = try await Database.open(catalog)
    // snippet.end
    _ = db
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
