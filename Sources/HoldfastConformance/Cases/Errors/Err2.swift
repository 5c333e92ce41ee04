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
                for (kind, text) in allTexts(of: error) {
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

    /// All that is shown of an error, each with what it is.
    static func allTexts(of error: DatabaseError) -> [(String, String)] {
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
