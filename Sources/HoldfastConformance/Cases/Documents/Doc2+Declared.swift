import Foundation
import Holdfast
import HoldfastDocuments

/// Tables of documents whose paths are declared.
extension ConformanceCase {
    static let doc2Declared: [ConformanceCase] = [
        ConformanceCase(
            "doc-2.declared", "DOC-2", "A path that a table does not declare is an error, and so is another type",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let people = db.documents["people", .people]
            let ann: JSON = [
                "name": "Ann", "age": 34, "address": ["city": "Bonn"], "tags": ["red", "blue"], "member": true,
                "orders": [["price": 3.5, "sku": "A"]], "extra": ["deep": [1, ["x": "y"]]], "other": 1,
            ]
            // What is set is not checked.
            try await people.set(["ann": ann, "bob": ["name": "Bob", "age": "unknown"]])
            let found = people.where { $0["name"] == "Ann" && $0["age"] > 17 && $0["age", as: Double.self] < 34.5 }
                .where { $0["address.city"] == "Bonn" && $0["orders[0].price", as: Double.self] > 3 }
                .where { $0.value.json("tags", contains: "red") && $0["tags[1]"] == "blue" && $0["member"] == true }
                .where { $0["extra.deep[1].x"] == "y" && $0.has("address") && $0.has("orders[0]") }
                .where { !$0.value.json("orders.price", contains: 3) }
                .order { $0["name", as: String.self].ascending }
            try expect(try await found.documentKeys(), equals: ["ann"], "the keys")
            try expect(
                try await people.query.order { $0.key.ascending }.select { $0["age", as: Int.self] }.fetch(),
                equals: [34, nil], "the ages")
            func fails(
                _ code: DatabaseError.Code, _ part: String, line: Int = #line,
                _ operation: nonisolated(nonsending) (Query<Document>) async throws -> Void
            ) async throws {
                let error = try await expect(code, from: "a query that is refused", line: line) {
                    try await operation(people.query)
                }
                try expect(error.message.contains(part), "The message is: \(error.message)", line: line)
            }
            try await fails(.syntax, "Did you mean \"address.city\"?") {
                _ = try await $0.where { $0["adress.city"] == "Bonn" }.fetch()
            }
            try await fails(.syntax, "Did you mean \"address\"?") {
                _ = try await $0.where { $0.has("adress") }.exists()
            }
            try await fails(.syntax, "\"age.years\"") {
                _ = try await $0.order { $0["age.years", as: Int.self].ascending }.fetch()
            }
            try await fails(.syntax, "Did you mean \"name\"?") {
                _ = try await $0.select { $0["nam", as: String.self] }.fetch()
            }
            try await fails(.syntax, "\"tag\"") {
                _ = try await $0.where { $0.value.json("tag", contains: "red") }.count()
            }
            try await fails(.syntax, "Did you mean \"name\"?") { _ = try await $0.where("value.nane = 'Ann'").fetch() }
            try await fails(.syntax, "\"other\"") { _ = try await $0.where { $0.date("other") < .now }.delete() }
            try await fails(.syntax, "Did you mean \"age\"?") {
                _ = try await $0.order(by: [.ascending("value.agee")]).page(size: 2)
            }
            try await fails(.syntax, "\"address.zip\"") {
                _ = try await $0.update { $0.value.setJSON("address.zip", to: "53111") }
            }
            try await fails(.invalidValue, "as an integer") { _ = try await $0.where { $0["age"] == "34" }.fetch() }
            try await fails(.invalidValue, "as a number. Ask for a Double.") {
                _ = try await $0.where { $0["orders[0].price"] > 3 }.fetch()
            }
            try await fails(.invalidValue, "as an object") {
                _ = try await $0.where { $0["address"] == "Bonn" }.fetch()
            }
            try await fails(.invalidValue, "as a text") {
                _ = try await $0.where { $0.value.json("tags", contains: 1) }.fetch()
            }
            try expect(try await people.keys(), equals: ["ann", "bob"], "the keys at the end")
            try expect(try await people.get("ann", as: JSON.self), equals: ann, "the value at the end")
            try await found.update { $0.value.setJSON("address.city", to: "Köln") }
            try expect(
                try await people.get("ann", as: JSON.self)?["address"], equals: ["city": "Köln"], "what was changed")
            try await expect(.syntax, from: "a declaration of a path that is none") {
                _ = try await db.documents["people", ["a..b": .text]].query.fetch()
            }
            // Whoever declares nothing asks for what he likes.
            try expect(
                try await db.documents["people"].where { $0["other"] == 1 }.documentKeys(), equals: ["ann"],
                "the keys without a declaration")
        },
        ConformanceCase(
            "doc-2.declared-text", "DOC-2", "Condition text and orders by name have the declared types",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t", ["n": .integer, "x": .number, "y": .number, "w": .text, "f": .boolean]]
            var values: [String: JSON] = [:]
            for number in 0..<30 {
                values["k\(number)"] = [
                    "n": JSON(number % 4), "x": JSON(Double(number) / 2), "y": 3, "w": JSON(string: "w\(number % 3)"),
                ]
            }
            values["k0"] = ["n": "text", "x": true, "f": true]
            values["k1"] = ["n": 2.5, "w": .null]
            try await table.set(values)
            func found(_ condition: Condition) async throws -> [String] {
                try await table.query.where(condition).order { $0.key.ascending }.documentKeys()
            }
            try expect(try await found("value.x = 3"), equals: ["k6"], "the keys of a whole number among numbers")
            try expect(try await found("value.x > \(13)"), equals: ["k27", "k28", "k29"], "of greater ones")
            try expect(try await found("value.x > value.y AND value.x < 4"), equals: ["k7"], "of two paths")
            try expect(
                try await found("value.n = value.y AND value.x < 2"), equals: ["k3"], "of an integer and a number")
            try expect(try await found("value.n IN (2.5, 9)"), equals: ["k1"], "of a list")
            try expect(try await found("value.f"), equals: ["k0"], "of a truth value")
            try expect(
                try await found("value.w LIKE 'W1' AND value.x BETWEEN 2 AND 5"), equals: ["k10", "k4", "k7"],
                "of a pattern")
            let orders: [Ordering] = [.ascending("value.n"), .descending("value.w"), .descending("value.x")]
            let named = table.query.order(by: orders)
            let typed = table.query.order {
                [
                    $0["n", as: Int.self].ascending, $0["w", as: String.self].descending,
                    $0["x", as: Double.self].descending,
                ]
            }
            let keys = try await typed.documentKeys()
            try expect(try await named.documentKeys(), equals: keys, "the keys in order")
            var (paged, cursor): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try await named.page(size: 7, after: cursor)
                paged += page.objects.map(\.key)
                cursor = page.next
            } while cursor != nil
            try expect(paged, equals: keys, "the keys of pages")
            try await expect(.invalidValue, from: "a comparison with another type") {
                _ = try await found("value.w = 1")
            }
            try await expect(.invalidValue, from: "an order whose type nobody tells") {
                _ = try await db.documents["t"].query.order(by: orders).fetch()
            }
        },
    ]
}

extension DocumentPaths {
    fileprivate static let people: DocumentPaths = [
        "name": .text, "age": .integer, "address.city": .text, "tags": .text, "orders.price": .number,
        "orders.sku": .text, "extra": .anything, "member": .boolean,
    ]
}
