import Foundation
import Holdfast

/// What a search finds.
extension ConformanceCase {
    static let search1: [ConformanceCase] = [
        ConformanceCase(
            "search-1.queries", "SEARCH-1",
            "A search finds the same texts on every engine, and as the query says itself",
            requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self)
            try await EssayCorpus.save(db)
            let essays = try await db.fetch(Essay.self)
            var wrong: [String] = []
            for (text, expected) in EssayCorpus.queries {
                let found = try await db.query(Essay.self).where { $0.matches(text) }.order { $0.id.ascending }.fetch()
                let query = SearchQuery(text)
                let own = essays.filter { query.matches($0.title, $0.body) }.compactMap(\.id).sorted()
                let keys = found.compactMap(\.id)
                if keys != expected.map(Int64.init) || own != keys {
                    wrong.append("\(text.debugDescription): \(keys), itself \(own), stated \(expected)")
                }
            }
            try expect(wrong, equals: [], "what is found otherwise")
        },
        ConformanceCase(
            "search-1.parts", "SEARCH-1", "Queries that are made of parts are combined as their parts say",
            requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self)
            _ = try await db.insert([
                Essay("red car"), Essay("blue car", "red"), Essay("green bike", nil), Essay("red"),
            ])
            func titles(_ query: SearchQuery) async throws -> [String] {
                try await db.query(Essay.self).where { $0.matches(query) }.order { $0.id.ascending }.fetch().map(
                    \.title)
            }
            let red = SearchQuery.words("red")
            try expect(try await titles(.words("red OR car")), equals: [], "words that look like an operator")
            try expect(try await titles(.words("car red")), equals: ["red car", "blue car"], "words in any column")
            try expect(try await titles(.phrase("car red")), equals: [], "a phrase over two columns")
            try expect(try await titles(.prefix("gr")), equals: ["green bike"], "the beginning of a word")
            try expect(try await titles(.all(red, .not("car"))), equals: ["red"], "one without another")
            try expect(
                try await titles(.not(red)), equals: ["green bike"], "those without a word, one of which has no body")
            try expect(
                try await titles(.any("blue", .not(red))), equals: ["blue car", "green bike"], "one, or without another"
            )
            try expect(
                try await titles(.all(.not("blue"), .not("bike"))), equals: ["red car", "red"], "without two")
            try expect(
                try await titles(.not(.all("red", .any("blue", .not("car"))))), equals: ["red car", "green bike"],
                "without a combination")
            try expect(try await titles(.all([])), equals: [], "nothing of nothing")
            try expect(try await titles(.not("?")), equals: [], "the opposite of nothing to look for")
            try expect(try await titles(.all("?", red, "")).count, equals: 3, "what has empty parts")
            let long = String(repeating: "a", count: 3_000)
            _ = try await db.insert(Essay("long", "x \(long) y"))
            try expect(try await titles(.words(long)), equals: [], "a word that is too long")
            try expect(try await titles(.words("x y")), equals: ["long"], "the words around it")
            try expect(try await titles(.phrase("x y")), equals: [], "a phrase of the words around it")
        },
        ConformanceCase(
            "search-1.refused", "SEARCH-1", "What declares no search can't be searched, nor what is nested too deeply",
            requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self, EssayRemark.self)
            try await expect(.invalidValue, from: "a search of a type without one") {
                _ = try await db.query(EssayRemark.self).where { $0.matches("red") }.count()
            }
            var query: SearchQuery = "red"
            for _ in 0..<100 { query = .all("car", .any("bike", query)) }
            try await expect(.invalidValue, from: "a query of too many levels") {
                _ = try await db.query(Essay.self).where { [query] in $0.matches(query) }.count()
            }
            // The deepest that is taken.
            query = "red"
            for _ in 0..<19 { query = .all("car", .any("bike", query)) }
            try expect(
                try await db.query(Essay.self).where { [query] in $0.matches(query) }.count(), equals: 0, "the deepest")
            let text = String(repeating: "(", count: 5_000) + "red" + String(repeating: " (car OR -bike", count: 2_000)
            try expect(try await db.query(Essay.self).where { $0.matches(text) }.count(), equals: 0, "a monstrous text")
        },
        ConformanceCase(
            "search-1.random", "SEARCH-1", "Random queries find the same in random texts as they do themselves",
            requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self)
            var random = SplitMix64(state: environment.seed)
            let words = [
                "a", "ab", "abc", "é", "É", "e\u{301}", "ß", "1", "1e5", "б", "Ꙁ", "中", "中文", "x1", "Ǆ", "ſ", "µ",
            ]
            let gaps = [" ", "  ", "-", "'", ".", "\u{301} ", "🤖", "_", " , ", "", "\n", "₿", "·", "\u{200D}"]
            func text(_ count: Int) -> String {
                (0..<count).map { _ in
                    (words.randomElement(using: &random) ?? "") + (gaps.randomElement(using: &random) ?? "")
                }.joined()
            }
            func query(_ depth: Int) -> SearchQuery {
                switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
                case 0, 1: return .words(text(1))
                case 2: return .phrase(text(2))
                case 3: return .prefix(text(1))
                case 4: return SearchQuery(text(3))
                case 5, 6: return .all((0..<3).map { _ in query(depth - 1) })
                case 7: return .any((0..<2).map { _ in query(depth - 1) })
                default: return .not(query(depth - 1))
                }
            }
            let essays = (0..<150).map { number in
                Essay("\(number + 1_000) " + text(4), Bool.random(using: &random) ? text(6) : nil)
            }
            try await db.save(essays)
            var wrong: [String] = []
            for _ in 0..<300 {
                let query = query(3)
                let found = try await db.query(Essay.self).where { $0.matches(query) }.order { $0.id.ascending }.fetch()
                let own = essays.filter { query.matches($0.title, $0.body) }.compactMap(\.id).sorted()
                if found.compactMap(\.id) != own { wrong.append("\(query): \(found.compactMap(\.id)), itself \(own)") }
            }
            try expect(wrong, equals: [], "what is found otherwise, with the seed \(environment.seed)")
        },
    ]
}
