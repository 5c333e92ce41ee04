import Foundation
import Holdfast
import HoldfastDocuments

extension ConformanceCase {
    static let err2: [ConformanceCase] = [
        ConformanceCase(
            "err-2.no-values",
            "ERR-2",
            "No description of an error and no line of the log carries a stored or bound value"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await open(environment) { $0.telemetry.logger = recorder.logger }
            let errors = try await failures(db)
            for (name, error) in errors {
                for (kind, text) in descriptions(error) {
                    for secret in secrets {
                        try expect(!text.contains(secret), "The \(kind) of the error of \(name) shows a value: \(text)")
                    }
                }
                try expect(error.shownKey, equals: nil, "the key in the error of \(name)")
                try expect(error.shownEngineMessage, equals: nil, "the engine's words in the error of \(name)")
            }
            try await expect(.serializationFailure, from: "a transaction that is retried") {
                try await db.transaction(maxRetries: 1) { tx in
                    try await tx.save(Note(secrets[0] + "!"))
                    throw DatabaseError(.serializationFailure, "on purpose")
                }
            }
            for line in recorder.lines {
                for secret in secrets { try expect(!line.contains(secret), "A line of the log shows a value: \(line)") }
            }
        },
        ConformanceCase(
            "err-2.values-where-asked",
            "ERR-2",
            "A database that was opened with values shown gives the engine's own words"
        ) { environment in
            let db = try await open(environment) { $0.telemetry.showsValues = true }
            let errors = try await failures(db)
            for (name, error) in errors where error.engineCode != nil {
                try expect(error.shownEngineMessage != nil, "The error of \(name) lacks the engine's words.")
                try expect(
                    error.debugDescription.contains(error.shownEngineMessage ?? ""),
                    "The debug description of the error of \(name) lacks the engine's words."
                )
            }
            try expect(errors.contains { $0.1.engineCode != nil }, "No error has a code of the engine.")
        },
        ConformanceCase(
            "err-2.statement",
            "ERR-2",
            "The statement in an error has placeholders where values were bound"
        ) { environment in
            let db = try await open(environment)
            for (name, error) in try await failures(db) {
                guard let sql = error.sql else { continue }
                for secret in secrets {
                    try expect(!sql.contains(secret), "The statement of \(name) shows a value: \(sql)")
                }
            }
            let note = Note("x", code: "taken \(secrets[0])")
            let error = try await expect(.uniqueViolation, from: "a unique value") { try await db.save(note) }
            try expect(error.sql?.isEmpty, equals: false, "whether the error has no statement")
        },
        ConformanceCase(
            "err-2.place", "ERR-2",
            "The description of an error says which call failed, and which statement of the program's, without values"
        ) { environment in
            let db = try await open(environment)
            let own = try await expect(.notMigrated, from: "a statement of the program's") {
                _ = try await db.sql("SELECT title FROM nowhere WHERE title = 'secret' AND rank = \(1)")
                    .fetch(as: String.self)
            }
            try expect(own.callSite?.hasPrefix("HoldfastConformance/Err2.swift:"), equals: true, "its call: \(own)")
            try expect(own.description.contains("At HoldfastConformance/Err2.swift:"), "No call is named: \(own)")
            try expect(own.description.contains("select title from nowhere where title = ?"), "No statement: \(own)")
            try expect(!own.description.contains("secret"), "A value is shown: \(own)")
            let missing = Schema(
                Note.self, migrations: [Migration("fill") { $0.sql("UPDATE nowhere SET title = 'secret'") }])
            let failed = try await expect(.notMigrated, from: "a statement of a migration") {
                try await db.migrate(missing)
            }
            try expect(failed.description.contains("update nowhere set title = ?"), "No statement: \(failed)")
            try expect(failed.description.contains("\"fill\""), "No migration: \(failed)")
            let mapped = try await expect(.uniqueViolation, from: "a save") {
                try await db.save([Note("b", code: "same"), Note("c", code: "same")])
            }
            try expect(
                mapped.callSite?.hasPrefix("HoldfastConformance/Err2.swift:"), equals: true, "its call: \(mapped)")
            try expect(!mapped.description.contains("Statement"), "A statement of the library: \(mapped)")
            let graph = try await expect(.notMigrated, from: "a fetch of objects with arrays") {
                _ = try await db.fetch(Tagged.self)
            }
            try expect(graph.callSite?.hasPrefix("HoldfastConformance/Err2.swift:"), equals: true, "its call: \(graph)")
        },
        ConformanceCase(
            "err-2.sentence", "ERR-2",
            "An error of a statement of the program's has the engine's sentence about a name, and none with a value"
        ) { environment in
            let db = try await open(environment)
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
                for (kind, text) in descriptions(error) where kind != "debug description" && kind != "dump" {
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
            "err-2.checkout", "ERR-2",
            "A checkout timeout says who holds connections and how many wait, and advises only what helps"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .milliseconds(400)
            }
            let (held, enough) = (Signal(), Signal())
            let holder = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("held"))
                    held.give()
                    await enough.wait()
                }
            }
            await held.wait()
            let first = Task { try await db.save(Note("first")) }
            while db.poolStatistics.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
            let second = Task { try await db.save(Note("second")) }
            while db.poolStatistics.waiting == 1 { try await Task.sleep(for: .milliseconds(1)) }
            let error = try await expect(.poolTimeout, from: "who waits first") { try await first.value }
            try await expect(.poolTimeout, from: "who waits next") { try await second.value }
            enough.give()
            try await holder.value
            try expect(error.message.contains("1 of at most 1 connections are in use"), "How many? \(error)")
            try expect(
                error.message.contains("transaction at HoldfastConformance/Err2.swift:"), "Who holds it? \(error)")
            try expect(error.message.contains("1 other operation waiting"), "How many wait? \(error)")
            try expect(
                error.callSite?.hasPrefix("HoldfastConformance/Err2.swift:"), equals: true, "who waits: \(error)")
            // One connection writes by design where readers have others; elsewhere, more of them help.
            let isOfOneWriter = db.poolStatistics.maximum > 1
            try expect(
                error.message.contains("allow more connections"), equals: !isOfOneWriter, "the advice of \(error)")
        },
        graph(
            "err-2.references", "ERR-2",
            "An error of a foreign key says which side it is about, and which relations may be concerned"
        ) { environment in
            let db = try await environment.open(Badge.self, Receipt.self)
            let receipt = Receipt(total: Choice("12"))
            receipt.customer = Reference(key: 12)
            let missing = try await expect(.foreignKeyViolation, from: "a key that leads to no row") {
                try await db.save(receipt)
            }
            try expect(missing.message.contains("refers to one that does not exist"), "Which side? \(missing)")
            try expect(missing.message.contains("\"customer\" of Receipt"), "Which relation? \(missing)")
            try expect(missing.table, equals: "receipt", "the table of a key that leads to no row")
            try expect(missing.properties.contains("customer"), "Which properties? \(missing.properties)")
            (receipt.customer, receipt.witnesses) = (nil, [Reference(key: 12)])
            let element = try await expect(.foreignKeyViolation, from: "an element that leads to no row") {
                try await db.save(receipt)
            }
            try expect(element.message.contains("refers to one that does not exist"), "Which side? \(element)")
            try expect(element.message.contains("\"witnesses\" of Receipt"), "Which relation? \(element)")
            let ann = Employee("Ann")
            try await db.save(Badge(ann))
            let operations: [(String, (Database) async throws -> Void)] = [
                ("deleting what is required", { try await $0.delete(ann) }),
                ("deleting all", { try await $0.deleteAll(Employee.self) }),
                ("deleting by a query", { try await $0.query(Employee.self).delete() }),
            ]
            for (name, operation) in operations {
                let error = try await expect(.foreignKeyViolation, from: name) { try await operation(db) }
                try expect(error.message.contains("is still referred to"), "Which side is \(name)? \(error)")
                try expect(error.message.contains("\"holder\" of Badge"), "Which relation is \(name)? \(error)")
                try expect(error.table, equals: "badge", "the table in the error of \(name)")
                try expect(error.properties, equals: ["holder"], "the properties in the error of \(name)")
            }
        },
        graph(
            "err-2.references-sql", "ERR-2",
            "An error of a foreign key of the program's SQL says which side it is about"
        ) { environment in
            let db = try await environment.open(Badge.self)
            try await db.save(Badge(Employee("Ann")))
            let deletion = try await expect(.foreignKeyViolation, from: "a DELETE") {
                try await db.sql("DELETE FROM employee").execute()
            }
            try expect(deletion.message.contains("is still referred to"), "Which side is a DELETE? \(deletion)")
            let insertion = try await expect(.foreignKeyViolation, from: "an INSERT") {
                try await db.sql("INSERT INTO badge (holder_id, is_valid) SELECT 99, is_valid FROM badge").execute()
            }
            try expect(
                insertion.message.contains("refers to one that does not exist"), "Which side is an INSERT? \(insertion)"
            )
        },
        ConformanceCase(
            "err-2.unique", "ERR-2", "An error about a value that is there already reads the same on every engine"
        ) { environment in
            let db = try await environment.open(Note.self, Place.self)
            try await db.save(Note("a", code: "c"))
            let note = try await expect(.uniqueViolation, from: "a unique property") {
                try await db.save(Note("b", code: "c"))
            }
            try expect(
                note.message,
                equals: "Another row of \"note\" has that value of \"code\". Update it, or choose another value.",
                "the message about a unique property")
            let batch = try await expect(.uniqueViolation, from: "one of several") {
                try await db.save([Note("d", code: "d"), Note("e", code: "c")])
            }
            try expect(batch.message, equals: note.message, "the message about one of several")
            try expect(batch.properties, equals: ["code"], "the properties of one of several")
            let raw = try await expect(.uniqueViolation, from: "an INSERT") {
                try await db.sql("INSERT INTO \(Note.self) (title, rank, code) VALUES ('f', 1, 'c')").execute()
            }
            try expect(raw.message, equals: note.message, "the message about an INSERT")
            let token = UUID()
            try await db.insert(Place("a", 1, token, name: "p"))
            let place = try await expect(.uniqueViolation, from: "a composite key") {
                try await db.insert(Place("a", 1, token, name: "q"))
            }
            try expect(
                place.message,
                equals:
                    "Another row of \"place\" has that value of \"country\", \"number\", \"token\". Update it, or choose "
                    + "another value.",
                "the message about a composite key")
        },
        graph(
            "err-2.objects", "ERR-2",
            "An error about an object that a save has reached says which: its type, the path to it, and its key if asked"
        ) { environment in
            for shows in [false, true] {
                let db = try await environment.open(Employee.self) { $0.telemetry.showsKeys = shows }
                let ann = Employee("Ann")
                let bob = Employee("Bob")
                (ann.spouse, bob.siblings) = (bob, [Employee("Cid"), Employee("Dan")])
                try await db.save(ann)
                let dan = bob.siblings[1]
                dan.name = "Daniel\0"
                let refused = try await expect(.invalidValue, from: "a value that can't be stored") {
                    try await db.save(ann)
                }
                try expect(refused.objectPath, equals: "employee.spouse.siblings[1]", "the path to what is refused")
                try expect(
                    refused.description.contains("(Employee at employee.spouse.siblings[1])"), "No path: \(refused)")
                try expect(refused.shownKey != nil, equals: shows, "whether the key of what is refused is shown")
                dan.name = "Daniel"
                try await db.sql("DELETE FROM employee_siblings").execute()
                try await db.sql("DELETE FROM employee WHERE id = \(dan.id ?? 0)").execute()
                let gone = try await expect(.notFound, from: "a row that is gone") { try await db.save([bob, ann]) }
                try expect(gone.objectPath, equals: "employee[0].siblings[1]", "the path to what is gone")
                try expect(gone.shownKey != nil, equals: shows, "whether the key of what is gone is shown")
                try expect(gone.shownEngineMessage, equals: nil, "the engine's words where only keys are shown")
                let given = try await expect(.notFound, from: "an object that was given") { try await db.save(dan) }
                try expect(given.objectPath, equals: nil, "the path to an object that was given")
            }
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
        ConformanceCase(
            "err-2.reflection", "ERR-2", "Neither print nor dump shows values of queries, rows, keys and changes"
        ) { environment in
            let db = try await environment.open(Note.self)
            let secret = "s3cr3t-Ω"
            for rank in 0..<3 { try await db.save(Note(secret, rank: rank)) }
            let bound: Condition = "title = \(secret)"
            let query = db.query(Note.self).where { $0.title == secret }.order { ($0.title + secret).ascending }
            try expectHidden(secret, in: bound, Condition(parsing: "title = '\(secret)'"), !bound, of: "a condition")
            try expectHidden(secret, in: Condition.all([bound, .isNil(secret)]), of: "a list of conditions")
            try expectHidden(secret, in: query, query.select { $0.title + secret }, of: "a query")
            try expectHidden(secret, in: query.select { ($0.title, $0.body ?? secret) }, of: "a selection")
            try expectHidden(secret, in: Columns<Note>().title + secret, of: "an expression")
            try expectHidden(secret, in: (Columns<Note>().title + secret).ascending, of: "an order")
            try expectHidden(secret, in: QueryOptions(conditions: bound, orderBy: [.ascending("title")]), of: "options")
            try expectHidden(secret, in: Key(secret, 3), Optional(Key(secret)) as Any, of: "a key")
            try expectHidden(secret, in: "SELECT \(secret)" as SQLFragment, db.sql("SELECT \(secret)"), of: "raw SQL")
            let page = try await query.page(size: 1)
            try expectHidden(secret, in: try expect(some: page.next, "the next page"), of: "a cursor")
            try expectHidden(secret, in: try await db.sql("SELECT title FROM \(Note.self)").fetch(), of: "rows")
            try expectHidden(secret, in: db, db._access, of: "the database")
            var areHidden = Result<Void, any Error> { throw CancellationError() }
            try await db.query(Note.self).update { assignments in
                assignments.title.set(secret)
                areHidden = Result { try expectHidden(secret, in: assignments, assignments.title, of: "assignments") }
            }
            try areHidden.get()
            try await db.transaction { tx in try expectHidden(secret, in: tx, of: "a transaction") }
        },
        ConformanceCase(
            "err-2.reflection-of-errors", "ERR-2",
            "Neither print nor dump of an error shows the present row that it has"
        ) { environment in
            let db = try await environment.open(Edition.self)
            let secret = "s3cr3t-Ω"
            let edition = Edition(secret)
            try await db.save(edition)
            let other = try await db.query(Edition.self).one()
            edition.text = secret + "!"
            try await db.save(edition)
            other.text = "other"
            let stale = try await expect(.staleVersion, from: "a save of what is old") { try await db.save(other) }
            try expectHidden(secret, in: stale, of: "an error with the present row")
        },
        ConformanceCase(
            "err-2.documents", "ERR-2", "Names of tables of documents, keys and what documents hold are not shown",
            level: .documents
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Document.self) { $0.telemetry.logger = recorder.logger }
            let secret = "s3cr3t-Ω"
            let table = db.documents[secret]
            try await table.set([secret: 1], for: secret)
            let document = try expect(some: try await table.document(secret), "the document")
            try expectHidden(secret, in: document, table, db.documents, of: "a document")
            try expectHidden(secret, in: try await table.get([secret], as: JSON.self), of: "values")
            func expectHiddenError(
                _ codes: DatabaseError.Code, from what: String, _ body: nonisolated(nonsending) () async throws -> Void
            ) async throws {
                let error = try await expect(codes, from: what, body)
                try expectHidden(secret, in: error, error.debugDescription, of: "the error of \(what)")
                try expect(error.table, equals: "keyed_document", "the table in the error of \(what)")
            }
            try await expectHiddenError(.decoding, from: "another type") {
                _ = try await table.get(secret, as: Int.self)
            }
            try await table.set([secret: 2], for: secret)
            try await expectHiddenError(.staleVersion, from: "a document that has changed") {
                try await table.set(["a": 1], ifUnchangedSince: document)
            }
            let declared = db.documents[secret, ["name": .text]]
            try await expectHiddenError(.syntax, from: "a path that is not declared") {
                _ = try await declared.where { $0["nam", as: Int.self] == 1 }.fetch()
            }
            try await expectHiddenError(.invalidValue, from: "another type than the declared one") {
                _ = try await declared.where { $0["name", as: Int.self] == 1 }.fetch()
            }
            try await expectHiddenError(.invalidValue, from: "a key that is too long") {
                try await table.set(["a": 1], for: String(repeating: "k", count: 3_000))
            }
            for line in recorder.lines {
                try expect(!line.contains(secret), "A line of the log shows a value: \(line)")
            }
        },
    ]

    /// Values that must not be seen: a text, and numbers that no error has by chance.
    private static let secrets = ["s3cr3t-Ω", "918273645", "271828.1828"]

    private static func open(
        _ environment: ConformanceEnvironment,
        configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) async throws -> Database {
        let db = try await environment.open(Note.self, Named.self, Scalars.self, Owned.self, configure: configure)
        try await db.save(Note("first", rank: 918_273_645, code: "taken \(secrets[0])"))
        _ = try await db.insert(Named(name: secrets[0], number: 918_273_645))
        try await db.sql("CREATE TABLE checked (number bigint CHECK (number < 10), word text)").execute()
        return db
    }

    /// Failures of many kinds, each with the secrets near it.
    private static func failures(_ db: Database) async throws -> [(String, DatabaseError)] {
        let text = secrets[0]
        let number = 918_273_645
        var value = Scalars(id: Int64(number))
        value.string = text + "\0"
        let refused = value
        var unsigned = Scalars(id: Int64(number))
        unsigned.string = text
        unsigned.uint64 = .max
        let tooLarge = unsigned
        let operations: [(String, (Database) async throws -> Void)] = [
            ("a unique column", { try await $0.save(Note(text, rank: number, code: "taken \(text)")) }),
            ("a batch", { try await $0.save([Note(text), Note(text, rank: number, code: "taken \(text)")]) }),
            ("a primary key", { _ = try await $0.insert(Named(name: text, number: number)) }),
            ("a row that is gone", { try await $0.update(Numbered(Int64(number), text)) }),
            ("a struct that is gone", { _ = try await $0.update(Named(name: text + "?", number: number)) }),
            ("a NUL", { _ = try await $0.insert(refused) }),
            ("a number too large", { _ = try await $0.insert(tooLarge) }),
            ("a CHECK", { try await $0.sql("INSERT INTO checked VALUES (\(number), \(text))").execute() }),
            ("text as a number", { _ = try await $0.sql("SELECT CAST(\(text) AS text)").fetch(as: Int.self) }),
            ("text as an enum", { _ = try await $0.sql("SELECT name FROM \(Named.self)").fetch(as: Mood.self) }),
            (
                "a number as a date",
                { _ = try await $0.sql("SELECT CAST(\(271_828.1828) AS double precision)").fetch(as: URL.self) }
            ),
            ("no such table", { try await $0.sql("DELETE FROM absent WHERE a = \(text) OR b = \(number)").execute() }),
            ("a syntax error", { try await $0.sql("SELEKT \(text), \(number)").execute() }),
            (
                "NULL",
                { try await $0.sql("INSERT INTO \(Named.self) (name, number) VALUES (\(text + "!"), NULL)").execute() }
            ),
            ("a required property", { try await $0.save(Owned()) }),
            ("a key of the wrong type", { _ = try await $0.find(Numbered.self, key: text) }),
        ]
        try await db.migrate(Numbered.self)
        var errors: [(String, DatabaseError)] = []
        for (name, operation) in operations {
            do {
                try await operation(db)
            } catch let error as DatabaseError {
                errors.append((name, error))
                continue
            }
            throw ExpectationFailure("It succeeded, though it has to fail: \(name).", #fileID, #line)
        }
        return errors
    }

    private static func descriptions(_ error: DatabaseError) -> [(String, String)] {
        var dumped = ""
        dump(error, to: &dumped)
        return [
            ("description", error.description), ("debug description", error.debugDescription),
            ("localized description", error.localizedDescription), ("message", error.message), ("dump", dumped),
        ]
    }

    private static func expectHidden(
        _ secret: String, in subjects: Any..., of name: String, line: Int = #line
    ) throws {
        for subject in subjects {
            var dumped = ""
            dump(subject, to: &dumped)
            for text in ["\(subject)", String(reflecting: subject), dumped] {
                try expect(!text.contains(secret), "What is shown of \(name) has a value: \(text)", line: line)
            }
        }
    }
}
