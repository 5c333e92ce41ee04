import Foundation
import Holdfast

extension ConformanceCase {
    static let sch1NamedMigrations: [ConformanceCase] = [
        ConformanceCase(
            "sch-1.renames", "SCH-1",
            "Named migrations rename a table, its columns and its join tables, and every object is what it was",
            level: .graph
        ) { environment in
            let db = try await environment.open(Renamed.Chapter.self)
            let (first, second) = (Renamed.Chapter("a"), Renamed.Chapter("b"))
            (first.words, second.words) = (["x", "y", "x"], ["z"])
            first.notes = [Renamed.Remark("n"), Renamed.Remark("m")]
            first.next = second
            second.next = first
            try await db.save([first, second])

            let schema = Schema(Renamed.Section.self, migrations: [Renamed.migration])
            let plan = try await db.migrate(schema)
            try expect(plan.steps.contains(where: \.losesData), "Dropping a column is not said to lose data: \(plan)")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
            let sections = try await db.fetch(Renamed.Section.self)
            try expect(sections.map(\.headline), equals: ["a", "b"], "the renamed property")
            try expect(sections.map(\.words), equals: [["x", "y", "x"], ["z"]], "the arrays")
            try expect(sections[0].remarks.map(\.text), equals: ["n", "m"], "the related objects")
            try expect(sections[0].following === sections[1], "The reference leads elsewhere.")

            // The delete rule is kept by the database itself.
            try await db.sql("UPDATE section SET following_id = NULL").execute()
            try await db.sql("DELETE FROM section WHERE headline = 'a'").execute()
            try expect(try await db.count(Renamed.Remark.self), equals: 0, "the remarks of a section that is gone")
            let taken = try await db.sql("SELECT count(*) FROM section_words").fetch(as: Int.self)
            try expect(taken, equals: [1], "the words of the section that is left")

            // What was named after the old table is in nobody's way.
            try await db.migrate(Schema(Renamed.Second.self, migrations: [Renamed.migration]))
            _ = try await db.insert(Renamed.Second(code: "c", title: "t"))
            try expect(try await db.fetch(Renamed.Second.self).map(\.title), equals: ["t"], "the new table's rows")
        },
        ConformanceCase(
            "sch-1.new-database", "SCH-1",
            "A database without any table gets the tables as they are now, and no migration of what was there is run"
        ) { environment in
            let db = try await environment.open()
            let schema = Schema(
                Renamed.Plain.self,
                migrations: [Renamed.migration, Migration("never") { $0.sql("DELETE FROM nowhere") }])
            try await db.migrate(schema)
            try await db.save(Renamed.Plain("a"))
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
            let later = Schema(
                types: schema.types,
                migrations: schema.migrations + [Migration("later") { $0.sql("UPDATE section SET headline = \("b")") }])
            let plan = try await db.migrate(later)
            try expect(plan.steps.count, equals: 1, "the number of steps of a migration that was added")
            try expect(try await db.fetch(Renamed.Plain.self).map(\.headline), equals: ["b"], "the values")
        },
        ConformanceCase(
            "sch-1.data", "SCH-1",
            "Migrations run in their order, read and write rows, and what is missing is made when they have run"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert((1...3).map { Migrated.First(id: $0, title: "t\($0)") })
            let schema = Schema(
                Migrated.Second.self,
                migrations: [
                    Migration("1") { $0.sql("UPDATE document SET title = title || \("!") WHERE id > \(1)") },
                    Migration("2") { steps in
                        steps.data { tx in
                            for title in try await tx.sql("SELECT title FROM document ORDER BY id").fetch(
                                as: String.self)
                            where title.hasSuffix("!") {
                                try await tx.sql(
                                    "UPDATE document SET title = \("(" + title + ")") WHERE title = \(title)"
                                )
                                .execute()
                            }
                        }
                    },
                ])
            try await db.migrate(schema)
            let titles = try await db.fetch(Migrated.Second.self).map(\.title)
            try expect(titles, equals: ["t1", "(t2!)", "(t3!)"], "the titles")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "sch-1.after-types", "SCH-1",
            "Migrations that run when the types have their tables fill new columns, from any earlier version"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert((1...3).map { Migrated.First(id: $0, title: "t\($0)") })
            func schema(fails: Bool = false) -> Schema {
                Schema(
                    Migrated.Second.self, Tagged.self,
                    migrations: [
                        // What it needs is made by the types, and its table is not there in an earlier version.
                        Migration("tags", .afterTypes) { $0.sql("UPDATE tagged SET name = \("never")") },
                        Migration("codes", .afterTypes) { steps in
                            steps.sql("UPDATE document SET code = title || \("!") WHERE id < \(3)")
                            steps.data { tx in
                                var document = try await tx.find(Migrated.Second.self, key: 3)
                                document?.words = ["a", "b"]
                                if let document { _ = try await tx.update(document) }
                                if fails { throw DatabaseError(.invalidValue, "The program fails.") }
                            }
                        },
                        Migration("titles") { $0.sql("UPDATE document SET title = \("T") || id") },
                    ])
            }
            let error = try await expect(.invalidValue, from: "a migration that fails after the types") {
                try await db.migrate(schema(fails: true))
            }
            try expect(error.message.contains("\"codes\""), "The error does not name the migration: \(error.message)")
            try expect(try await db.fetch(Migrated.First.self).map(\.title), equals: ["t1", "t2", "t3"], "the titles")
            let planned = try await db.schemaPlan(for: schema()).steps.map(\.action)
            try expect(planned.first, equals: .runMigration(id: "titles"), "the first step of the plan")
            try expect(planned.last, equals: .runMigration(id: "codes"), "the last step of the plan")

            try await db.migrate(schema())
            let documents = try await db.fetch(Migrated.Second.self)
            try expect(documents.map(\.code), equals: ["T1!", "T2!", nil], "the codes")
            try expect(documents.map(\.words), equals: [[], [], ["a", "b"]], "the words")
            try expect(try await db.migrate(schema()).steps, equals: [], "the steps of a second time")
            func dropping(_ migrations: Migration...) -> Schema {
                Schema(
                    Migrated.First.self, migrations: schema().migrations + migrations,
                    allowing: [.dropping(column: "pages", of: "document")])
            }
            let moving = dropping(
                Migration("moving", .afterTypes) { $0.sql("UPDATE document SET title = title || pages") })
            try await db.migrate(moving)
            try expect(
                try await db.fetch(Migrated.First.self).map(\.title), equals: ["T17", "T27", "T37"],
                "values of a column that was dropped")
            try expect(try await db.migrate(moving).steps, equals: [], "the steps after that")
            try await expect(.unsupported, from: "renaming what the types have got") {
                try await db.migrate(
                    Schema(
                        Tagged.self,
                        migrations: moving.migrations + [
                            Migration("late", .afterTypes) { $0.rename(column: "title", of: "tagged", to: "name") }
                        ]))
            }
        },
        ConformanceCase(
            "sch-1.nothing-half-done", "SCH-1",
            "A migration that fails leaves everything as it was, and is run the next time"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            func schema(_ shouldFail: Bool) -> Schema {
                Schema(
                    Migrated.Second.self,
                    migrations: [
                        Migration("one") { $0.sql("UPDATE document SET title = title || \("!")") },
                        Migration("two") { steps in
                            steps.drop(column: "title", of: "document")
                            steps.data { _ in
                                if shouldFail { throw DatabaseError(.invalidValue, "The program fails.") }
                            }
                            steps.sql("ALTER TABLE document ADD COLUMN title text")
                            steps.sql("UPDATE document SET title = \("b")")
                        },
                    ])
            }
            let error = try await expect(.invalidValue, from: "a migration that fails") {
                try await db.migrate(schema(true))
            }
            try expect(error.message.contains("\"two\""), "The error does not name the migration: \(error)")
            try expect(try await db.fetch(Migrated.First.self).map(\.title), equals: ["a"], "the rows")
            try await db.migrate(schema(false))
            try expect(try await db.sql("SELECT title FROM document").fetch(as: String.self), equals: ["b"], "the rows")
        },
        ConformanceCase(
            "sch-1.refused-histories", "SCH-1",
            "A database that is newer than the program, and a migration that was changed, are refused"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            func schema(_ migrations: Migration...) -> Schema { Schema(Migrated.First.self, migrations: migrations) }
            let first = Migration("first") { $0.sql("UPDATE document SET title = 'a'") }
            let second = Migration("second") { $0.sql("UPDATE document SET title = 'b'") }
            try await db.migrate(schema(first, second))
            let newer = try await expect(.conflict, from: "an older program") { try await db.migrate(schema(first)) }
            try expect(newer.message.contains("newer"), "The error does not say that the database is newer: \(newer)")
            let changed = Migration("second") { $0.sql("UPDATE document SET title = 'c'") }
            let error = try await expect(.conflict, from: "a migration that was changed") {
                try await db.migrate(schema(first, changed))
            }
            try expect(error.message.contains("\"second\""), "The error does not name the migration: \(error)")
            try await expect(.conflict, from: "two of one name") { try await db.migrate(schema(first, second, second)) }
            try await db.migrate(schema(first, second))
            try await db.migrate(Migrated.First.self)
        },
        ConformanceCase(
            "sch-1.drops", "SCH-1", "A table to which another one refers is not dropped, and any other is"
        ) { environment in
            let db = try await environment.open(Tagged.self, Migrated.First.self)
            try await db.save(Tagged("a", tags: ["x"]))
            func schema(_ drop: String) -> Schema {
                Schema(Note.self, migrations: [Migration("drop \(drop)") { $0.drop(table: drop) }])
            }
            try await expect(.conflict, from: "dropping a table that others refer to") {
                try await db.migrate(schema("tagged"))
            }
            try expect(try await db.fetch(Tagged.self).map(\.tags), equals: [["x"]], "the rows")
            try await db.migrate(schema("document"))
            try await expect(.notMigrated, from: "a table that was dropped") {
                _ = try await db.count(Migrated.First.self)
            }
            try await db.migrate(Migrated.First.self)
            try expect(try await db.count(Migrated.First.self), equals: 0, "the rows of a table that was made again")
        },
        ConformanceCase(
            "sch-1.drops-constrained", "SCH-1",
            "A column of a UNIQUE constraint is dropped as the plan says, or refused with nothing changed"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.sql(
                "CREATE TABLE gadget (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(9), part VARCHAR(9), UNIQUE (code, part))"
            ).execute()
            try await db.sql("INSERT INTO gadget (id, code, part) VALUES (1, 'a', 'b')").execute()
            let dropping = Schema(
                Note.self, migrations: [Migration("parts") { $0.drop(column: "part", of: "gadget") }])
            do {
                let plan = try await db.schemaPlan(for: dropping)
                try expect(try await db.migrate(dropping).description, equals: plan.description, "what was done")
                try await expect(.notMigrated, from: "a column that was dropped") {
                    _ = try await db.sql("SELECT part FROM gadget").fetch(as: String.self)
                }
                try await db.sql("INSERT INTO gadget (id, code) VALUES (2, 'a')").execute()
            } catch let error as DatabaseError where error.code == .unsupported {
                try expect(error.message.contains("UNIQUE constraint"), "It does not say why: \(error)")
                try await expect(.unsupported, from: "a column that a constraint holds") {
                    try await db.migrate(dropping)
                }
                let parts = try await db.sql("SELECT part FROM gadget").fetch(as: String.self)
                try expect(parts, equals: ["b"], "the column that stays")
            }
        },
        ConformanceCase(
            "sch-1.named-at-once", "SCH-1", "Of eight that start at the same time, one runs the migrations"
        ) { environment in
            let first = try await environment.open(Migrated.First.self)
            _ = try await first.insert(Migrated.First(id: 1, title: "a"))
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        let db = try await environment.open { $0.pool.maximumConnections = 2 }
                        try await db.migrate(
                            Schema(
                                Migrated.Second.self,
                                migrations: [Migration("1") { $0.sql("UPDATE document SET title = title || '!'") }]))
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await first.fetch(Migrated.First.self).map(\.title), equals: ["a!"], "the rows")
        },
    ]
}
