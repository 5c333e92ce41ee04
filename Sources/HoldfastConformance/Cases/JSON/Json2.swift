import Foundation
import Holdfast

/// Objects that are made and changed from JSON.
extension ConformanceCase {
    static let json2: [ConformanceCase] = [
        ConformanceCase(
            "json-2.scalars", "JSON-2", "What an object is as JSON, it is again when it is read from that"
        ) { environment in
            let db = try await environment.open(Scalars.self, OptionalScalars.self)
            var random = SplitMix64(state: environment.seed)
            let values = try [Scalars(id: 0)] + (1...20).map { try Scalars.random(id: $0, using: &random) }
            _ = try await db.insert(values)
            var all = Scalars.settable
            all.append(\.id)
            for value in try await db.fetch(Scalars.self) {
                let json = try value.json()
                // The text is what is sent.
                let sent = try JSON(parsing: json.text)
                var same = Scalars(id: value.id)
                try same.setValues(json: sent, allowing: Scalars.settable)
                try expect(same, equals: value, "what was read from JSON, \(environment.seed)")
                try expect(try Scalars(json: sent, allowing: all), equals: value, "what was made of it")
                var optional = OptionalScalars(id: value.id)
                try optional.setValues(json: sent, allowing: OptionalScalars.settable)
                try expect(optional, equals: OptionalScalars(value), "what may be nil")
                let nothing = try OptionalScalars(id: value.id).json()
                try optional.setValues(json: nothing, allowing: OptionalScalars.settable)
                try expect(optional, equals: OptionalScalars(id: value.id), "what is nil")
            }
            let changed = try Scalars.random(id: 0, using: &random)
            var first = values[0]
            try first.setValues(json: changed.json(), allowing: Scalars.settable)
            let saved = try await db.save(first)
            try expect(try await db.find(Scalars.self, key: 0), equals: saved, "what was saved of JSON")
        },
        ConformanceCase("json-2.arrays", "JSON-2", "Arrays are read from JSON, nil apart from empty") { environment in
            let db = try await environment.open(Arrays.self, OptionalArrays.self)
            var random = SplitMix64(state: environment.seed)
            let values = try (0..<3).map { try Scalars.random(id: $0, using: &random) }
            let (none, full) = (Arrays(id: 1), Arrays(id: 2, values))
            _ = try await db.insert([none, full])
            for array in try await db.fetch(Arrays.self) {
                let sent = try JSON(parsing: array.json().text)
                var same = Arrays(id: array.id, values)
                try same.setValues(json: sent, allowing: Arrays.settable)
                try expect(same, equals: array, "what was read from JSON, \(environment.seed)")
            }
            let optionals = [OptionalArrays(id: 1), OptionalArrays(id: 2, []), OptionalArrays(id: 3, values)]
            _ = try await db.insert(optionals)
            for array in try await db.fetch(OptionalArrays.self) {
                let sent = try JSON(parsing: array.json().text)
                for other in optionals {
                    var same = OptionalArrays(id: array.id)
                    same.string = other.string
                    try same.setValues(json: sent, allowing: OptionalArrays.settable)
                    try expect(same, equals: array, "what may be nil, \(environment.seed)")
                }
            }
        },
        ConformanceCase(
            "json-2.storages", "JSON-2", "JSON is read in the same way however a column stores it"
        ) { environment in
            let (_, sent, found) = try await saveSent(environment)
            for sent in [sent, found] {
                try expect(sent.extra, equals: .null, "null that is a value")
                try expect(sent.detail?["a"]?[2]?.string, equals: "é", "a value inside")
                try expect(sent.place, equals: Address(street: "S"), "a Codable value")
                try expect(sent.places.map(\.unit), equals: ["u"], "Codable values")
                try expect(!sent.isOpen && sent.isPaid == true && sent.flags == [true, false], "truth values")
                try expect(sent.price, equals: Decimal(string: "12.5") ?? 0, "a scaled decimal")
                try expect(sent.rate, equals: Decimal(string: "1.25"), "a decimal as text")
                try expect(sent.weights, equals: [Decimal(string: "0.125") ?? 0], "scaled decimals")
                try expect(sent.prices[1].description, equals: "12345678901234567890.123456789", "all digits")
                try expect(sent.prices[2], equals: 100, "a decimal with an exponent")
                try expect(sent.scores, equals: [1, nil, 2.5], "numbers, one of them nil")
            }
        },
        ConformanceCase(
            "json-2.dates-and-uuids", "JSON-2",
            "Dates and UUIDs are read from JSON in one form, whatever the form in which a column stores them"
        ) { environment in
            let (_, sent, found) = try await saveSent(environment)
            let micro = Date(timeIntervalSince1970: 1_795_253_400.123456)
            for sent in [sent, found] {
                for other in [sent.day, sent.moment, sent.since1970, sent.since2001, sent.days?.first] {
                    try expect(abs(other?.timeIntervalSince(micro) ?? 1) < 0.000_001, "A date is \(other as Any).")
                }
                try expect(sent.second, equals: Date(timeIntervalSince1970: 1_795_253_400), "whole seconds")
                try expect(sent.instants, equals: [Date(timeIntervalSince1970: 1_795_253_400)], "many of them")
                try expect(
                    sent.lower == UUID(uuidString: sentMark) && sent.upper == sent.lower, "A UUID is another one.")
                try expect(sent.marks, equals: [sent.lower].compactMap(\.self), "UUIDs in one column")
            }
        },
        ConformanceCase(
            "json-2.whole", "JSON-2", "What an object is as JSON is read again, and set back to what a new object is"
        ) { environment in
            let (db, sent, found) = try await saveSent(environment)
            let again = Sent()
            try again.setValues(json: try found.json(omitting: [\.id]), allowing: Sent.settable)
            try expect(try again.json(omitting: [\.id]), equals: try found.json(omitting: [\.id]), "all as JSON")
            try found.setValues(json: try Sent().json(omitting: [\.id]), allowing: Sent.settable)
            try await db.save(found)
            let empty = try expect(some: try await db.find(Sent.self, key: sent.id ?? 0), "what was emptied")
            try expect(try empty.json(omitting: [\.id]), equals: try Sent().json(omitting: [\.id]), "nothing as JSON")
        },
        ConformanceCase(
            "json-2.patch", "JSON-2",
            "What is sent is set, and what is not stays, of objects and structs"
        ) { environment in
            let db = try await environment.open(Form.self, FormValue.self)
            let allowed: [PartialKeyPath<Form>] = [\.title, \.count, \.weight, \.tags, \.place, \.series]
            let form = try Form(
                json: ["title": "t", "count": 7, "place": ["city": "Ulm"], "series": "s"], allowing: allowed)
            try expect(form.count == 7 && form.tags == ["new"] && form.place?.city == "Ulm", "Something is not set.")
            try expect(form.isDirty, "An object that was just made is not new.")
            form.weight = 1
            try await db.save(form)
            try form.setValues(json: ["title": "u", "weight": .null], allowing: allowed)
            try expect(form.isDirty, "What was set does not count as changed.")
            try await db.save(form)
            let same = try expect(some: try await db.find(Form.self, key: form.id ?? 0), "the form")
            try expect(same.title == "u" && same.weight == nil && same.count == 7, "A patch is not what was saved.")
            try same.setValues(json: [:], allowing: [])
            try expect(!same.isDirty, "A patch of nothing changes something.")
            // A whole object that comes back.
            let whole = try same.json(omitting: [
                \.small, \.ratio, \.price, \.isOpen, \.level, \.due, \.sent, \.mark, \.page, \.scores,
            ])
            try same.setValues(json: whole.merging(["title": "v"]), allowing: allowed)
            try expect(same.title, equals: "v", "the title")
            try await db.save(same)
            var value = try FormValue(json: ["code": "a", "title": "x"], allowing: [\.code, \.title, \.note])
            try value.setValues(json: ["code": "a", "note": "n"], allowing: [\.title, \.note])
            try expect(value, equals: FormValue(code: "a", title: "x", note: "n"), "the struct")
        },
        ConformanceCase(
            "json-2.patch-refused", "JSON-2",
            "Another key, an older version, and what may not be set are refused, and nothing is set"
        ) { environment in
            let db = try await environment.open(Form.self, FormValue.self)
            let allowed: [PartialKeyPath<Form>] = [\.title, \.count, \.weight, \.tags, \.place, \.series]
            let same = try Form(json: ["title": "t", "series": "s"], allowing: allowed)
            try await db.save(same)
            let (id, version) = (JSON(same.id ?? 0), JSON(same.version))
            try same.setValues(json: ["title": "v"], allowing: allowed)
            try await db.save(same)
            try await expect(.staleVersion, from: "an older version") {
                try same.setValues(json: ["title": "no", "id": id, "version": version], allowing: allowed)
            }
            try await expect(.staleVersion, from: "an older version, though it may be set") {
                try same.setValues(json: ["title": "no", "version": version], allowing: [\.title, \.version])
            }
            try await expect(.staleVersion, from: "a new object with a version") {
                _ = try Form(json: ["title": "no", "version": 9], allowing: allowed)
            }
            _ = try Form(json: ["title": "x", "id": .null, "version": 1], allowing: allowed)
            for (name, value) in [("id", 99), ("series", "other"), ("small", 1), ("none", 1)] as [(String, JSON)] {
                let error = try await expect(.invalidValue, from: "setting \(name)") {
                    try same.setValues(json: JSON(["title": "no", name: value]), allowing: allowed)
                }
                try expect(error.properties, equals: [name], "the property of the error")
                try expect(error.httpStatus, equals: 422, "the status")
            }
            try expect(same.title == "v" && !same.isDirty, "A refusal leaves something changed.")
            let near = try await expect(.invalidValue, from: "a misspelled name") {
                try same.setValues(json: ["titel": "x"], allowing: allowed)
            }
            try expect(near.message.contains("\"title\""), "An error does not name what may have been meant.")
            for text in ["[]", "null", "\"title\"", "7"] {
                let error = try await expect(.invalidValue, from: "no object") {
                    try same.setValues(json: try JSON(parsing: text), allowing: allowed)
                }
                try expect(error.httpStatus, equals: 422, "the status")
            }
            var value = try FormValue(json: ["code": "a", "title": "x"], allowing: [\.code, \.title])
            try await expect(.invalidValue, from: "changing the key of a struct") {
                try value.setValues(json: ["code": "b"], allowing: [\.code])
            }
            try await expect(.invalidValue, from: "what is missing") {
                _ = try FormValue(json: ["code": "c"], allowing: [\.code, \.title])
            }
        },
        ConformanceCase(
            "json-2.refused", "JSON-2", "A value of another kind, or out of range, is refused without being shown"
        ) { environment in
            _ = try await environment.open(Form.self, Sent.self)
            func expectRefusal(
                _ name: String, _ text: String, _ set: (JSON) throws -> Void, line: Int = #line
            ) async throws {
                let error = try await expect(.invalidValue, from: "\(name) from \(text)", line: line) {
                    try set(try JSON(parsing: "{\"\(name)\": \(text)}"))
                }
                try expect(error.properties, equals: [name], "the properties of the error", line: line)
                try expect(!error.debugDescription.contains("ecret"), "An error shows a value.", line: line)
            }
            let form = Form("t")
            let allowed: [PartialKeyPath<Form>] = [
                \.title, \.count, \.small, \.weight, \.ratio, \.price, \.isOpen, \.level, \.due, \.sent, \.mark, \.page,
                \.place, \.tags, \.scores,
            ]
            for (name, text) in [
                ("title", "null"), ("title", "1"), ("title", "[\"secret\"]"), ("count", "\"1\""), ("count", "1.5"),
                ("count", "true"), ("count", "9223372036854775808"), ("count", "null"), ("small", "300"),
                ("small", "-129"), ("weight", "\"1\""), ("ratio", "1e39"), ("price", "\"1\""),
                ("price", "1234567890123456789012345678901234567890123"), ("price", "1e300"), ("isOpen", "1"),
                ("isOpen", "\"true\""), ("level", "\"secret\""), ("level", "1"), ("due", "5"), ("due", "\"secret\""),
                ("due", "\"2026-02-30T00:00:00Z\""), ("due", "\"2026-11-21\""), ("sent", "\"2026-11-21 09:30\""),
                ("mark", "\"secret\""), ("page", "\"http://secret host/\""), ("place", "\"secret\""),
                ("place", "{\"secret\": 1}"), ("tags", "null"), ("tags", "\"secret\""), ("tags", "[1]"),
                ("tags", "[null]"), ("scores", "[\"1\"]"), ("scores", "{}"),
            ] {
                try await expectRefusal(name, text) { try form.setValues(json: $0, allowing: allowed) }
            }
            let sent = Sent()
            for (name, text) in [
                ("isOpen", "\"Y\""), ("isPaid", "1"), ("price", "1.125"), ("rate", "\"secret\""), ("rate", "true"),
                ("second", "1"), ("upper", "\"secret\""), ("marks", "[\"secret\"]"), ("days", "[1]"),
                ("flags", "[1]"), ("weights", "[0.0001]"),
            ] {
                try await expectRefusal(name, text) { try sent.setValues(json: $0, allowing: Sent.settable) }
            }
            try expect(form.title == "t" && form.count == 1 && sent.isOpen, "A refusal leaves something changed.")
        },
        ConformanceCase(
            "json-2.references", "JSON-2",
            "References are set by keys, from JSON and from dictionaries, and no statement is run",
            level: .graph
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Bill.self) { probe.attach(to: &$0) }
            let buyers = ["ann@example.org", "bob@example.org"].map { Buyer($0, "N") }
            let place = Place("DE", -3, UUID(), name: "Bonn")
            let device = Token(id: UUID())
            let quote = Quote(Date(timeIntervalSince1970: 1_700_000_000.25), 2)
            let shift = Shift(Date(timeIntervalSince1970: 1_700_000_000), "early")
            try await db.save(buyers)
            try await db.insert(place)
            _ = try await db.insert(device)
            try await db.insert(quote)
            try await db.insert(shift)
            _ = probe.take()
            let bill = try Bill(
                json: ["debtor": "ann@example.org", "issuer": "bob@example.org"], allowing: Bill.references)
            try bill.setValues(
                json: [
                    "payer": "bob@example.org", "witnesses": ["bob@example.org", "ann@example.org", "bob@example.org"],
                    "place": ["DE", -3, JSON(string: place.token.uuidString.lowercased())],
                    "device": JSON(string: device.id.uuidString), "opening": ["2023-11-14T22:13:20.25Z", 2],
                    "shift": "2023-11-14T23:13:20+01:00", "issuer": "bob@example.org",
                ], allowing: Bill.references)
            try expect(probe.take(), equals: [], "the statements")
            try await db.save(bill)
            let found = try expect(some: try await db.find(Bill.self, key: bill.id ?? 0), "the bill")
            for bill in [bill, found] {
                try expect(bill.debtor == Reference(key: "ann@example.org"), "The debtor is another one.")
                try expect(bill.payer?.key == Key("bob@example.org"), "The payer is another one.")
                try expect(bill.witnesses.compactMap(\.key?.string).map(\.first), equals: ["b", "a", "b"], "witnesses")
                try expect(try await bill.place?.load(from: db)?.name, equals: "Bonn", "the place")
                try expect(try await bill.device?.load(from: db), equals: device, "the device")
                try expect(try await bill.opening?.load(from: db)?.number, equals: 2, "the quote")
                try expect(try await bill.shift?.load(from: db)?.name, equals: "early", "the shift")
            }
            // What is written is read.
            let again = try Bill(
                json: try found.json(omitting: [\.id, \.seller, \.lines]), allowing: Bill.references)
            try expect(try again.json(omitting: [\.id]), equals: try found.json(omitting: [\.id]), "all as JSON")
            try found.setValues(
                json: ["payer": .null, "witnesses": [], "place": .null, "opening": .null], allowing: Bill.references)
            try await db.save(found)
            try await db.reload(bill)
            try expect(bill.payer == nil && bill.place == nil && bill.witnesses.isEmpty, "A reference is left.")
            // A dictionary has keys, their values, or references.
            try bill.setValues([
                "debtor": "bob@example.org", "payer": Reference(buyers[0]),
                "place": Key("DE", -3 as Int32, place.token),
                "witnesses": ["ann@example.org", Key("bob@example.org")] as [Any], "device": nil, "shift": shift.start,
            ])
            try await db.save(bill)
            try await db.reload(found)
            try expect(found.debtor == Reference(buyers[1]) && found.payer == Reference(buyers[0]), "A key is another.")
            try expect(found.witnesses == buyers.map { Reference($0) }, "The witnesses are others.")
            try expect(found.device == nil && found.place != nil && found.shift != nil, "A reference is not set.")
        },
        ConformanceCase(
            "json-2.references-refused", "JSON-2",
            "What is no key of a reference's target is refused, and a key that leads to no row by the database",
            level: .graph
        ) { environment in
            let db = try await environment.open(Bill.self)
            try await db.save(["ann@example.org", "bob@example.org"].map { Buyer($0, "N") })
            let bill = try Bill(
                json: ["debtor": "ann@example.org", "issuer": "bob@example.org"], allowing: Bill.references)
            try await db.save(bill)
            var everything = Bill.references
            everything += [\.seller, \.lines] as [PartialKeyPath<Bill>]
            for (name, value) in [
                ("debtor", 7), ("debtor", .null), ("debtor", ["ann@example.org"]), ("payer", true),
                ("place", ["DE", -3]), ("place", ["DE", -3, "secret"]), ("place", ["DE", 3_000_000_000, "secret"]),
                ("place", "secret"), ("device", "secret"), ("opening", [1, 2]), ("witnesses", "ann@example.org"),
                ("witnesses", [.null]), ("seller", "ann@example.org"), ("lines", [1]), ("issuer", "ann@example.org"),
            ] as [(String, JSON)] {
                let error = try await expect(.invalidValue, from: "\(name) from \(value)") {
                    try bill.setValues(json: JSON([name: value]), allowing: everything)
                }
                try expect(error.properties, equals: [name], "the property of the error")
                try expect(!error.debugDescription.contains("secret"), "An error shows a value.")
            }
            for (name, value) in [("debtor", 7), ("payer", Key(1, 2)), ("place", "DE")] as [(String, any Sendable)] {
                try await expect(.invalidValue, from: "\(name) from a dictionary") {
                    try bill.setValues([name: value])
                }
            }
            try bill.setValues(json: ["payer": "nobody@example.org"], allowing: [\.payer])
            try await expect(.foreignKeyViolation, from: "a key that leads to no row") { try await db.save(bill) }
        },
        ConformanceCase(
            "json-2.hierarchies", "JSON-2", "JSON for an object is for one of its own class", level: .graph
        ) { environment in
            let db = try await environment.open(Whale.self)
            let whale = try Whale(json: ["name": "Moby", "legs": 0, "depth": 3], allowing: [\.name, \.legs, \.depth])
            let animal: Animal = whale
            try animal.setValues(json: ["name": "Dick"], allowing: [\.name])
            try await expect(.invalidValue, from: "a property that is not allowed") {
                try animal.setValues(json: ["depth": 4], allowing: [\.name])
            }
            try await db.save(animal)
            try expect(try await db.fetch(Whale.self).map(\.name), equals: ["Dick"], "the names of whales")
        },
    ]

    private static let sentDate = "2026-11-21T10:30:00.123456+01:00"
    private static let sentMark = "6Ba7b810-9dad-11d1-80b4-00c04fd430c8"

    /// Makes an object of JSON with a value for each storage.
    ///
    /// - Returns: A database with the object, the object, and the same as it was loaded.
    private static func saveSent(_ environment: ConformanceEnvironment) async throws -> (Database, Sent, found: Sent) {
        let db = try await environment.open(Sent.self)
        let body = try JSON(
            parsing: """
                {"extra": null, "detail": {"a": [1, null, "é"]}, "place": {"street": "S", "lines": [], "flags": {}},
                 "places": [{"street": "a", "lines": [1], "flags": {"x": true}, "unit": "u"}],
                 "isOpen": false, "isPaid": true, "price": 12.5, "rate": 0.125e1, "name": "n",
                 "day": "\(sentDate)", "moment": "\(sentDate)", "second": "\(sentDate)", "millisecond": "\(sentDate)",
                 "since1970": "\(sentDate)", "since2001": "\(sentDate)", "julian": "\(sentDate)",
                 "lower": "\(sentMark)", "upper": "\(sentMark)", "marks": ["\(sentMark)"], "days": ["\(sentDate)"],
                 "prices": [1.50, 12345678901234567890.123456789, 1e2], "flags": [true, false],
                 "weights": [0.125], "instants": ["\(sentDate)"], "scores": [1, null, 2.5]}
                """)
        let sent = try Sent(json: body, allowing: Sent.settable)
        try await db.save(sent)
        let found = try expect(some: try await db.find(Sent.self, key: sent.id ?? 0), "what was saved")
        return (db, sent, found)
    }
}
