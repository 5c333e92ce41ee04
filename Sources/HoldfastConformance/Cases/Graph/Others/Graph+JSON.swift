import Foundation
import Holdfast

/// Objects as JSON.
extension ConformanceCase {
    static let graphJSON: [ConformanceCase] = [
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
