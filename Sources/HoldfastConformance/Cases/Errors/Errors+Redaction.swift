import Foundation
import Holdfast

extension ConformanceCase {
    static let redaction: [ConformanceCase] = [
        ConformanceCase(
            "err-2.no-values",
            "ERR-2",
            "No description of an error and no line of the log carries a stored or bound value"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await open(environment) { $0.logger = recorder.logger }
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
            let db = try await open(environment) { $0.showsValues = true }
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
}
