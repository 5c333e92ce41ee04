import Foundation

/// The page of an object: its form, and links to what belongs to it.
struct FormPage<Model: PageObject> {
    let title: String
    let view: [String: Any]

    /// - Parameters:
    ///   - object: The object, as it is or as somebody wants it to be.
    ///   - people: Everybody, for fields that choose people.
    ///   - problems: What is wrong with it, by the names of the fields.
    ///   - theirs: The fields as somebody else has saved them meanwhile.
    ///   - isConflict: Whether somebody else has.
    ///   - address: What the address of the form of a new object says.
    init(
        _ object: Model, people: [Person], problems: [String: String] = [:], theirs: [FormField] = [],
        isConflict: Bool = false, address: FormInput? = nil
    ) {
        let fields = object.fields(people: people)
        title = object.id == nil ? "New \(Model.noun)" : object.title
        let path = object.id.map { "/\(Model.path)/\($0)" }
        var view: [String: Any] = [
            "title": title, "noun": Model.noun, "action": path ?? "/\(Model.path)", "list": "/\(Model.path)",
            "listName": Model.path.capitalized, "version": object.version, "isNew": path == nil,
            "isConflict": isConflict, "hasProblems": !problems.isEmpty,
            "isUnsaved": isConflict || !problems.isEmpty,
            "fields": fields.map { field in
                let other = theirs.first { $0.name == field.name && $0.shownValue != field.shownValue }
                return field.view(problem: problems[field.name], theirs: other?.shownValue)
            },
        ]
        if let path {
            view["live"] = path + "/live"
            view["delete"] = path + "/delete"
        }
        // A new meeting is about a project, which is not among its fields.
        if let project = address?.text("project"), !project.isEmpty { view["project"] = project }
        if let path = object.newMeetingPath { view["newMeeting"] = path }
        let related = object.related.map { ["path": $0.path, "text": $0.text, "detail": $0.detail] }
        if !related.isEmpty { view["related"] = ["links": related] }
        self.view = view
    }
}
