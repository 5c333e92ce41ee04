// The examples of the article "Soft deletion".

import Foundation
import Holdfast
import HoldfastSQLite

// snippet.note
@Table(indexes: [.unique("title", where: "deleted_at IS NULL")])  // a deleted note is in nobody's way
final class Note {
    var id: Int64?
    var title: String
    @Timestamp(.deleted) var deletedAt: Date?
    init(_ title: String) { self.title = title }
}
// snippet.end

func deleteSoftly(db: Database, note: Note, id: Int64) async throws {
    // snippet.deleting
    try await db.delete(note)
    // UPDATE "note" SET "deleted_at" = $1 WHERE "note"."deleted_at" IS NULL AND ("id" = ANY($2))

    let notes = try await db.query(Note.self).where { $0.title.hasPrefix("A") }.fetch()
    // SELECT … FROM (SELECT * FROM "note" WHERE "deleted_at" IS NULL) AS t0 WHERE …

    try await db.restore(note)
    try await db.query(Note.self).where { $0.hasKey(id) }.restore()  // by its key alone
    // snippet.end
    _ = notes
}

func find(db: Database) async throws {
    // snippet.finding
    let bin = try await db.query(Note.self).onlyDeleted().order(\.deletedAt, .descending).fetch()
    // SELECT … FROM (SELECT * FROM "note" WHERE "deleted_at" IS NOT NULL) AS t0 ORDER BY …
    let all = try await db.query(Note.self).includingDeleted().count()
    // SELECT count(*) FROM "note" AS t0
    // snippet.end
    _ = (bin, all)
}

func purge(db: Database, note: Note) async throws {
    // snippet.purging
    try await db.delete(note, permanently: true)  // DELETE FROM "note" WHERE "id" = $1

    let limit = Date().addingTimeInterval(-30 * 86_400)
    let count = try await db.query(Note.self).onlyDeleted().where { $0.deletedAt < limit }.delete(permanently: true)
    // DELETE FROM "note" WHERE "note"."deleted_at" IS NOT NULL AND ("note"."deleted_at" < $1)
    // snippet.end
    _ = count
}
