import Foundation

/// JSON as a part of a `Codable` type, where numbers are what a coder knows: 64-bit integers, `Decimal`, and `Double`.
///
/// A value by itself has any number of digits. As a part, a number that none of these types has exactly, such as one
/// with more than 38 digits, is refused with ``DatabaseError/Code/invalidValue`` when it is encoded. A decoder rounds
/// what others have written so, and does not tell.
extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(part: try JSONTree(from: decoder).text(), isChecked: false)
    }

    public func encode(to encoder: any Encoder) throws { try tree().encode(to: encoder) }
}

extension JSONTree: Codable {
    init(from decoder: any Decoder) throws {
        // A decoder does not tell the kind of what it has: it can only be asked for each. The last one throws.
        if let container = try? decoder.container(keyedBy: Name.self) {
            let members = try container.allKeys.map {
                ($0.stringValue, try container.decode(JSONTree.self, forKey: $0))
            }
            self = .object(Dictionary(members) { first, _ in first })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONTree] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONTree.self)) }
            self = .array(elements)
        } else {
            self = .scalar(try JSON(scalarIn: decoder.singleValueContainer()))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members { try container.encode(value, forKey: Name(name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .scalar(let json):
            var container = encoder.singleValueContainer()
            try json.encode(scalarInto: &container)
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

extension JSON {
    fileprivate init(scalarIn container: any SingleValueDecodingContainer) throws {
        // As above: each error says that it is of another kind, but for the last, which is thrown.
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

    fileprivate func encode(scalarInto container: inout any SingleValueEncodingContainer) throws {
        if isNull {
            try container.encodeNil()
        } else if let boolean {
            try container.encode(boolean)
        } else if let integer {
            try container.encode(integer)
        } else if let number {
            if let decimal, JSONNumber("\(decimal)") == number {
                try container.encode(decimal)
            } else if let double, JSONNumber("\(double)") == number {
                try container.encode(double)
            } else {
                throw DatabaseError(
                    .invalidValue,
                    "A number in JSON has more digits than a part of a Codable type can have: the 38 of Decimal.")
            }
        } else {
            try container.encode(string)
        }
    }
}
