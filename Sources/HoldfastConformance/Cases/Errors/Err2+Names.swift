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
        },
        ConformanceCase(
            "err-2.own-tables", "ERR-2",
            "Errors about a missing column advise to migrate where migrations have made the table, else to adopt it"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            try await db.sql("ALTER TABLE numbered RENAME COLUMN title TO other").execute()
            try await db.sql("CREATE TABLE note (id text PRIMARY KEY NOT NULL, title bigint)").execute()
            let operations: [(name: String, isOwn: Bool, run: (Database) async throws -> Void)] = [
                ("fetch", true, { _ = try await $0.fetch(Numbered.self) }),
                ("find", true, { _ = try await $0.find(Numbered.self, key: 1) }),
                ("count", true, { _ = try await $0.query(Numbered.self).where { $0.title == "a" }.count() }),
                ("update", true, { _ = try await $0.query(Numbered.self).update { $0.title.set("a") } }),
                ("save", true, { try await $0.save(Numbered(1, "a")) }),
                ("fetch", false, { _ = try await $0.fetch(Note.self) }),
                ("query", false, { _ = try await $0.query(Note.self).where { $0.rank == 1 }.fetch() }),
                ("save", false, { try await $0.save(Note("a")) }),
            ]
            for (name, isOwn, run) in operations {
                let error = try await expect(.notMigrated, from: name) { try await run(db) }
                try expect(error.table, equals: isOwn ? "numbered" : "note", "the table in the error of \(name)")
                try expect(error.message.contains("migrate the database"), equals: isOwn, "the advice of \(error)")
                try expect(error.message.contains("adopt it"), equals: !isOwn, "the advice of \(error)")
            }
            // There, nothing more can be asked.
            let inside = try await expect(.notMigrated, from: "a fetch in a transaction") {
                try await db.transaction { tx in _ = try await tx.fetch(Numbered.self) }
            }
            for advice in ["adopt it", "migrate the database"] {
                try expect(inside.message.contains(advice), "The advice of a transaction lacks \(advice): \(inside)")
            }
        },
    ]
}
