/// A field of a form.
struct FormField {
    enum Kind {
        case text
        case email
        case date
        case dateTime
        case longText
        /// One of several.
        case choice([Option])
        /// Any number of several.
        case choices([Option])
    }

    struct Option {
        let value: String
        let text: String
    }

    let name: String
    let label: String
    var kind = Kind.text
    /// What is in the field; of choices, the values that are selected.
    var values: [String]
    var isRequired = false

    init(_ name: String, _ label: String, _ kind: Kind = .text, _ value: String, isRequired: Bool = false) {
        self.init(name, label, kind, values: [value], isRequired: isRequired)
    }

    init(_ name: String, _ label: String, _ kind: Kind, values: [String], isRequired: Bool = false) {
        self.name = name
        self.label = label
        self.kind = kind
        self.values = values
        self.isRequired = isRequired
    }

    /// What is in the field, as people read it.
    var shownValue: String {
        switch kind {
        case .choice(let options), .choices(let options):
            let texts = options.filter { values.contains($0.value) }.map(\.text)
            return texts.isEmpty ? "nobody" : texts.joined(separator: ", ")
        default:
            return values.first.map { $0.isEmpty ? "nothing" : $0 } ?? "nothing"
        }
    }
}
