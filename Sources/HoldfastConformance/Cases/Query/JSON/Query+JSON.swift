import Foundation
import Holdfast

/// Questions about what is inside documents.
extension ConformanceCase {
    static let queryJSON: [ConformanceCase] = [
        ConformanceCase(
            "qry-3.random", "QRY-3", "Values inside random documents are compared and ordered as in memory",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            var random = SplitMix64(state: environment.seed)
            let documents = (0..<150).map { _ in AnyDocument(.random(3, &random)) }
            try await db.save(documents)
            let all = db.query(AnyDocument.self)
            for round in 0..<120 {
                let path = AnyJSON.randomPath(&random)
                let text = path.text
                let values = documents.map { $0.body.value(at: path.steps) }
                func check(_ condition: Condition, _ isFound: (AnyJSON?) -> Bool, _ what: String) async throws {
                    let found = try await all.where(condition).keys()
                    let expected = zip(documents, values).filter { isFound($1) }.compactMap { $0.0.id }.map { Key($0) }
                    try expect(found, equals: expected, "what is found by \(what) of \(text) in round \(round)")
                }
                let body = Columns<AnyDocument>().body
                try await check(body.hasJSON(text), { $0 != nil }, "presence")
                let string = body.json(text, as: String.self)
                try await check(string == "7", { $0?.asText == "7" }, "an equal text")
                try await check(string < "a", { ($0?.asText).map { $0 < "a" } ?? false }, "a lesser text")
                try await check(string == nil, { $0?.asText == nil }, "no text")
                let integer = body.json(text, as: Int.self)
                try await check(integer == 7, { $0?.asInteger == 7 }, "an equal integer")
                try await check(integer >= 1, { ($0?.asInteger).map { $0 >= 1 } ?? false }, "a greater integer")
                try await check(
                    integer == Int.max, { $0?.asInteger == Int.max }, "the greatest integer")
                let real = body.json(text, as: Double.self)
                try await check(real > 0.25, { ($0?.asReal).map { $0 > 0.25 } ?? false }, "a greater number")
                try await check(real != 7, { $0?.asReal != 7 }, "another number")
                let boolean = body.json(text, as: Bool.self)
                try await check(boolean == true, { $0?.asBoolean == true }, "a truth value")
                let ordered = try await all.order { $0.body.json(text, as: Int.self).descending }.keys()
                let expected = zip(documents, values).sorted { left, right in
                    let (first, second) = (left.1?.asInteger, right.1?.asInteger)
                    if first == second { return left.0.id ?? 0 < right.0.id ?? 0 }
                    // Nil comes last where the greatest comes first.
                    return first.map { first in second.map { first > $0 } ?? true } ?? false
                }
                try expect(ordered, equals: expected.compactMap { $0.0.id }.map { Key($0) }, "the order by \(text)")
                let selected = try await all.select { $0.body.json(text, as: String.self) }.fetch()
                try expect(selected, equals: values.map { $0?.asText }, "the texts of \(text)")
            }
        },
        ConformanceCase(
            "qry-3.groups", "QRY-3", "Documents are counted and grouped by what is inside of them",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            func document(_ city: String?, _ size: Int) -> AnyDocument {
                AnyDocument(
                    .object([
                        "address": .object(["city": city.map { .text($0) } ?? .null]),
                        "sizes": .array([.integer(Int64(size)), .integer(1)]),
                    ]))
            }
            try await db.save([document("Bonn", 3), document("Bonn", 5), document("Ulm", 4), document(nil, 6)])
            let all = db.query(AnyDocument.self)
            let groups = try await all.group { $0.body.json("address.city", as: String.self) }
                .select { ($0.body.json("address.city", as: String.self), $0.rowCount) }.fetch()
            try expect(
                groups.map { "\($0 ?? "-") \($1)" }.sorted(), equals: ["- 1", "Bonn 2", "Ulm 1"], "the groups")
            let large = all.where { $0.body.json("sizes[0]", as: Int.self) > 3 && $0.body.hasJSON("address.city") }
            try expect(try await large.count(), equals: 3, "the count")
            try expect(try await large.update { $0.number.set(1) }, equals: 3, "the rows of an update")
            var results = large.observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await results.next(), equals: 3, "the first count")
            try await db.save(document("Köln", 9))
            try expect(try await results.next(), equals: 4, "the next count")
            for path in ["", "a.", ".a", "a[", "a[-1]", "a[x]", "a b", "\"a", "a..b", "\"a\\b\""] {
                try await expect(.syntax, from: "the path \(path)") {
                    _ = try await all.where { $0.body.json(path, as: Int.self) == 1 }.fetch()
                }
            }
            try await expect(.invalidValue, from: "a path into a number") {
                _ = try await all.where { $0.number.json("a", as: Int.self) == 1 }.fetch()
            }
        },
    ]
}
