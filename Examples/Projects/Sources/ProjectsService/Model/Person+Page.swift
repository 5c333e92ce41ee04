import Holdfast

extension Person: PageObject {
    static let path = "people"
    static let noun = "person"
    static let columns = [
        ListColumn(title: "Name", property: "name"),
        ListColumn(title: "E-mail", property: "email"),
    ]
    static let choices = [ListChoice<Person>(value: "", text: "All") { $0 }]
    static let formRelations: RelationPaths = []

    static func blank(_ input: FormInput, in db: Database) async throws -> Person { Person(name: "", email: "") }

    static func searching(_ text: String, in query: Query<Person>) -> Query<Person> {
        query.where { $0.name.contains(text, caseSensitive: false) || $0.email.contains(text, caseSensitive: false) }
    }

    var title: String { name }

    var cells: [ListCell] { [ListCell(text: name, style: .strong), ListCell(text: email, style: .quiet)] }

    var related: [RelatedLink] { [] }

    func fields(people: [Person]) -> [FormField] {
        [
            FormField("name", "Name", .text, name, isRequired: true),
            FormField("email", "E-mail", .email, email, isRequired: true),
        ]
    }

    func take(_ input: FormInput, people: [Person]) -> [String: String] {
        var problems: [String: String] = [:]
        set(\.name, to: input.text("name"))
        if name.isEmpty { problems["name"] = "A person needs a name." }
        set(\.email, to: input.text("email").lowercased())
        if !email.contains("@") { problems["email"] = "This is not an e-mail address." }
        return problems
    }

    /// The person as a choice in a form.
    var option: FormField.Option { FormField.Option(value: id.map(String.init) ?? "", text: name) }
}

extension [Person] {
    /// The people whom the values of a field name, in their own order.
    func chosen(_ values: [String]) -> [Person] {
        let values = Set(values)
        return filter { values.contains($0.option.value) }
    }
}
