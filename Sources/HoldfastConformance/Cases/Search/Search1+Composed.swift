import Foundation
import Holdfast

/// Searches as parts of queries.
extension ConformanceCase {
    static let search1Composed: [ConformanceCase] = [
        ConformanceCase(
            "search-1.composed", "SEARCH-1", "A search is a condition like others, also of what a relation leads to",
            level: .graph, requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self, EssayRemark.self)
            let essays = [Essay("red car"), Essay("blue car"), Essay("red bike")]
            for (number, essay) in essays.enumerated() { essay.likes = number }
            try await db.save(essays)
            let remarks = [EssayRemark(1, about: essays[0]), EssayRemark(2, about: essays[1]), EssayRemark(3)]
            try await db.save(remarks)
            let all = db.query(Essay.self)
            try expect(try await all.where { $0.matches("red") && $0.likes > 0 }.count(), equals: 1, "with another")
            try expect(try await all.where { $0.matches("blue") || $0.likes == 2 }.count(), equals: 2, "or another")
            try expect(try await all.where { !$0.matches("red") }.count(), equals: 1, "what is not found")
            try expect(try await all.where { !$0.matches("?") }.count(), equals: 3, "what nothing does not find")
            let marks = db.query(EssayRemark.self).order { $0.mark.ascending }
            try expect(
                try await marks.where { $0.about.matches("car") }.fetch().map(\.mark), equals: [1, 2],
                "along a relation")
            try expect(
                try await marks.where { $0.about.matches(.not("red")) }.fetch().map(\.mark), equals: [2],
                "what is missing there, where there is something")
            try expect(
                try await marks.where { !$0.about.matches("red") }.fetch().map(\.mark), equals: [2, 3],
                "what is not found there")
            let page = try await all.where { $0.matches("car") }.order { $0.title.ascending }.page(size: 1)
            try expect(page.objects.map(\.title), equals: ["blue car"], "a page")
            let next = try await all.where { $0.matches("car") }.order { $0.title.ascending }.page(
                size: 1, after: page.next)
            try expect(next.objects.map(\.title), equals: ["red car"], "the next page")
            let keys = try await db.query(EssayRemark.self)
                .where { $0.about.id.optional.in(db.query(Essay.self).where { $0.matches("blue") }.select { $0.id }) }
                .count()
            try expect(keys, equals: 1, "a query inside of one")
        },
        ConformanceCase(
            "search-1.rank", "SEARCH-1",
            "What has more of the words comes first, and nothing else than the words counts",
            requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self)
            let filler = (0..<20).map { "word\($0)" }.joined(separator: " ")
            _ = try await db.insert(
                [
                    Essay("a", "red \(filler) \(filler)"), Essay("b", "red red red car car"),
                    Essay("c", "blue \(filler)"),
                ]
                    + (0..<20).map { Essay("other \($0)", filler) })
            let query = SearchQuery("red OR car")
            let found = try await db.query(Essay.self).where { $0.matches(query) }
                .order { $0.searchRank(of: query).descending }.fetch()
            try expect(found.map(\.title), equals: ["b", "a"], "the best first")
            let ranks = try await db.query(Essay.self).where { $0.title.in(["a", "b", "c"]) }.order {
                $0.title.ascending
            }
            .select { ($0.title, $0.searchRank(of: query)) }.fetch()
            try expect(ranks.map { $0.1 > 0 }, equals: [true, true, false], "whether there is a rank")
            try expect(ranks[2].1, equals: 0, "the rank of what is not found")
            let none = try await db.query(Essay.self).where { $0.title == "a" }
                .select { ($0.searchRank(of: "-red"), $0.searchRank(of: "")) }.fetch()
            try expect(none.map { [$0.0, $0.1] }, equals: [[0, 0]], "the ranks of what looks for nothing")
            try expect(
                try await db.query(Essay.self).where { $0.matches(query) && $0.searchRank(of: query) > 0 }.count(),
                equals: 2, "a condition of the rank")
        },
        ConformanceCase(
            "search-1.keys", "SEARCH-1", "Texts are found under keys of any type", requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Glossed.self, Labelled.self)
            _ = try await db.insert([
                Glossed(language: "de", word: "rot", meaning: "red, as a car"),
                Glossed(language: "de", word: "blau", meaning: nil),
                Glossed(language: "en", word: "rot", meaning: "decay"),
            ])
            func words(_ query: SearchQuery) async throws -> [String] {
                try await db.query(Glossed.self).where { $0.matches(query) }.order { $0.word.ascending }.fetch()
                    .map { $0.language + " " + $0.word }
            }
            try expect(try await words("red"), equals: ["de rot"], "one of them")
            try expect(try await words(.not("red")), equals: ["de blau", "en rot"], "the others")
            _ = try await db.query(Glossed.self).where { $0.matches("decay") }.update {
                $0.meaning.set("to become red")
            }
            try expect(try await words("red").count, equals: 2, "both after an update")
            try expect(try await words("decay"), equals: [], "the old text")
            _ = try await db.query(Glossed.self).where { $0.matches("become") }.delete()
            try expect(try await words("red"), equals: ["de rot"], "the one that is left")
            let label = Labelled(id: UUID(), rank: "first", order: "second")
            _ = try await db.insert([label, Labelled(id: UUID(), rank: "other", order: "second")])
            try expect(
                try await db.query(Labelled.self).where { $0.matches("first") }.fetch(), equals: [label], "by UUID")
            let ranks = try await db.query(Labelled.self).where { $0.matches("second") }
                .order { $0.searchRank(of: "first").descending }.fetch()
            try expect(ranks.first, equals: label, "the best")
        },
    ]
}
