import Foundation

/// A value with every type that a document has to give back as it was.
struct Cargo: Codable, Equatable {
    enum Size: String, Codable { case small, large }
    enum Content: Codable, Equatable {
        case nothing
        case books(count: Int, titles: [String])
    }

    var id = UUID()
    var page = URL(string: "https://example.org/a?b=c%20d#e")
    var seal = Data([0, 1, 254, 255])
    var weight: Float = 0.1
    var volume = 1.0 / 3
    var least = Int64.min
    var greatest = Int64.max
    var beyond = UInt64.max
    var small: Int8 = -128
    var price = Decimal(string: "12345678901234567890.123456789012345678") ?? 0
    var sent = Date(timeIntervalSince1970: 1_763_712_345.123456)
    var early = Date(timeIntervalSince1970: -62_135_596_799.5)
    var size = Size.large
    var content = Content.books(count: 2, titles: ["Ä \"quoted\" \\ \u{1F600}\n", ""])
    var isOpen = true
    var missing: String?
    var nested: [[String: [Int?]]] = [["a": [1, nil, 3], "b": []], [:]]
    var words: [String: String] = ["": "empty", "a.b": "dot", "\u{e9}": "e", "\"": "quote"]
}

/// What tells an explicit null from a missing member.
struct Presence: Codable, Equatable {
    enum Value: Equatable {
        case missing, null
        case some(Int)
    }
    enum CodingKeys: CodingKey { case value }

    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value =
            if !container.contains(.value) {
                .missing
            } else if try container.decodeNil(forKey: .value) {
                .null
            } else {
                .some(try container.decode(Int.self, forKey: .value))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch value {
        case .missing: break
        case .null: try container.encodeNil(forKey: .value)
        case .some(let number): try container.encode(number, forKey: .value)
        }
    }
}
