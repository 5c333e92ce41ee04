// The examples of the article "Holdfast".

// snippet.model
import Foundation
import Holdfast
import HoldfastSQLite

@Table
final class Article {
    var id: Int64?  // the primary key, nil until saved
    var title: String
    @Unique var slug: String
    var words = 0
    var tags: [String] = []  // a table of its own, in order
    @Timestamp(.modified) var modifiedAt: Date?

    init(title: String, slug: String) {
        self.title = title
        self.slug = slug
    }
}
// snippet.end

// snippet.opening
let db = try await Database.open(.sqlite(path: "articles.db"))
// with HoldfastPostgres:        .postgres(url: "postgres://app@db.example.org/articles")
// snippet.end

// snippet.migrating
try await db.migrate(Article.self)
// snippet.end

// snippet.saving
let article = Article(title: "Knots", slug: "knots")
try await db.save(article)  // INSERT; article.id is set
article.words = 1_200
try await db.save(article)  // UPDATE "article" SET "words" = …, "modified_at" = …

let all = try await db.fetch(Article.self)  // ordered by key
let one = try await db.find(Article.self, key: article.id ?? 0)
try await db.close()
// snippet.end

// snippet.querying
let long = try await db.query(Article.self).where { $0.words > 1_000 && $0.tags.contains("rope") }.fetch()
// snippet.end
