import Holdfast

/// What a statement names that is not there: the engine's sentence, and what to do about a table.
extension ConformanceCase {
    static let err2Names: [ConformanceCase] = [
        ConformanceCase(
            "err-2.sentence", "ERR-2",
            "An error of a statement of the program's has the engine's sentence about a name, and none with a value"
        ) { environment in
            let db = try await environment.open(Note.self, Named.self)
            _ = try await db.insert(Named(name: "a", number: 1))
            let named: [(String, SQLFragment)] = [
                ("nofunction", "SELECT nofunction(title) FROM \(Note.self)"),
                ("selekt", "SELEKT title FROM \(Note.self)"),
                ("nocolumn", "SELECT nocolumn FROM \(Note.self)"), ("notable", "SELECT title FROM notable"),
            ]
            for (name, sql) in named {
                let error = try await expect(.syntax, .notMigrated, from: name) { try await db.sql(sql).execute() }
                let line = error.description.split(separator: "\n").first { $0.hasPrefix("Engine: ") }
                try expect(line?.lowercased().contains(name), equals: true, "the engine's sentence: \(error)")
            }
            let secret = "s3cr3t"
            let hidden: [(String, SQLFragment)] = [
                ("a text", "SELECT title FROM \(Note.self) WHERE title = 'a' 's3cr3t'"),
                ("a text that does not end", "SELECT title FROM \(Note.self) WHERE title = 's3cr3t"),
                ("a number", "SELECT title FROM \(Note.self) WHERE rank = 1 918273645"),
                ("the name of a relation", "SELECT CAST(\(secret) AS text)::regclass"),
                ("a constant name", "SELECT 's3cr3t'::regclass"),
            ]
            for (name, sql) in hidden {
                let error = try await expect(.syntax, .notMigrated, from: name) { try await db.sql(sql).execute() }
                for (kind, text) in allTexts(of: error) where kind != "debug description" && kind != "dump" {
                    for value in [secret, "918273645"] {
                        try expect(!text.contains(value), "The \(kind) of \(name) shows a value: \(text)")
                    }
                }
            }
            let taken = try await expect(.uniqueViolation, from: "a unique value") {
                try await db.sql("INSERT INTO \(Named.self) (name, number) SELECT name, number FROM \(Named.self)")
                    .execute()
            }
            try expect(!taken.description.contains("Engine: "), "The engine's words about values: \(taken)")
            let steps = Migration("steps") { steps in
                steps.sql("UPDATE \(Note.self) SET rank = 2")
                steps.sql("UPDATE \(Note.self) SET nocolumn = 1")
            }
            let failed = try await expect(.notMigrated, from: "the second statement of a migration") {
                try await db.migrate(Schema(Note.self, migrations: [steps]))
            }
            try expect(failed.message.contains("statement 2 of 2"), "No number: \(failed)")
            try expect(failed.description.contains("\nEngine: "), "No sentence: \(failed)")
        },
        ConformanceCase(
            "err-2.adoption", "ERR-2", "Errors about a table that no migration has made advise first to adopt it"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE note (id text PRIMARY KEY NOT NULL, title bigint)").execute()
            for (name, operation) in [
                ("migrate", { try await $0.migrate(Note.self) }), ("fetch", { _ = try await $0.fetch(Note.self) }),
                ("query", { _ = try await $0.query(Note.self).where { $0.rank == 1 }.fetch() }),
            ] as [(String, (Database) async throws -> Void)] {
                let error = try await expect(.conflict, .notMigrated, from: name) { try await operation(db) }
                let advice = try expect(some: error.message.firstRange(of: "adopt"), "the advice of \(error)")
                if let other = error.message.firstRange(of: "igrate the database") {
                    try expect(advice.lowerBound < other.lowerBound, "The advice comes late: \(error)")
                }
                try expect(error.table, equals: "note", "the table in the error of \(name)")
            }
            let own = try await environment.open(Numbered.self)
            try await own.sql("ALTER TABLE numbered RENAME COLUMN title TO other").execute()
            let changed = try await expect(.notMigrated, from: "a column that was renamed") {
                _ = try await own.fetch(Numbered.self)
            }
            try expect(changed.message.contains("migrate the database"), "the advice of \(changed)")
        },
    ]
}
