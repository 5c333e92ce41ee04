import Foundation
import Holdfast

/// Objects that are made and changed from dictionaries of property names and values.
extension ConformanceCase {
    static let opSaveDictionaries: [ConformanceCase] = [
        ConformanceCase(
            "op-save.from-values", "OP-SAVE",
            "An object is made of a dictionary, with converted values and defaults, and is new"
        ) { environment in
            let (form, same) = try await saveForm(environment)
            for form in [form, same] {
                try expect(form.title, equals: "t", "the title")
                try expect(form.count, equals: 7, "the count")
                try expect(form.small, equals: 5, "the small number")
                try expect(form.weight, equals: 2, "the weight")
                try expect(form.ratio, equals: 0.1, "the ratio")
                try expect(form.price, equals: Decimal(string: "12.5") ?? 0, "the price")
                try expect(form.isOpen, equals: false, "whether it is open")
                try expect(form.level, equals: .high, "the level")
            }
        },
        ConformanceCase(
            "op-save.from-values-of-all-types", "OP-SAVE",
            "Dates, UUIDs, URLs, Codable values, arrays and missing ones of a dictionary are those of the object"
        ) { environment in
            let (form, same) = try await saveForm(environment)
            for form in [form, same] {
                try expect(form.due, equals: Date(timeIntervalSince1970: 1.5), "the date")
                try expect(form.sent, equals: Date(timeIntervalSince1970: 3), "the other date")
                try expect(form.mark, equals: formMark, "the mark")
                try expect(form.page, equals: URL(string: "https://example.org/a"), "the page")
                try expect(form.place, equals: Form.Place(city: "Ulm"), "the place")
                try expect(form.tags, equals: ["new"], "the tags, which were not given")
                try expect(form.scores, equals: [1, 2], "the scores")
                try expect(form.series, equals: "s", "the series")
            }
        },
        ConformanceCase(
            "op-save.from-values-defaults", "OP-SAVE",
            "What a dictionary lacks has its default, also where a struct is made of it"
        ) { environment in
            let db = try await environment.open(Form.self, FormValue.self)
            let plain = try Form(
                values: ["title": "plain", "tags": [String](), "scores": nil])
            try expect(plain.count, equals: 1, "the default of the count")
            try expect(plain.tags, equals: [], "the tags")
            try expect(plain.weight == nil && plain.scores == nil && plain.series == nil, "Something is not nil.")
            let value = try FormValue(values: ["code": "a", "title": "x"])
            try expect(value, equals: FormValue(code: "a", title: "x"), "the struct")
            let whole = try FormValue(values: ["code": "b", "title": "x", "count": 9, "note": "n", "tags": ["t"]])
            try expect(
                try await db.save([value, whole]).map(\.count), equals: [3, 9], "the counts of the structs, saved")
            try expect(try await db.find(FormValue.self, key: "b"), equals: whole, "the struct, found")
        },
        ConformanceCase(
            "op-save.from-values-refused", "OP-SAVE", "A dictionary of which no object can be made says why"
        ) { environment in
            _ = try await environment.open(Form.self)
            try await expectRefusal(.syntax, "titel", of: ["titel": "x"])
            try await expectRefusal(.invalidValue, "title", of: [:])
            try await expectRefusal(.invalidValue, "title", of: ["title": nil])
            try await expectRefusal(.invalidValue, "title", of: ["title": 1])
            try await expectRefusal(.invalidValue, "count", of: ["title": "t", "count": "secret"])
            try await expectRefusal(.invalidValue, "count", of: ["title": "t", "count": 1.5])
            try await expectRefusal(.invalidValue, "count", of: ["title": "t", "count": true])
            let near = try await expect(.syntax, from: "an unknown name") { _ = try Form(values: ["titel": "x"]) }
            try expect(near.message.contains("\"title\""), "An error does not name what may have been meant.")
        },
        ConformanceCase(
            "op-save.from-values-misfits", "OP-SAVE",
            "A value of a dictionary that does not fit its property is refused, and not shown"
        ) { environment in
            _ = try await environment.open(Form.self)
            try await expectRefusal(.invalidValue, "small", of: ["title": "t", "small": 300])
            try await expectRefusal(.invalidValue, "isOpen", of: ["title": "t", "isOpen": 1])
            try await expectRefusal(.invalidValue, "level", of: ["title": "t", "level": "secret"])
            try await expectRefusal(.invalidValue, "due", of: ["title": "t", "due": 5])
            try await expectRefusal(.invalidValue, "weight", of: ["title": "t", "weight": Double.nan])
            try await expectRefusal(.invalidValue, "title", of: ["title": "secret\u{0}"])
            try await expectRefusal(.invalidValue, "tags", of: ["title": "t", "tags": ["a", 1] as [Any]])
            try await expectRefusal(.invalidValue, "place", of: ["title": "t", "place": "secret"])
        },
        ConformanceCase(
            "op-save.set-values", "OP-SAVE",
            "Properties are set from a dictionary, all or none, and what was set is saved"
        ) { environment in
            let db = try await environment.open(Form.self, FormValue.self)
            let form = Form("t", series: "s")
            form.weight = 1
            try await db.save(form)
            try form.setValues([
                "title": "u", "count": Int16(4), "weight": nil, "tags": ["a"], "level": Form.Level.high,
            ])
            try expect(form.isDirty, "What was set does not count as changed.")
            try await db.save(form)
            let same = try expect(some: try await db.find(Form.self, key: form.id ?? 0), "the form")
            try expect(same.title, equals: "u", "the title")
            try expect(same.count, equals: 4, "the count")
            try expect(same.weight, equals: nil, "the weight")
            try expect(same.tags, equals: ["a"], "the tags")
            try expect(same.level, equals: .high, "the level")
            let version = form.version
            for (code, values) in [
                (.invalidValue, ["title": "no", "count": "x"]), (.invalidValue, ["title": "no", "count": nil]),
                (.syntax, ["title": "no", "none": 1]), (.conflict, ["title": "no", "id": 99]),
                (.conflict, ["title": "no", "id": nil]), (.conflict, ["title": "no", "version": version + 1]),
                (.conflict, ["title": "no", "series": "other"]),
                (.invalidValue, ["title": "no", "weight": Double.nan]),
            ] as [(DatabaseError.Code, [String: Any?])] {
                try await expect(code, from: "setting \(values.keys.sorted())") { try form.setValues(values) }
                try expect(form.title, equals: "u", "the title after a refusal")
                try expect(!form.isDirty, "A refusal leaves a property changed.")
            }
            // What does not change is no conflict.
            try form.setValues(["id": form.id, "version": version, "series": "s"])
            try expect(!form.isDirty, "Keys that were set to what they are count as changed.")
            let fresh = Form("fresh")
            try fresh.setValues(["id": 1_000, "version": 5])
            try await db.insert(fresh)
            try expect(try await db.find(Form.self, key: 1_000)?.title, equals: "fresh", "the title by a given key")
            var value = FormValue(code: "a", title: "x")
            try value.setValues(["title": "y", "note": "n", "code": "a"])
            try expect(value, equals: FormValue(code: "a", title: "y", note: "n"), "the struct")
            try await expect(.conflict, from: "changing the key of a struct") {
                try value.setValues(["title": "z", "code": "b"])
            }
            try expect(value.title, equals: "y", "the title of the struct after a refusal")
        },
        ConformanceCase(
            "op-save.values-without-relations", "OP-SAVE",
            "A dictionary gives no relations but references, and an object is made without them",
            level: .graph
        ) { environment in
            let db = try await environment.open(Engineer.self, Badge.self, Whale.self, Basket.self)
            let engineer = try Engineer(values: ["name": "Ann", "age": 30])
            try expect(engineer.boss == nil && engineer.reviews.isEmpty && engineer.mentor == nil, "A relation is set.")
            engineer.boss = try Engineer(values: ["name": "Bob", "age": 50])
            try await db.save(engineer)
            try expect(try await db.count(Engineer.self), equals: 2, "the number of engineers")
            for name in ["boss", "reviews", "team"] {
                let error = try await expect(.unsupported, from: "setting a relation") {
                    try engineer.setValues(["name": "no", name: nil])
                }
                try expect(error.properties, equals: [name], "the properties of the error")
            }
            try expect(engineer.name, equals: "Ann", "the name after a refusal")
            try engineer.setValues(["mentor": engineer.boss?.id])
            try await db.save(engineer)
            try expect(try await engineer.mentor?.load(from: db)?.name, equals: "Bob", "the mentor")
            try await expect(.unsupported, from: "making an object that needs another") {
                _ = try Badge(values: ["isValid": false])
            }
            let basket = try Basket(values: ["owner": "Ann"])
            try expect(basket, equals: Basket("Ann"), "a struct with relations")
            // An object is treated as one of its own class.
            let whale = try Whale(values: ["name": "Moby", "legs": 0, "depth": 3])
            let animal: Animal = whale
            try animal.setValues(["name": "Dick", "depth": 4.5])
            try expect(whale.depth, equals: 4.5, "a property of the subclass")
            try await db.save(animal)
            try expect(try await db.fetch(Whale.self).map(\.name), equals: ["Dick"], "the names of whales")
        },
    ]

    private static let formMark = UUID()

    /// Makes an object of a dictionary with a value of each type.
    ///
    /// - Returns: The object, saved, and the same as it was loaded.
    private static func saveForm(_ environment: ConformanceEnvironment) async throws -> (form: Form, same: Form) {
        let db = try await environment.open(Form.self)
        let form = try Form(values: [
            "title": "t", "count": 7, "small": 5, "weight": 2, "ratio": 0.1, "price": 12.5, "isOpen": false,
            "level": "high", "due": Date(timeIntervalSince1970: 1.5), "sent": Date(timeIntervalSince1970: 3),
            "mark": formMark, "page": "https://example.org/a", "place": Form.Place(city: "Ulm"),
            "scores": [1, 2], "series": "s",
        ])
        try expect(form.isDirty, "An object that was just made is not new.")
        try await db.save(form)
        let same = try expect(some: try await db.find(Form.self, key: form.id ?? 0), "the form")
        return (form, same)
    }

    /// Expects that no object can be made of a dictionary, for a property of it.
    private static func expectRefusal(
        _ code: DatabaseError.Code, _ property: String, of values: [String: Any?], line: Int = #line
    ) async throws {
        let error = try await expect(code, from: "making a form (\(property))", line: line) {
            _ = try Form(values: values)
        }
        try expect(error.properties, equals: [property], "the properties of the error", line: line)
        try expect(error.table, equals: "form", "the table of the error", line: line)
        try expect(!error.debugDescription.contains("secret"), "An error shows a value.", line: line)
    }
}
