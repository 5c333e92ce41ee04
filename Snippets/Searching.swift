// The examples of the article "Searching".

import Holdfast

// snippet.model
@Table(search: ["title", "body"])
final class Article {
    var id: Int64?
    var title: String
    var body: String?
    var isPublished = false
    init(_ title: String, _ body: String? = nil) { (self.title, self.body) = (title, body) }
}
// snippet.end

func query(db: Database) async throws -> [Article] {
    // snippet.query
    let found = try await db.query(Article.self)
        .where { $0.matches("red car") && $0.isPublished }
        .order { $0.title.ascending }
        .fetch()
    // snippet.end
    return found
}

// snippet.box
func search(_ text: String, in db: Database) async throws -> [Article] {
    let query = SearchQuery(text)
    let all = db.query(Article.self).limit(20)
    if query.isEmpty { return try await all.order { $0.title.ascending }.fetch() }
    return try await all.where { $0.matches(query) }.order { $0.searchRank(of: query).descending }.fetch()
}
// snippet.end

func parts(db: Database, text: String) async throws -> Int {
    // snippet.parts
    let query = SearchQuery.all(.words(text), .not(.phrase("sports car")), .any(.prefix("conv"), .words("roadster")))
    let count = try await db.query(Article.self).where { $0.matches(query) }.count()
    // snippet.end
    return count
}

func snippet(query: SearchQuery, article: Article, escaped: (String) -> String) -> [String] {
    // snippet.snippet
    let snippet = query.snippet(of: article.body ?? "", words: 20)
    let line = snippet.text(marking: "[", "]")  // …bought a [red] [car] from…
    let html = snippet.parts.map { $0.isFound ? "<mark>\(escaped($0.text))</mark>" : escaped($0.text) }.joined()
    // snippet.end
    return [line, html]
}
