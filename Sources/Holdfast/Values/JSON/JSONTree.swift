/// A JSON value that was read with all that is in it, by one pass over its text.
///
/// A ``JSON`` is a text, which it reads again whenever somebody looks inside: one level is fine, but for all of them
/// each byte would be read as often as it has levels around it.
indirect enum JSONTree {
    case object([String: JSONTree])
    case array([JSONTree])
    /// A string, a number, a truth value or `null`.
    case scalar(JSON)

    /// Writes the value, with the members of objects in the order of their names.
    ///
    /// - Parameter scalar: Writes one that is neither an object nor an array.
    func text(_ scalar: (JSON) -> String = \.text) -> String {
        var text = ""
        write(into: &text, scalar)
        return text
    }

    private func write(into text: inout String, _ scalar: (JSON) -> String) {
        switch self {
        case .object(let members):
            var separator = "{"
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                text += "\(separator)\(name.jsonQuoted):"
                value.write(into: &text, scalar)
                separator = ","
            }
            text += members.isEmpty ? "{}" : "}"
        case .array(let elements):
            var separator = "["
            for element in elements {
                text += separator
                element.write(into: &text, scalar)
                separator = ","
            }
            text += elements.isEmpty ? "[]" : "]"
        case .scalar(let json): text += scalar(json)
        }
    }

    /// The value with a merge patch of RFC 7396 applied.
    func merging(_ patch: JSONTree) -> JSONTree {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSONTree] = [:]
        if case .object(let own) = self { members = own }
        for (name, change) in changes {
            members[name] = change.isNull ? nil : (members[name] ?? .object([:])).merging(change)
        }
        return .object(members)
    }

    private var isNull: Bool {
        if case .scalar(let json) = self { json.isNull } else { false }
    }
}
