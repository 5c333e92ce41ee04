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

    /// The field for its template.
    ///
    /// - Parameters:
    ///   - problem: What is wrong with what was sent.
    ///   - theirs: What somebody else has saved meanwhile, if it differs.
    func view(problem: String?, theirs: String?) -> [String: Any] {
        var view: [String: Any] = ["name": name, "label": label, "value": values.first ?? "", "isRequired": isRequired]
        if let problem { view["problem"] = problem }
        if let theirs { view["theirs"] = theirs }
        switch kind {
        case .text: view["input"] = ["type": "text"]
        case .email: view["input"] = ["type": "email"]
        case .date: view["input"] = ["type": "date"]
        case .dateTime: view["input"] = ["type": "datetime-local"]
        case .longText: view["isLong"] = true
        case .choice(let options): view["choice"] = ["options": options.map(optionView)]
        case .choices(let options): view["choices"] = ["options": options.map(optionView)]
        }
        return view
    }

    private func optionView(_ option: Option) -> [String: Any] {
        ["value": option.value, "text": option.text, "isSelected": values.contains(option.value)]
    }
}
