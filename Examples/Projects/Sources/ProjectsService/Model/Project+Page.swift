import Foundation
import Holdfast

extension Project: PageObject {
    static let path = "projects"
    static let noun = "project"
    static let columns = [
        ListColumn(title: "Name", property: "name"),
        ListColumn(title: "Code", property: "code", isSecondary: true),
        ListColumn(title: "Status", property: "status"),
        ListColumn(title: "Lead", property: "lead.name", isSecondary: true),
        ListColumn(title: "Due", property: "dueOn"),
    ]
    static let choices =
        [ListChoice<Project>(value: "", text: "All") { $0 }]
        + ProjectStatus.allCases.map { status in
            ListChoice(value: status.rawValue, text: status.title) { $0.where { $0.status == status } }
        }
    static let formRelations: RelationPaths = ["members", "meetings"]

    static func blank(_ input: FormInput, in db: Database) async throws -> Project { Project(code: "", name: "") }

    static func searching(_ text: String, in query: Query<Project>) -> Query<Project> {
        query.where {
            $0.name.contains(text, caseSensitive: false) || $0.code.contains(text, caseSensitive: false)
                || $0.lead.name.contains(text, caseSensitive: false)
        }
    }

    var title: String { name }

    var newMeetingPath: String? { id.map { "/meetings/new?project=\($0)" } }

    var cells: [ListCell] {
        [
            ListCell(text: name, style: .strong),
            ListCell(text: code, style: .quiet),
            ListCell(text: status.title, style: .badge, tone: status.rawValue),
            ListCell(text: lead?.name ?? "–"),
            ListCell(text: dueOn.map(Dates.shownDay) ?? "–"),
        ]
    }

    var related: [RelatedLink] {
        meetings.sorted { $0.startsAt < $1.startsAt }.map { meeting in
            RelatedLink(
                path: "/meetings/\(meeting.id ?? 0)", text: meeting.title, detail: Dates.shownMinute(meeting.startsAt))
        }
    }

    func fields(people: [Person]) -> [FormField] {
        let everybody = people.map(\.option)
        return [
            FormField("name", "Name", .text, name, isRequired: true),
            FormField("code", "Code", .text, code, isRequired: true),
            FormField(
                "status", "Status", .choice(ProjectStatus.allCases.map { .init(value: $0.rawValue, text: $0.title) }),
                status.rawValue),
            FormField("dueOn", "Due", .date, dueOn.map(Dates.day) ?? ""),
            FormField(
                "lead", "Lead", .choice([.init(value: "", text: "nobody")] + everybody), lead?.option.value ?? ""),
            FormField("members", "Members", .choices(everybody), values: members.map(\.option.value)),
            FormField("notes", "Notes", .longText, notes),
        ]
    }

    func take(_ input: FormInput, people: [Person]) -> [String: String] {
        var problems: [String: String] = [:]
        set(\.name, to: input.text("name"))
        set(\.code, to: input.text("code"))
        if let status = ProjectStatus(rawValue: input.text("status")) {
            set(\.status, to: status)
        } else {
            problems["status"] = "There is no such status."
        }
        let due = input.text("dueOn")
        set(\.dueOn, to: Dates.fromDay(due))
        if dueOn == nil, !due.isEmpty { problems["dueOn"] = "Write the day as 2026-11-26." }
        let leads = people.chosen([input.text("lead")])
        if leads.first?.id != lead?.id { lead = leads.first }
        let chosen = people.chosen(input.texts("members"))
        if Set(chosen.map(\.id)) != Set(members.map(\.id)) { members = chosen }
        set(\.notes, to: input.text("notes"))
        return problems.merging(normalize()) { first, _ in first }
    }

    /// Gives values the form in which all projects have them, wherever they come from.
    ///
    /// - Returns: What is wrong with the project, by the names of the properties.
    func normalize() -> [String: String] {
        var problems: [String: String] = [:]
        set(\.code, to: code.uppercased())
        if code.isEmpty { problems["code"] = "A project needs a code." }
        if name.isEmpty { problems["name"] = "A project needs a name." }
        set(\.dueOn, to: dueOn.flatMap { Dates.fromDay(Dates.day($0)) })
        return problems
    }
}

extension ProjectStatus {
    /// The name that people read.
    var title: String { rawValue.capitalized }
}
