import Foundation
import Holdfast

/// Objects as JSON.
extension ConformanceCase {
    static let json1: [ConformanceCase] = [
        graph(
            "json-1.unloaded", "JSON-1", "JSON has the keys of references that were not loaded, and they are read back"
        ) { environment in
            let db = try await environment.open(Venture.self, Ticket.self)
            let key = try await saveVenture(db)
            let whole = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            let lead = try expect(some: whole.lead?.id, "the key of the lead")
            let bare = try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture alone")
            try expect(
                try bare.json().text, equals: #"{"id":\#(key),"name":"v","tags":["a","b"],"lead":\#(lead)}"#, "JSON")
            try expect(try bare.json(including: ["lead"])["lead"]?.integer, equals: lead, "the key along a path")
            try expect(try bare.json(omitting: [\.lead])["lead"] == nil, "What is to be left out is there.")
            try await db.save(Ticket(Seat(row: "a", number: 3)))
            try await db.save(Ticket(nil))
            let tickets = try await db.query(Ticket.self).depth(0).order { $0.id.ascending }.fetch()
            try expect(try tickets[0].json()["seat"], equals: ["a", 3], "a key with two parts")
            try expect(try tickets[1].json()["seat"], equals: .null, "nothing")
            let sparse = try await db.query(Venture.self).properties(\.name).where { $0.id == key }.one()
            try expect(try sparse.json().text, equals: #"{"id":\#(key),"name":"v"}"#, "what the query asked for")

            // What was sent comes back as it was, or with a change.
            for venture in [bare, whole] {
                for allowed in [[\.name], [\.name, \.lead]] as [[PartialKeyPath<Venture>]] {
                    let sent = try venture.json(omitting: [\.tags, \.gatherings, \.stages, \.contracts])
                    try venture.setValues(json: sent, allowing: allowed)
                    try expect(!venture.isDirty, "What was read back is a change.")
                    try expect(try venture.key(of: \.lead), equals: Key(lead), "the key of the lead")
                    for value in [JSON.null, 12_345, "x", [1, 2]] {
                        try await expect(.invalidValue, from: "another key") {
                            try venture.setValues(json: JSON(["name": "changed", "lead": value]), allowing: allowed)
                        }
                    }
                }
            }
            try expect(!bare.isDirty && bare.name == "v", "A refusal leaves something changed.")
            try tickets[0].setValues(json: ["seat": ["a", 3]], allowing: [])
            try tickets[1].setValues(json: ["seat": .null], allowing: [])
            try await expect(.invalidValue, from: "a key in place of nothing") {
                try tickets[1].setValues(json: ["seat": ["a", 3]], allowing: [])
            }
        },
        ConformanceCase(
            "json-1.relations", "JSON-1", "An object is JSON with the keys of what it leads to, or with that",
            level: .graph
        ) { environment in
            let db = try await environment.open(Board.self)
            let board = Board("plan \"A\"", rank: 3)
            board.tags = ["x", "é"]
            board.cards = [Slip("one"), Slip("two")]
            board.cards[0].color = SlipColor("red")
            try expect(
                try board.json().text,
                equals: #"{"id":null,"title":"plan \"A\"","rank":3,"tags":["x","é"],"cards":[null,null]}"#,
                "a new object")
            try await db.save(board)
            let key = try expect(some: board.id, "the key")
            let found = try expect(some: try await db.find(Board.self, key: Key(key)), "the board")
            let (first, second) = (found.cards[0].id ?? 0, found.cards[1].id ?? 0)
            try expect(
                try found.json(omitting: [\.rank]).text,
                equals: #"{"id":\#(key),"title":"plan \"A\"","tags":["x","é"],"cards":[\#(first),\#(second)]}"#,
                "the keys of relations")
            try expect(
                try found.json(including: ["cards"], omitting: [\.title, \.rank, \.tags]).text,
                equals: #"{"id":\#(key),"cards":[{"id":\#(first),"text":"one","color":"red"},"#
                    + #"{"id":\#(second),"text":"two","color":null}]}"#, "the objects of a relation")
            try expect(
                try found.json(including: ["cards.color"])["cards"]?[0]?["color"]?["code"]?.integer, equals: 0,
                "the object at the end of a path")
            _ = try await expect(.invalidValue, from: "a path that is no relation") {
                _ = try found.json(including: ["rank"])
            }
            let bare = try expect(some: try await db.query(Board.self).depth(0).first(), "the board alone")
            try expect(try bare.json()["cards"] == nil, "What was not loaded is in the JSON.")
            let page = try await db.query(Board.self).page(size: 1)
            let json = try page.json(omitting: [\.cards], total: 1)
            try expect(json["objects"]?[0]?["id"]?.integer, equals: key, "an object of a page")
            try expect(json["next"], equals: .null, "the token of the next page")
            try expect(json["total"]?.integer, equals: 1, "the total")
            try await db.save(Board("plan B", rank: 4))
            let beginning = try await db.query(Board.self).page(size: 1)
            let token = try expect(some: beginning.next?.token, "the token of the second page")
            let link = "/boards?sort=%C3%A9&after=old"
            try expect(
                try beginning.json(omitting: [\.cards], link: link)["links"],
                equals: [
                    "self": "/boards?sort=%C3%A9&after=old", "first": "/boards?sort=%C3%A9",
                    "next": JSON(string: "/boards?sort=%C3%A9&after=\(token)"),
                ], "the links")
            try expect(try page.json(omitting: [\.cards], link: link)["links"]?["next"], equals: .null, "the last link")
        },
        ConformanceCase("json-1.circles", "JSON-1", "JSON of objects in a circle ends", level: .graph) { environment in
            let db = try await environment.open(Edition.self)
            let (one, two) = (Edition("one"), Edition("two"))
            (one.parent, two.parent) = (two, one)
            try await db.save(one)
            let json = try one.json(including: ["parent.parent"])
            try expect(json["parent"]?["parent"]?["text"]?.string, equals: "one", "the object itself, at the end")
            try expect(json["parent"]?["parent"]?["parent"]?.integer, equals: two.id, "a key where the path ends")
        },
    ]
}
