import Holdfast

/// A row with a document of any shape.
@Table("document")
final class AnyDocument {
    var id: Int64?
    var body: AnyJSON
    var number = 0

    init(_ body: AnyJSON) { self.body = body }
}

/// Any JSON.
enum AnyJSON: Codable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // What one type can't take is of another: the order alone decides, and the last one throws.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([AnyJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// What is at a path of names and positions.
    func value(at path: [any Sendable]) -> AnyJSON? {
        guard let step = path.first else { return self }
        let rest = Array(path.dropFirst())
        switch (self, step) {
        case (.object(let members), let name as String): return members[name]?.value(at: rest)
        case (.array(let elements), let position as Int):
            return elements.indices.contains(position) ? elements[position].value(at: rest) : nil
        default: return nil
        }
    }

    var asText: String? { if case .text(let text) = self { text } else { nil } }
    var asBoolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var asInteger: Int? {
        switch self {
        case .integer(let value): Int(value)
        case .real(let value) where abs(value) <= 9_007_199_254_740_992: Int(exactly: value)
        default: nil
        }
    }
    var asReal: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    static func random(_ depth: Int, _ random: inout some RandomNumberGenerator) -> AnyJSON {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: .null
        case 1: .boolean(Bool.random(using: &random))
        case 2: .integer([0, 1, -1, 7, 1 << 53 + 1, .max, .min].randomElement(using: &random) ?? 0)
        case 3: .real([0.5, -1.5, 7, 1e15, 1e300, -2.25e-5].randomElement(using: &random) ?? 0)
        case 4, 5:
            .text(["", "a", "B", "7", "true", "\u{1F600}", "é\"\\/\n", "zz"].randomElement(using: &random) ?? "")
        case 6, 7: .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in self.random(depth - 1, &random) })
        default:
            .object(
                Dictionary(
                    names.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
                        .map { ($0, self.random(depth - 1, &random)) }
                ) { first, _ in first })
        }
    }

    static let names = ["a", "b", "c d", "é", "x-1", "0", "it's"]
}
