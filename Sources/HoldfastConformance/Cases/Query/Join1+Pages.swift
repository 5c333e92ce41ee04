import Foundation
import Holdfast

/// Pages and streams of pairs.
extension ConformanceCase {
    static let join1Pages: [ConformanceCase] = [
        ConformanceCase(
            "join-1.pages", "JOIN-1", "Pages of pairs give each pair once, in every order"
        ) { environment in
            let sample = try await InnerSample(environment)
            let pairs = sample.all.joined(to: Review.self) { e, r in r.points > e.age && e.isActive }
            let orders: [(String, JoinedQuery<Engineer, Review, Review>)] = [
                ("none", pairs), ("of the left", pairs.order { e, _ in [e.grade.descending, e.shoe.ascending] }),
                ("of the right", pairs.order { _, r in [r.words.descending, r.id.ascending] }),
                ("of both", pairs.order { e, r in [r.author.name.ascending, e.name.ascending.ignoringCase] }),
            ]
            for (what, query) in orders {
                let all = try await query.fetch().map { [$0.id, $1.id] }
                for size in [all.count / 5, all.count, all.count + 1] {
                    var (found, cursor): ([[Int64?]], PageCursor?) = ([], nil)
                    repeat {
                        let page = try await query.page(size: size, after: cursor)
                        try expect(page.pairs.count <= size, "A page is too long.")
                        found += page.pairs.map { [$0.id, $1.id] }
                        cursor = try page.next.map { try expect(some: PageCursor(token: $0.token), "a token") }
                    } while cursor != nil
                    try expect(found, equals: all, "pages of \(size), in the order \(what)")
                }
            }
            let first = try await pairs.order { e, _ in [e.name.ascending] }.page(size: 2)
            try await expect(.invalidValue, from: "a cursor of the other table") {
                _ = try await pairs.order { _, r in [r.words.ascending] }.page(size: 2, after: first.next)
            }
            try await expect(.invalidValue, from: "a cursor of no pairs") {
                _ = try await sample.all.order { $0.name.ascending }.page(size: 2, after: first.next)
            }
            try await expect(.invalidValue, from: "an empty page") { _ = try await pairs.page(size: 0) }
            try await expect(.unsupported, from: "a page of what is limited") {
                _ = try await pairs.limit(3).page(size: 2)
            }
        },
        ConformanceCase(
            "join-1.outer-pages", "JOIN-1", "Pages and streams of pairs have nil where there is no partner"
        ) { environment in
            let sample = try await InnerSample(environment)
            let pairs = sample.all.leftJoined(to: Review.self) { e, r in r.author == e && r.points > 30 }
            for query in [pairs, pairs.order { e, r in [r.points.descending, e.age.ascending] }] {
                let all = try await query.fetch().map { [$0.id, $1?.id] }
                var (found, cursor): ([[Int64?]], PageCursor?) = ([], nil)
                repeat {
                    let page = try await query.page(size: 4, after: cursor)
                    found += page.pairs.map { [$0.id, $1?.id] }
                    cursor = page.next
                } while cursor != nil
                try expect(found, equals: all, "the pages")
                var streamed: [[Int64?]] = []
                for try await (engineer, review) in query.stream() { streamed.append([engineer.id, review?.id]) }
                try expect(streamed, equals: all, "the stream")
            }
        },
        ConformanceCase(
            "join-1.streams", "JOIN-1", "A stream of pairs gives those of a fetch, with what they lead to"
        ) { environment in
            let sample = try await InnerSample(environment)
            let all = sample.all.joined(to: Engineer.self) { e, other in e.age != other.age || e.id != other.id }
                .order { e, other in [other.name.descending] }
            let expected = try await all.fetch()
            try expect(expected.count > 500, "There are too few pairs for several portions.")
            var streamed: [(Engineer, Engineer)] = []
            for try await pair in all.stream() { streamed.append(pair) }
            try expect(streamed.map { [$0.id, $1.id] }, equals: expected.map { [$0.id, $1.id] }, "the pairs")
            try expect(
                streamed.map { $1.team?.name }, equals: expected.map { $1.team?.name }, "what the objects lead to")
            var (left, count) = (0, 0)
            for try await _ in all.stream() {
                left += 1
                if left == 3 { break }
            }
            try await sample.db.transaction { tx in
                for try await _ in tx.query(Engineer.self).joined(to: Review.self, on: { e, r in r.author == e })
                    .stream()
                { count += 1 }
            }
            try expect(count, equals: sample.reviews.count { $0.author != nil }, "the pairs in a transaction")
        },
    ]
}
