// swift-format-ignore-file
import Holdfast

@JSONObject struct City: Codable { var name: String; var size: Int? }

@JSONObject public struct Place: Codable {
    enum CodingKeys: String, CodingKey { case city = "town", older, tags, scores, others }

    var city: City
    var older: City?
    var tags: [String]
    var scores: [String: Int] = [:]
    var others: [String: Int]?
    var cache = 0
    static let shared = 1
    var isLarge: Bool { false }
}

@JSONObject struct Empty: Codable {}

@JSONObject enum Choice: Codable { case a }  // expected-error: '@JSONObject' belongs on a struct

@JSONObject struct Own: Codable {
    var a = 1
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}  // expected-error: 'Own' encodes itself
}

@Table struct Row {
    var id: Int64?
    var place: Place
}

func ask(_ query: Query<Row>) {
    _ = query.where { $0.place.city.name == "x" && $0.place.older.size == 3 }
    _ = query.where { $0.place.tags.contains("a") && $0.place.tags[0] != nil }
    _ = query.where { $0.place.json("town.name", as: String.self) == nil && $0.place.hasJSON("older", .object) }
    _ = query.where { $0.place.json("scores.math", as: Int.self) == 3 }
    _ = query.where { $0.place.scores["math"] == 3 }  // expected-error: A dictionary has no key paths of its parts: ask by a path
    _ = query.where { $0.place.others["math"] == 3 }  // expected-error: A dictionary has no key paths of its parts: ask by a path
    _ = query.where { $0.place.city.nothing == 3 }  // expected-error: has no member 'city'
}
