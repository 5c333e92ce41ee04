import Foundation
import Holdfast
import HoldfastDocuments

extension ConformanceCase {
    static let reflection: [ConformanceCase] = [
        ConformanceCase(
            "err-2.reflection", "ERR-2", "Neither print nor dump shows values of queries, rows, keys and changes"
        ) { environment in
            let db = try await environment.open(Note.self, Edition.self)
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
            let db = try await environment.open(Document.self) { $0.logger = recorder.logger }
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
