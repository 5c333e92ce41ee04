import Foundation

/// JSON as a part of a `Codable` type. Numbers have the 38 digits of `Decimal` there, which a value by itself exceeds.
extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        // A decoder does not tell the kind of what it has: it can only be asked for each. The last one throws.
        if let container = try? decoder.container(keyedBy: Name.self) {
            self.init(
                Dictionary(
                    try container.allKeys.map { ($0.stringValue, try container.decode(JSON.self, forKey: $0)) }
                ) { first, _ in first })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self.init(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let boolean = try? container.decode(Bool.self) {
                self.init(boolean)
            } else if let integer = try? container.decode(Int64.self) {
                self.init(integer)
            } else if let integer = try? container.decode(UInt64.self) {
                self.init(integer)
            } else if let decimal = try? container.decode(Decimal.self), decimal.isFinite {
                self.init(part: "\(decimal)", isChecked: false)
            } else if let double = try? container.decode(Double.self) {
                self.init(part: "\(double)", isChecked: false)
            } else {
                self.init(string: try container.decode(String.self))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try requireAcceptable()
        if let object {
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in object { try container.encode(value, forKey: Name(name)) }
        } else if let array {
            var container = encoder.unkeyedContainer()
            for element in array { try container.encode(element) }
        } else {
            var container = encoder.singleValueContainer()
            if isNull {
                try container.encodeNil()
            } else if let boolean {
                try container.encode(boolean)
            } else if let integer {
                try container.encode(integer)
            } else if let decimal, JSONNumber("\(decimal)") == number {
                try container.encode(decimal)
            } else if let double {
                try container.encode(double)
            } else {
                try container.encode(string)
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
