import Foundation
import Holdfast

/// Questions about what is inside documents.
extension ConformanceCase {
    static let qry3: [ConformanceCase] = [
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
        ConformanceCase(
            "qry-3.elements", "QRY-3",
            "Elements of arrays inside random documents, and kinds of values, are as in memory",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            var random = SplitMix64(state: environment.seed)
            let documents = (0..<200).map { _ in AnyDocument(.random(3, &random)) }
            try await db.save(documents)
            let all = db.query(AnyDocument.self)
            let body = Columns<AnyDocument>().body
            func check(_ condition: Condition, _ isFound: (AnyJSON) -> Bool, _ what: String) async throws {
                let found = try await all.where(condition).keys()
                let expected = documents.filter { isFound($0.body) }.compactMap { $0.id }.map { Key($0) }
                try expect(found, equals: expected, "what is found by \(what)")
                let others = try await all.where(!condition).count()
                try expect(others, equals: documents.count - expected.count, "what is not found by \(what)")
            }
            try await check(body.json(contains: "7"), { $0.elements.contains { $0.asText == "7" } }, "a text")
            try await check(body.json(contains: 7), { $0.elements.contains { $0.asInteger == 7 } }, "an integer")
            for round in 0..<80 {
                let path = AnyJSON.randomPath(&random)
                let (text, steps) = (path.text, path.steps)
                func elements(_ document: AnyJSON) -> [AnyJSON] { document.value(at: steps)?.elements ?? [] }
                for value in ["7", "a", ""] {
                    try await check(
                        body.json(text, contains: value), { elements($0).contains { $0.asText == value } },
                        "a text in \(text) in round \(round)")
                }
                for value in [7, 0, Int.max] {
                    try await check(
                        body.json(text, contains: value), { elements($0).contains { $0.asInteger == value } },
                        "an integer in \(text) in round \(round)")
                }
                for value in [0.5, 7, 1e300] {
                    try await check(
                        body.json(text, contains: value), { elements($0).contains { $0.asReal == value } },
                        "a number in \(text) in round \(round)")
                }
                try await check(
                    body.json(text, contains: true), { elements($0).contains { $0.asBoolean == true } },
                    "a truth value in \(text) in round \(round)")
                for kind in JSONKind.allCases {
                    try await check(
                        body.hasJSON(text, kind), { $0.value(at: steps)?.kind == kind },
                        "the kind \(kind) of \(text) in round \(round)")
                }
            }
        },
        ConformanceCase(
            "qry-3.kinds", "QRY-3", "Null is told from what is missing, in documents and of a property that is nil",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(AnyDocument.self)
            let documents = [
                AnyDocument(.object(["tags": .array([.text("x"), .integer(7), .null])])),
                AnyDocument(.object(["tags": .null])), AnyDocument(.object(["tags": .text("x")])),
                AnyDocument(.object(["tags": .object(["x": .text("x")])])), AnyDocument(.object([:])),
                AnyDocument(.array([.text("x")])), AnyDocument(.null),
            ]
            documents[0].spare = documents[0].body
            try await db.save(documents)
            func found(_ condition: (Columns<AnyDocument>) -> Condition) async throws -> [Int] {
                let keys = try await db.query(AnyDocument.self).where(condition(Columns())).fetch().map(\.id)
                return documents.indices.filter { keys.contains(documents[$0].id) }
            }
            try expect(try await found { $0.body.json("tags", contains: "x") }, equals: [0], "an array with a text")
            try expect(try await found { $0.body.json("tags", contains: 7) }, equals: [0], "an array with a number")
            try expect(try await found { $0.body.json("tags", contains: "7") }, equals: [], "an array with digits")
            try expect(try await found { $0.body.json(contains: "x") }, equals: [5], "a property that is an array")
            try expect(try await found { $0.spare.json("tags", contains: 7) }, equals: [0], "an optional property")
            try expect(
                try await found { !$0.spare.json("tags", contains: 7) }, equals: [1, 2, 3, 4, 5, 6], "none of them")
            try expect(try await found { $0.body.hasJSON("tags", .null) }, equals: [1], "null")
            try expect(try await found { !$0.body.hasJSON("tags") }, equals: [4, 5, 6], "nothing")
            try expect(try await found { $0.body.hasJSON("tags", .object) }, equals: [3], "an object")
            try expect(
                try await found { $0.body.json("[0]", as: String.self) == "x" }, equals: [5], "the first of an array")
            try await expect(.invalidValue, from: "an element of a number") {
                _ = try await db.query(AnyDocument.self).where { $0.number.json(contains: 1) }.fetch()
            }
            try await expect(.invalidValue, from: "an element that is no number") {
                _ = try await db.query(AnyDocument.self).where { $0.body.json("a", contains: Double.nan) }.fetch()
            }
        },
        ConformanceCase(
            "qry-3.numbers", "QRY-3",
            "A number in a document is the integer that it says exactly, and the nearest Double, however it is written",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(Sent.self)
            let integers: [(String, Int64?)] = [
                ("7", 7), ("7.0", 7), ("70e-1", 7), ("0.07E+2", 7), ("-7.00", -7), ("7.5", nil), ("0", 0), ("-0.0", 0),
                ("0e5", 0), ("1e2", 100), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("1e300", nil),
                ("1e-400", nil), ("5e-324", nil), ("1.00000000000000000001", nil), ("9007199254740991.4", nil),
                ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
                ("9.007199254740993e15", 9_007_199_254_740_993), ("-9.007199254740993E+15", -9_007_199_254_740_993),
                ("9223372036854775807", .max), ("9223372036854775807.0", .max), ("9223372036854775808", nil),
                ("-9223372036854775808", .min), ("-9.223372036854775808e18", .min),
                ("1.2345678901234567e17", 123_456_789_012_345_670),
            ]
            let reals = [
                "7", "7.5", "1e18", "1e-400", "2e-324", "3e-324", "5e-324", "-5e-324", "1e-310",
                "2.2250738585072014e-308", "1e300", "-1e300", "1e-307", "0.1", "123456789.125",
            ]
            for (text, integer) in integers + reals.map({ ($0, nil) }) {
                let form = Sent()
                form.extra = try JSON(parsing: "{\"n\": \(text), \"list\": [null, \(text)]}")
                try await db.save(form)
                let id = try expect(some: form.id, "the key")
                let all = db.query(Sent.self).where { $0.hasKey(id) }
                if !reals.contains(text) || integer != nil {
                    let found = try await all.select { $0.extra.json("n", as: Int64.self) }.first()
                    try expect(found, equals: integer, "\(text) as an integer")
                    try expect(form.extra["n"]?.integer, equals: integer, "\(text) as an integer in memory")
                    if let integer {
                        let contains = all.where { $0.extra.json("list", contains: integer) }
                        try expect(try await contains.count(), equals: 1, "the arrays with \(text)")
                        let decoded = try form.extra.decode([String: AnyJSON].self)["n"]
                        try expect(decoded?.asInteger, equals: Int(integer), "\(text) as it is decoded")
                        let read = try expect(some: try await db.find(Sent.self, key: id), "the object")
                        try expect(read.extra == form.extra, "\(text) came back as another number.")
                        try expect(read.extra["n"]?.integer, equals: integer, "\(text) as it is read")
                    }
                }
                let real = try await all.select { $0.extra.json("n", as: Double.self) }.first()
                try expect(real, equals: Double(text), "\(text) as a Double")
                let contains = all.where { $0.extra.json("list", contains: Double(text) ?? .nan) }
                try expect(try await contains.count(), equals: 1, "the arrays with \(text) as a Double")
                let doubles = try form.extra.decode(Numbers.self)
                try expect(doubles.n, equals: Double(text) ?? .nan, "\(text) as a Double that is decoded")
            }
        },
    ]

    private struct Numbers: Decodable { var n: Double }
}
