import Holdfast

// What queries ask documents for, and what updates make of them, computed in memory.

extension AnyJSON {
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

    /// The document with a value at a path, or without what is there; as it is, where the path leads nowhere.
    func editing(_ path: [any Sendable], to value: AnyJSON?) -> AnyJSON {
        guard let step = path.first else { return value ?? self }
        let rest = Array(path.dropFirst())
        switch (self, step) {
        case (.object(var members), let name as String):
            if rest.isEmpty { members[name] = value } else { members[name] = members[name]?.editing(rest, to: value) }
            return .object(members)
        case (.array(var elements), let position as Int) where elements.indices.contains(position):
            if let element = rest.isEmpty ? value : elements[position].editing(rest, to: value) {
                elements[position] = element
            } else {
                elements.remove(at: position)
            }
            return .array(elements)
        default: return self
        }
    }

    /// The same JSON with numbers as integers where they are some, however they were written.
    var canonical: AnyJSON {
        switch self {
        case .real(let value): Int64(exactly: value).map { .integer($0) } ?? self
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let members): .object(members.mapValues(\.canonical))
        case .null, .boolean, .integer, .text: self
        }
    }

    var kind: JSONKind {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer, .real: .number
        case .text: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The elements of an array; none of anything else.
    var elements: [AnyJSON] { if case .array(let elements) = self { elements } else { [] } }

    var asText: String? { if case .text(let text) = self { text } else { nil } }
    var asBoolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var asInteger: Int? {
        switch self {
        case .integer(let value): Int(value)
        case .real(let value): Int(exactly: value)
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
}
