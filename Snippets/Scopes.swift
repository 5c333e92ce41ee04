// The examples of the article "Scopes".

import Foundation
import Holdfast
import HoldfastSQLite

// snippet.post
@Table(scopes: [.scope("published", where: "publishedAt <= now()"), .scope("current", where: "NOT isArchived")])
final class Post {
    var id: Int64?
    var title: String
    var isArchived = false
    var publishedAt: Date?
    init(_ title: String) { self.title = title }
}
// snippet.end

func read(db: Database) async throws {
    // snippet.reading
    let posts = try await db.query(Post.self).where { $0.title.hasPrefix("A") }.fetch()
    // SELECT … FROM (SELECT * FROM "post" WHERE ("post"."published_at" <= statement_timestamp())
    //     AND (NOT ("post"."is_archived" = TRUE))) AS t0 WHERE …

    let drafts = try await db.query(Post.self).ignoringScope("published").where { $0.publishedAt == nil }.fetch()
    let all = try await db.query(Post.self).ignoringScopes().count()  // SELECT count(*) FROM "post" AS t0
    // snippet.end
    _ = (posts, drafts, all)
}

func edit(db: Database, id: Int64) async throws {
    // snippet.desk
    let desk = try db.ignoringScopes("published", "current")
    let draft = try await desk.find(Post.self, key: id)
    // snippet.end
    _ = draft
}

// snippet.invoice
@Table(indexes: [.index("tenantID", "number")], scopes: [.scope("tenant", by: "tenantID")])
final class Invoice {
    var id: Int64?
    let tenantID: Int64
    var number: Int
    init(_ number: Int, of tenantID: Int64) { (self.number, self.tenantID) = (number, tenantID) }
}
// snippet.end

func serve(db: Database, tenantID: Int64, id: Int64) async throws {
    // snippet.scoped
    let mine = try db.scoped(["tenant": tenantID])  // at the beginning of a request
    let invoice = try await mine.find(Invoice.self, key: id)
    // SELECT "id", "tenant_id", "number" FROM (SELECT * FROM "invoice" WHERE ("invoice"."tenant_id" = $2)) AS "invoice"
    //     WHERE "id" = $1
    try await mine.save(Invoice(7, of: tenantID))
    // snippet.end
    _ = invoice
}
